"""`callsheet init FOLDER`: find the films, write `callsheet.toml`, say what is missing."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, escape, print_json, warn


@click.command("init")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--force", is_flag=True, help="Write callsheet.toml anew even where there is one.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(folder: Path, force: bool, as_json: bool) -> None:
    """Find videos, screenplays and subtitles, pair them, and write a commented callsheet.toml.

    Example: callsheet init films/
    """
    from rich.table import Table

    from callsheet.pipeline.init import init_library

    started = init_library(folder, force=force)
    if as_json:
        print_json(started)
        return
    out = console()
    table = Table(box=None, pad_edge=False, show_header=False)
    for film in started.films:
        missing = film.missing()
        note = f"[yellow]no {', no '.join(missing)}[/yellow]" if missing else "complete"
        table.add_row(escape(film.film), note)
    out.print(table)
    for warning in started.warnings:
        warn(warning)
    out.print(f"{len(started.films)} films; settings in {escape(str(started.settings_file))}")
    out.print(f"next: callsheet run {escape(str(folder))}")
