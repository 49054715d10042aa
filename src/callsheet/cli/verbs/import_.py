"""`callsheet import FILE LIBRARY`: corrections by a person come back as pins."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, escape, print_json


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--film", help="The film it is about; of a CSV with a column film, only its rows.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(file: Path, folder: Path, film: str | None, as_json: bool) -> None:
    """Take corrections back from a CSV (track, person, action) or a CVAT XML; `run` uses them.

    They pin tracks: this one is Rick, that one nobody of the cast (background). The word - in
    place of a name or an action takes an earlier pin back.

    Example: callsheet import corrections.csv films/ --film casablanca
    """
    from callsheet.pipeline.corrections import import_corrections
    from callsheet.pipeline.library import Library

    pinned = import_corrections(Library.open(folder), file, film=film)
    if as_json:
        print_json({"pinned": pinned})
        return
    for name, count in pinned.items():
        console().print(f"{escape(name)}: {count} tracks pinned")
    console().print(f"next: callsheet run {escape(str(folder))}")
