"""Run stages that are out of date, film by film, in processes where it helps.

Failure of one film is noted and the others go on. A stage's manifest is removed before it
runs and written after, so a kill at any moment leaves that stage to be run again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from callsheet.core import Progress, StageResult
from callsheet.pipeline import plan
from callsheet.pipeline.crew import run_in_processes
from callsheet.pipeline.remains import discard, failed, forget, remember
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.stage import FilmWork, Stage, StageOutcome
from callsheet.pipeline.telling import told
from callsheet.pipeline.watching import Watch
from callsheet.store import Manifest, read_manifest

_PROGRESS_EVERY = 0.2

NO_VIDEO = "no video"
"""A video may be on a disk that is not here today: what was computed of it stays."""


def run_films(
    works: Sequence[FilmWork],
    names: Sequence[str],
    settings: Settings,
    *,
    watch: Watch,
    workers: int,
) -> Generator[list[StageOutcome], None, None]:
    """Run the named stages of every film; yield each film's outcomes as it ends."""
    if workers == 1 or len(works) < 2:
        for work in works:
            yield run_film(work, names, settings, watch)
        return
    workers = min(workers, len(works))
    threads = max(1, cores() // workers)
    films = run_in_processes(works, names, settings, watch=watch, workers=workers, threads=threads)
    with closing(films):
        yield from films


def cores() -> int:
    """Cores that this process may use, of which the machine may have more."""
    return len(os.sched_getaffinity(0))


def run_film(
    work: FilmWork, names: Sequence[str], settings: Settings, watch: Watch
) -> list[StageOutcome]:
    """Run one film's stages in order; those that need a failed one are left out."""
    from callsheet.pipeline.stages import STAGES

    outcomes: list[StageOutcome] = []
    for name in names:
        stage = STAGES[name]
        if reason := plan.obstacle(work, stage, STAGES):
            left_out, clear = True, reason != NO_VIDEO
        else:
            left_out, clear = not _ready(work, stage, STAGES), not stage.keeps
        if not left_out:
            outcomes.append(_run_film_stage(work, stage, STAGES, settings, watch=watch))
        elif clear:
            outcomes += _cleared(work, stage)
    return outcomes


def _cleared(work: FilmWork, stage: Stage) -> list[StageOutcome]:
    """Remove what a stage that does not run now wrote before; a failure where that cannot be."""
    try:
        discard(work.folder, stage)
    except OSError as error:
        return [failed(stage, work.folder, work.film.film, told(error))]
    return []


def _ready(work: FilmWork, stage: Stage, stages: Mapping[str, Stage]) -> bool:
    """Whether every stage it needs, and all that those need, have ended well."""
    return all(
        plan.manifest_path(work.folder, stages[earlier]).exists()
        and _ready(work, stages[earlier], stages)
        for earlier in stage.after
    )


def _run_film_stage(
    work: FilmWork,
    stage: Stage,
    stages: Mapping[str, Stage],
    settings: Settings,
    *,
    watch: Watch,
) -> StageOutcome:
    def act(progress: Progress) -> StageResult:
        return stage.run(work, settings, progress)  # type: ignore[call-arg, arg-type]

    def wanted() -> Manifest:
        return plan.wanted_manifest(work, stage, stages, settings)

    return run_stage(stage, work.folder, wanted, act=act, film=work.film.film, watch=watch)


def run_stage(
    stage: Stage,
    folder: Path,
    wanted: Callable[[], Manifest],
    *,
    act: Callable[[Progress], StageResult],
    film: str,
    watch: Watch,
) -> StageOutcome:
    """Run one stage unless it is done; write its manifest, or a note of its failure."""
    started = time.perf_counter()
    try:
        manifest = wanted()
        state, _ = plan.state_of(folder, stage, manifest)
        if state is plan.State.DONE:
            kept = read_manifest(plan.manifest_path(folder, stage))
            return StageOutcome(film, stage.name, False, kept.summary, tuple(kept.warnings))
        forget(folder, stage)
        watch(film, stage.name, 0.0)
        result = act(_throttled(lambda share: watch(film, stage.name, share)))
        watch(film, stage.name, 1.0)
        seconds = time.perf_counter() - started
        remember(folder, stage, manifest, result, seconds)
    except Exception as error:  # noqa: BLE001 — here one film ends: the others must go on
        return failed(stage, folder, film, told(error))
    return StageOutcome(
        film, stage.name, True, dict(result.summary), result.warnings, seconds=seconds
    )


def _throttled(progress: Progress) -> Progress:
    """Pass progress on a few times a second at most."""
    last = 0.0

    def pass_on(share: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= _PROGRESS_EVERY:
            last = now
            progress(share)

    return pass_on
