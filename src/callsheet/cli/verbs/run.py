"""`callsheet run LIBRARY`: do everything that is out of date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callsheet.cli.frame import EXIT_FAILED, console, escape, notes, print_json, warn

if TYPE_CHECKING:
    from callsheet.pipeline.discovery import Film
    from callsheet.pipeline.library import Library
    from callsheet.pipeline.run import RunSummary
    from callsheet.pipeline.stage import StageOutcome


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
        for warning in library.warnings:
            warn(warning)
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
        table.add_row(*_row(film, summary))
    console().print(table)
    for warning in library.warnings:
        warn(warning)
    for name in (*(film.film for film in library.films), ""):
        for warning in summary.warnings_of(name):
            notes().print(f"[yellow]{escape(name or 'library')}:[/yellow] {escape(warning)}")
    for outcome in summary.failures:
        where = outcome.film or "library"
        notes().print(
            f"[red]{escape(where)}: {outcome.stage} failed:[/red] {escape(outcome.failure or '')}"
        )
    report = library.work_folder / "report" / "index.html"
    if report.exists():
        console().print(f"report: {escape(str(report))}")


def _row(film: Film, summary: RunSummary) -> list[str]:
    from callsheet.report.page.failures import script_verdict

    outcomes = summary.of(film.film)

    def told(stage: str) -> Mapping[str, Any]:
        return outcomes[stage].summary if stage in outcomes else {}

    tracks, labels = told("tracks"), told("labels")
    named, asked = labels.get("people_named"), labels.get("people")
    warnings = len(summary.warnings_of(film.film))
    failures = {o.stage: o.failure for o in outcomes.values() if o.failure}
    return [
        escape(film.film),
        str(tracks["faces"] + tracks["bodies"]) if tracks else "-",
        f"{named / asked:.0%}" if named is not None and asked else "-",
        str(labels.get("action_named", "-")),
        script_verdict(told("align"), failures) or "-",
        str(warnings),
        f"[red]{next(iter(failures))} failed[/red]" if failures else _ended(film, outcomes),
    ]


def _ended(film: Film, outcomes: Mapping[str, StageOutcome]) -> str:
    """Done, and what a film without all its files has only got."""
    if film.video is None:
        return "[yellow]text only, no video[/yellow]"
    if "labels" in outcomes and (lacks := [m for m in film.missing() if m != "video"]):
        return f"[green]done[/green], no {' and no '.join(lacks)}"
    return "[green]done[/green]"
