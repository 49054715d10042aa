"""`callsheet fit FOLDER...`: names film by film, actions over all films, then labels."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from callsheet.cli.frame import console, escape, print_json, warn
from callsheet.cli.progress import one_bar


@click.command("fit")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...",
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Where the classifier of actions goes; else beside the first film.")  # fmt: skip
@click.option("--precision", type=click.FloatRange(0, 1), default=0.0, show_default=True,
              help="Abstain so that labels are right at least so often; 0: never.")  # fmt: skip
@click.option("--names-only", is_flag=True, help="Leave the actions out.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    folders: tuple[Path, ...], out: Path | None, precision: float, names_only: bool, as_json: bool
) -> None:
    """Learn names and actions from the bags of film folders and label their tracks.

    Example: callsheet fit films/.callsheet/*/ --precision 0.9
    """
    from callsheet.model import LabelSettings, make_actions, make_labels, make_names

    labels = LabelSettings(precision=precision)
    told: dict[str, Any] = {folder.name: {} for folder in folders}
    with one_bar("fit") as progress:
        for number, folder in enumerate(folders, start=1):
            _note(told[folder.name], folder, make_names(folder))
            progress(0.5 * number / len(folders))
        if not names_only:
            shared = out or folders[0].resolve().parent
            _note(told.setdefault("all", {}), shared, make_actions(folders, shared))
        progress(0.9)
        for folder in folders:
            _note(told[folder.name], folder, make_labels(folder, labels))
    if as_json:
        print_json(told)
    else:
        for name, summary in told.items():
            _print(name, summary)


def _note(summary: dict[str, Any], folder: Path, result: Any) -> None:
    summary |= result.summary
    for warning in result.warnings:
        warn(f"{folder.name}: {warning}")


def _print(name: str, summary: Mapping[str, Any]) -> None:
    parts = [f"{key} {value:.4g}" if isinstance(value, float) else f"{key} {value}"
             for key, value in summary.items()]  # fmt: skip
    console().print(escape(f"{name}: {', '.join(parts)}"))
