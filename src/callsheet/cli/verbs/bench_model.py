"""`callsheet bench model`: the whole problem of names and actions, from tables to labels."""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from callsheet.cli.frame import console, escape, print_json
from callsheet.cli.progress import one_bar


@click.command("model")
@click.option("--films", type=int, default=66, show_default=True)
@click.option("--tracks", type=int, default=201_874, show_default=True, help="Body tracks.")
@click.option("--dimension", type=int, default=2048, show_default=True, help="Of bodies.")
@click.option("--face-dimension", type=int, default=512, show_default=True, help="Of faces.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--dir", "place", type=click.Path(file_okay=False, path_type=Path),
              help="Where the world is kept; else it is removed at the end.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    films: int, tracks: int, dimension: int, face_dimension: int, seed: int, place: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Make a world of films on disk, learn its names and actions, label it and judge the labels.

    Example: callsheet bench model --films 6 --tracks 18000 --dimension 256
    """
    from callsheet.theatre.world import WorldSettings

    settings = WorldSettings(films=films, tracks=tracks, dimension=dimension,
                             face_dimension=face_dimension, seed=seed)  # fmt: skip
    with tempfile.TemporaryDirectory() as scratch:
        report = _measure(place or Path(scratch), settings)
    if as_json:
        print_json(report)
        return
    for name, value in report.items():
        shown = f"{value:.3f}" if isinstance(value, float) else value
        console().print(escape(f"{name:24} {shown}"))


def _measure(folder: Path, settings: Any) -> dict[str, Any]:
    from callsheet.bags import make_bags
    from callsheet.evaluation import EvaluationSettings, evaluate_films
    from callsheet.model import make_actions, make_labels, make_names
    from callsheet.theatre.world import film_folders, make_world

    folders = film_folders(folder, settings)
    seconds = {"world": _timed("world", lambda tell: make_world(folder, settings, tell))}
    began = time.process_time()
    for name, stage in (("bags", make_bags), ("names", make_names)):
        seconds[name] = _timed(name, _film_by_film(stage, folders))
    seconds["actions"] = _timed("actions", lambda tell: make_actions(folders, folder, None, tell))
    seconds["labels"] = _timed("labels", _film_by_film(make_labels, folders))
    processor = time.process_time() - began
    stages = sum(s for name, s in seconds.items() if name != "world")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    judged = evaluate_films(folders, folders, EvaluationSettings(draws=0))
    return {
        "films": settings.films, "tracks": settings.tracks, "dimension": settings.dimension,
        "face dimension": settings.face_dimension, "seed": settings.seed,
        "cores": os.cpu_count(), "data": "simulated world",
        **{f"{name} seconds": value for name, value in seconds.items()},
        "tables to labels seconds": stages, "processor seconds": processor,
        "peak resident GiB": peak,
        **{m.name: m.value for m in judged.measures if not m.name.startswith("AP ")},
    }  # fmt: skip


def _film_by_film(stage: Callable[[Path], Any], folders: list[Path]) -> Callable[[Any], None]:
    def work(progress: Callable[[float], None]) -> None:
        for number, folder in enumerate(folders, start=1):
            stage(folder)
            progress(number / len(folders))

    return work


def _timed(name: str, work: Callable[[Any], Any]) -> float:
    began = time.perf_counter()
    with one_bar(name) as progress:
        work(progress)
    return time.perf_counter() - began
