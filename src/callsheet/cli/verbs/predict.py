"""`callsheet predict FOLDER`: label a film without a script by classifiers of other films."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, escape, print_json, warn
from callsheet.cli.progress import one_bar

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command("predict")
@click.argument("folder", type=FOLDER)
@click.option("--actions", type=FOLDER, metavar="DIR",
              help="Folder with actions.json and actions_weights.npy.")  # fmt: skip
@click.option("--names", type=FOLDER, metavar="DIR",
              help="Folder of a film with the same cast, whose names were learned.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(folder: Path, actions: Path | None, names: Path | None, as_json: bool) -> None:
    """Label the tracks of FOLDER (tracks.parquet, faces.npy, bodies.npy) without a script.

    Example: callsheet predict films/.callsheet/new-film --actions films/.callsheet
    """
    from callsheet.model import predict

    if actions is None and names is None:
        raise click.UsageError("give --actions, --names or both")
    with one_bar("predict") as progress:
        result = predict(folder, actions=actions, names=names, progress=progress)
    for warning in result.warnings:
        warn(warning)
    if as_json:
        print_json(dict(result.summary))
        return
    for key, value in result.summary.items():
        console().print(escape(f"{key:20} {value}"))
