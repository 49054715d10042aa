"""`callsheet export FORMAT LIBRARY`: the call sheet in the words of other tools."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, escape, print_json


@click.command("export")
@click.argument("format_name", metavar="FORMAT")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("export"),
    show_default=True,
    help="Where the files go.",
)
@click.option("--film", "films", multiple=True, help="Only this film (may be given again).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a file.")
def command(
    format_name: str, folder: Path, out: Path, films: tuple[str, ...], as_json: bool
) -> None:
    """Write who and what in another format: parquet, csv, webvtt, xray, cvat, mot, ava, elan,
    coco or rttm; one file a film.

    Example: callsheet export cvat films/ --out cvat/
    """  # fmt: skip
    from callsheet.pipeline.exporting import export_library
    from callsheet.pipeline.library import Library

    for path in export_library(Library.open(folder), format_name, out, films=films):
        if as_json:
            print_json({"format": format_name, "file": path})
        else:
            console().print(escape(str(path)))
