"""`callsheet bags FOLDER...`: evidence + tracks -> bags, and what they offer to learn from."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, escape, print_json, warn
from callsheet.cli.progress import one_bar


@click.command("bags")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...",
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("--all-faces", is_flag=True,
              help="Keep all faces in a line's bag, not only those that speak.")  # fmt: skip
@click.option("--least-confidence", type=float, default=0.0, show_default=True,
              help="Evidence less sure than this makes no bag.")  # fmt: skip
@click.option("--audit", is_flag=True, help="Only count the bags that are there.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    folders: tuple[Path, ...], all_faces: bool, least_confidence: float, audit: bool,
    as_json: bool,
) -> None:  # fmt: skip
    """Make the bags of film folders (tables of tracks, evidence and cast) and count them.

    Example: callsheet bags films/.callsheet/casablanca
    """
    from callsheet.bags import BagSettings, audit_bags, make_bags

    settings = BagSettings(least_confidence=least_confidence, speakers_only=not all_faces)
    with one_bar("bags") as progress:
        for number, folder in enumerate(() if audit else folders, start=1):
            for warning in make_bags(folder, settings).warnings:
                warn(f"{folder.name}: {warning}")
            progress(number / len(folders))
    counted = audit_bags(folders)
    if as_json:
        print_json(counted)
    else:
        console().print(escape(counted.table()))
