"""`callsheet report LIBRARY`: write the HTML pages from what is already labelled."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, escape, print_json, warn


@click.command("report")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Where `report/` goes; default: beside what was computed.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(folder: Path, out: Path | None, as_json: bool) -> None:
    """Write a page for the library and one for each film from the labels that are there.

    Example: callsheet report films/ --out shared-drive/
    """  # fmt: skip
    from callsheet.cli.progress import one_bar
    from callsheet.pipeline.library import Library
    from callsheet.pipeline.reporting import report_films

    library = Library.open(folder)
    target = out or library.work_folder
    with one_bar("report") as progress:
        result = report_films(library.works, target, progress)
    for warning in result.warnings:
        warn(warning)
    page = target / "report" / "index.html"
    if as_json:
        print_json({"page": page, **result.summary})
    else:
        count = result.summary["pages"]
        console().print(escape(f"{count} page{'s' if count != 1 else ''}: {page}"))
