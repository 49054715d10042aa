"""`callsheet demo`: puppet films with known truth, to try everything on."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, print_json
from callsheet.cli.progress import one_bar


@click.group("demo", no_args_is_help=True)
def command() -> None:
    """Try callsheet on puppet films whose truth is known.

    Example: callsheet demo render puppets/ --films 4 --seed 1
    """


@command.command("render")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--films", default=4, show_default=True, type=click.IntRange(min=1), help="How many films."
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0),
              help="The same seed gives the same films.")  # fmt: skip
@click.option("--seconds", default=60.0, show_default=True, help="Length of each film.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(min=1),
              help="Threads that paint frames; the films do not depend on it.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def render(
    folder: Path, films: int, seed: int, seconds: float, workers: int, as_json: bool
) -> None:
    """Write puppet films with screenplays, subtitles and their truth into DIR.

    Each film gets a sub-folder: film.mp4, screenplay.fountain (some: screenplay.txt),
    subtitles.srt, cast.csv and truth/ (truth, tracks, boxes and shots tables).

    Example: callsheet demo render puppets/ --films 4 --seed 1
    """
    from callsheet.theatre import render_library

    with one_bar("films") as progress:
        result = render_library(folder, films=films, seed=seed, seconds=seconds, workers=workers,
                                progress=progress)  # fmt: skip
    if as_json:
        print_json({"folder": str(folder), **result.summary})
        return
    counts = ", ".join(
        f"{count} {name.replace('_', ' ')}" for name, count in result.summary.items()
    )
    console().print(f"{counts}; written to {folder}")
