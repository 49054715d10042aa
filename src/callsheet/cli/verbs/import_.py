"""`callsheet import FILE LIBRARY`: corrections by a person come back as pins."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, escape


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--film", help="The film it is about, where the file does not say.")
def command(file: Path, folder: Path, film: str | None) -> None:
    """Take corrections back from a CSV (track, person, action) or a CVAT XML; `run` uses them.

    Example: callsheet import corrections.csv films/ --film casablanca
    """
    from callsheet.pipeline.corrections import import_corrections
    from callsheet.pipeline.library import Library

    for name, count in import_corrections(Library.open(folder), file, film=film).items():
        console().print(f"{escape(name)}: {count} tracks pinned")
    console().print(f"next: callsheet run {escape(str(folder))}")
