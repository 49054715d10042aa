"""Renders libraries of puppet films: for each a video, a screenplay, subtitles, cast and truth."""

from __future__ import annotations

import csv
import io
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt

from callsheet.core import Progress, StageResult, no_progress
from callsheet.errors import InputError
from callsheet.store import replacing, write_text
from callsheet.theatre.settings import StageSettings
from callsheet.theatre.stage.encoder import write_video
from callsheet.theatre.stage.frames import Seen, ShotPainter
from callsheet.theatre.stage.plot import Plot, deal_actions, deal_names, write_plot
from callsheet.theatre.stage.screenplay import told_count, write_fountain, write_studio
from callsheet.theatre.stage.shooting import Shooting, shoot
from callsheet.theatre.stage.shot import Shot
from callsheet.theatre.stage.subtitles import write_srt
from callsheet.theatre.stage.truth import Truth

Frame = npt.NDArray[np.uint8]

SECONDS_A_DEED = 5.6  # of film; the rest is talk
SECONDS_A_LINE = 5.4


@dataclass(frozen=True, slots=True)
class Film:
    """All that is decided before the first frame."""

    name: str
    plot: Plot
    shooting: Shooting
    seed: int


def plan_library(films: int, *, seed: int, settings: StageSettings) -> list[Film]:
    """Write the plots and lay out the shots of every film."""
    rng = np.random.default_rng([seed, 7])
    names = deal_names(films, rng)
    each = max(1, round(settings.seconds / SECONDS_A_DEED))
    actions = deal_actions(films, each, rng)
    return [_plan(n, names[n], actions[n], seed, settings) for n in range(films)]


def _plan(number: int, names: tuple[list[str], list[str], list[str]], actions: list[str], seed: int,
          settings: StageSettings) -> Film:  # fmt: skip
    rng = np.random.default_rng([seed, 11, number])
    lines = max(1, round(settings.seconds / SECONDS_A_LINE))
    plot = write_plot(rng, names, actions, lines=lines, told=settings.told)
    shooting = shoot(plot, rng, seconds=settings.seconds)
    return Film(f"film-{number + 1:02}", plot, shooting, int(rng.integers(1 << 31)))


def render_library(folder: Path, *, films: int, seed: int, seconds: float | None = None,
                   settings: StageSettings | None = None, workers: int = 2,
                   progress: Progress = no_progress) -> StageResult:  # fmt: skip
    """Render `films` films into sub-folders of `folder`.

    The same `seed` and settings give the same frames and texts, whatever `workers` is. `seconds`,
    where given, takes the place of those in the settings.
    """
    settings = settings or StageSettings()
    if seconds is not None:
        settings = replace(settings, seconds=seconds)
    _check(films, settings, workers)
    plans = plan_library(films, seed=seed, settings=settings)
    counts = []
    for n, film in enumerate(plans):
        share = _shifted(progress, n, films)
        counts.append(render_film(folder / film.name, film, number=n, settings=settings,
                                  workers=workers, progress=share))  # fmt: skip
    total = {key: sum(c[key] for c in counts) for key in counts[0]}
    return StageResult(summary={"films": films, **total})


def _check(films: int, settings: StageSettings, workers: int) -> None:
    if films < 1:
        raise InputError(f"films must be at least 1, got {films}")
    if workers < 1:
        raise InputError(f"workers must be at least 1, got {workers}")
    if not 5.0 <= settings.seconds <= 7200.0:
        raise InputError(f"seconds must lie between 5 and 7200, got {settings.seconds:g}")


def _shifted(progress: Progress, number: int, films: int) -> Progress:
    return lambda share: progress((number + share) / films)


def render_film(folder: Path, film: Film, *, number: int, settings: StageSettings, workers: int,
                progress: Progress = no_progress) -> dict[str, int]:  # fmt: skip
    """Write one film's folder; returns counts."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng([film.seed, 3])
    if settings.studio_every and number % settings.studio_every == settings.studio_every - 1:
        write_text(folder / "screenplay.txt", write_studio(film.plot))
    else:
        write_text(folder / "screenplay.fountain", write_fountain(film.plot))
    write_text(
        folder / "subtitles.srt", write_srt(film.shooting.spoken, rng, jitter=settings.jitter)
    )
    write_text(folder / "cast.csv", _cast_csv(film.plot))
    truth = Truth()
    with replacing(folder / "film.mp4") as temporary:
        frames = write_video(temporary, _frames(film, truth, workers, progress))
    counts = truth.write(folder / "truth", film.plot.company)
    return {
        "frames": frames,
        "lines": len(film.shooting.spoken),
        **counts,
        "told": told_count(film.plot),
    }


def _cast_csv(plot: Plot) -> str:
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["name", "aliases", "actor"])
    for person in plot.company[: plot.cast]:
        rows.writerow(
            [person.name, f"{person.name} {person.surname}", f"Puppet {person.look.seed % 1000}"]
        )
    return out.getvalue()


def _frames(film: Film, truth: Truth, workers: int, progress: Progress) -> Iterator[Frame]:
    """All frames in order, painted ahead by `workers` threads (the kernels free the lock)."""
    total = sum(shot.frames for shot in film.shooting.shots)
    with ThreadPoolExecutor(workers) as pool:
        waiting: deque[tuple[Shot, bool, Future[tuple[Frame, list[Seen]]]]] = deque()
        done = 0
        for shot, first, job in _jobs(film, pool):
            waiting.append((shot, first, job))
            while len(waiting) > 4 * workers:
                done += 1
                yield _delivered(waiting.popleft(), truth)
                progress(done / total)
        while waiting:
            done += 1
            yield _delivered(waiting.popleft(), truth)
            progress(done / total)


def _delivered(item: tuple[Shot, bool, Future[tuple[Frame, list[Seen]]]], truth: Truth) -> Frame:
    shot, first, job = item
    if first:
        truth.begin_shot(shot)
    frame, seen = job.result()
    truth.see(shot, seen)
    return frame


def _jobs(film: Film, pool: ThreadPoolExecutor) -> Iterator[tuple[Shot, bool, Future[tuple[Frame, list[Seen]]]]]:  # fmt: skip  # noqa: E501
    """Start the painting of frame after frame; the next shot's set is built meanwhile."""
    looks = [person.look for person in film.plot.company]
    shots = film.shooting.shots

    def painter(n: int) -> ShotPainter:
        return ShotPainter(shots[n], looks, seed=film.seed + n)

    coming = pool.submit(painter, 0)
    for n, shot in enumerate(shots):
        ready = coming.result()
        if n + 1 < len(shots):
            coming = pool.submit(painter, n + 1)
        for number in range(shot.frames):
            yield shot, number == 0, pool.submit(ready.paint, number)
