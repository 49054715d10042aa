"""`callsheet status LIBRARY`: what is done, what is stale, and why."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, escape, print_json_lines

COLOURS = {"done": "green", "stale": "yellow", "failed": "red", "not run": "yellow"}


@click.command("status")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a stage and film.")
def command(folder: Path, as_json: bool) -> None:
    """Say what is done, what is stale and why.

    Example: callsheet status films/
    """
    from callsheet.pipeline.library import Library

    library = Library.open(folder)
    statuses = library.status()
    if as_json:
        print_json_lines(statuses)
        return
    out = console()
    film: str | None = None
    for status in statuses:
        if status.film != film:
            film = status.film
            out.print(f"[bold]{escape(film or 'all films together')}[/bold]")
        colour = COLOURS.get(status.state, "dim")
        reason = f" ({escape(status.reason)})" if status.reason else ""
        out.print(f"  {status.stage:10} [{colour}]{status.state.value}[/{colour}]{reason}")
