"""`callsheet run LIBRARY`: do everything that is out of date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callsheet.cli.frame import EXIT_FAILED, console, escape, notes, print_json

if TYPE_CHECKING:
    from callsheet.pipeline.library import Library
    from callsheet.pipeline.run import RunSummary


@click.command("run")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--stage",
    "stages",
    multiple=True,
    metavar="NAME",
    help="Only this stage and what it needs (may be given again).",
)
@click.option("--workers", type=click.IntRange(min=1), help="Processes; default: one a core.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a stage.")
def command(folder: Path, stages: tuple[str, ...], workers: int | None, as_json: bool) -> int:
    """Label a library: run every stage that is out of date.

    Example: callsheet run films/
    """  # fmt: skip
    from callsheet.pipeline.library import Library

    library = Library.open(folder)
    if as_json:
        summary = run_quietly(library, stages, workers)
        for outcome in summary.outcomes:
            print_json(outcome)
    else:
        summary = run_and_show(library, stages, workers)
    return EXIT_FAILED if summary.failures else 0


def run_quietly(
    library: Library, stages: Sequence[str] = (), workers: int | None = None
) -> RunSummary:
    """Run with one live view of progress where somebody looks."""
    from callsheet.cli.progress import showing
    from callsheet.pipeline.run import run_library

    with showing(len(library.films)) as watch:
        return run_library(library, stages=stages, workers=workers, watch=watch)


def run_and_show(
    library: Library, stages: Sequence[str] = (), workers: int | None = None
) -> RunSummary:
    """Run and print the table at the end."""
    summary = run_quietly(library, stages, workers)
    print_summary(library, summary)
    return summary


def print_summary(library: Library, summary: RunSummary) -> None:
    """The table at the end: a row a film, then what went wrong and where the report is."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    for name in ("film", "tracks", "named", "actions", "script", "warnings", "ended"):
        table.add_column(name, justify="left" if name in ("film", "script", "ended") else "right")
    for film in library.films:
        table.add_row(*_row(film.film, summary))
    console().print(table)
    for outcome in summary.outcomes:
        for warning in outcome.warnings:
            notes().print(
                f"[yellow]{escape(outcome.film or 'library')}:[/yellow] {escape(warning)}"
            )
    for outcome in summary.failures:
        where = outcome.film or "library"
        notes().print(
            f"[red]{escape(where)}: {outcome.stage} failed:[/red] {escape(outcome.failure or '')}"
        )
    report = library.work_folder / "report" / "index.html"
    if report.exists():
        console().print(f"report: {escape(str(report))}")


def _row(film: str, summary: RunSummary) -> list[str]:
    outcomes = summary.of(film)

    def told(stage: str) -> Mapping[str, Any]:
        return outcomes[stage].summary if stage in outcomes else {}

    tracks, labels = told("tracks"), told("labels")
    named, asked = labels.get("person_named"), labels.get("person_tracks")
    warnings = sum(len(o.warnings) for o in outcomes.values())
    failed = next((o for o in outcomes.values() if o.failure), None)
    return [
        escape(film),
        str(tracks["faces"] + tracks["bodies"]) if tracks else "-",
        f"{named / asked:.0%}" if named is not None and asked else "-",
        str(labels.get("action_named", "-")),
        str(told("align").get("verdict", "-")),
        str(warnings),
        f"[red]{failed.stage} failed[/red]" if failed else "[green]done[/green]",
    ]
