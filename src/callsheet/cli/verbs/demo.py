"""`callsheet demo`: puppet films with known truth, to try everything on."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callsheet.cli.frame import EXIT_FAILED, console, escape, print_json
from callsheet.cli.progress import one_bar

if TYPE_CHECKING:
    from callsheet.pipeline.library import Library

FILMS = click.option(
    "--films", default=4, show_default=True, type=click.IntRange(min=1), help="How many films."
)
SEED = click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    help="The same seed gives the same films.",
)
SECONDS = click.option(
    "--seconds",
    default=60.0,
    show_default=True,
    type=click.FloatRange(min=5),
    help="Length of each film.",
)


@click.group("demo", invoke_without_command=True)
@FILMS
@SEED
@SECONDS
@click.option(
    "--out",
    "folder",
    default=Path("demo-library"),
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the library goes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    context: click.Context, films: int, seed: int, seconds: float, folder: Path, as_json: bool
) -> int | None:
    """Make puppet films, run everything on them, and judge it by their known truth.

    Example: callsheet demo --films 2 --seconds 20
    """  # fmt: skip
    if context.invoked_subcommand is not None:
        return None
    started = time.perf_counter()
    if as_json:
        return _demo_as_json(films, seed, seconds, folder, started)
    from callsheet.cli.verbs.run import run_and_show
    from callsheet.pipeline.demo import render_and_open

    where = escape(str(folder))
    console().print(f"rendering {films} puppet films of {seconds:g} s into {where}")
    library = render_and_open(folder, films=films, seed=seed, seconds=seconds, render=_render)
    console().print(f"rendered after {time.perf_counter() - started:.0f} s; running every stage")
    summary = run_and_show(library)
    if not summary.failures:
        show_comparison(library)
    console().print(f"the demo took {time.perf_counter() - started:.0f} s")
    return EXIT_FAILED if summary.failures else None


def _demo_as_json(
    films: int, seed: int, seconds: float, folder: Path, started: float
) -> int | None:
    from callsheet.cli.verbs.run import run_quietly
    from callsheet.pipeline.demo import compare_actions, compare_names, render_and_open

    library = render_and_open(folder, films=films, seed=seed, seconds=seconds, render=_render)
    summary = run_quietly(library)
    judged = not summary.failures
    print_json({
        "folder": folder,
        "report": library.work_folder / "report" / "index.html",
        "names": compare_names(library) if judged else None,
        "actions": dict(compare_actions(library)) if judged else None,
        "failures": summary.failures,
        "seconds": round(time.perf_counter() - started, 1),
    })  # fmt: skip
    return None if judged else EXIT_FAILED


def _render(folder: Path, **options: Any) -> None:
    from callsheet.theatre import render_library

    with one_bar("films") as progress:
        render_library(folder, workers=2, progress=progress, **options)


def show_comparison(library: Library) -> None:
    """Print how right the labels are, beside the rivals on the same tracks."""
    from rich.table import Table

    from callsheet.pipeline.demo import compare_actions, compare_names

    names = Table(box=None, title="names of face tracks (rendered puppet films)",
                  title_justify="left")  # fmt: skip
    for column in ("method", "accuracy", "accuracy on the cast", "AP"):
        names.add_column(column, justify="left" if column == "method" else "right")
    for result in compare_names(library):
        values = (result.accuracy, result.cast_accuracy, result.average_precision)
        names.add_row(escape(result.method), *(f"{v:.3f}" for v in values))
    console().print(names)
    actions = Table(box=None, title="actions of body tracks", title_justify="left")
    actions.add_column("method")
    actions.add_column("mAP", justify="right")
    for method, value in compare_actions(library):
        actions.add_row(method, f"{value:.3f}")
    console().print(actions)


@command.command("render")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@FILMS
@SEED
@SECONDS
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
    console().print(f"{counts}; written to {escape(str(folder))}")
