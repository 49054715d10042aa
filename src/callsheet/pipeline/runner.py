"""Run stages that are out of date, film by film, in processes where it helps.

Failure of one film is noted and the others go on. A stage's manifest is removed before it
runs and written after, so a kill at any moment leaves that stage to be run again.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from queue import Empty
from typing import Any

from threadpoolctl import threadpool_limits

from callsheet.core import Progress, StageResult
from callsheet.errors import CallsheetError
from callsheet.pipeline import plan
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.stage import FilmWork, Stage, StageOutcome
from callsheet.store import (
    Manifest,
    file_fingerprint,
    read_manifest,
    write_manifest,
    write_text,
)

Watch = Callable[[str, str, float], None]
"""Told film, stage and share done (0 to 1)."""

_PROGRESS_EVERY = 0.2


def run_films(
    works: Sequence[FilmWork],
    names: Sequence[str],
    stages: Mapping[str, Stage],
    settings: Settings,
    *,
    watch: Watch,
    workers: int,
) -> Iterator[list[StageOutcome]]:
    """Run the named stages of every film; yield each film's outcomes as it ends."""
    if workers == 1 or len(works) < 2:
        for work in works:
            yield run_film(work, names, settings, watch)
        return
    yield from _in_processes(works, names, settings, watch=watch, workers=workers)


def run_film(
    work: FilmWork, names: Sequence[str], settings: Settings, watch: Watch
) -> list[StageOutcome]:
    """Run one film's stages in order; those that need a failed one are left out."""
    from callsheet.pipeline.stages import STAGES

    outcomes: list[StageOutcome] = []
    for name in names:
        stage = STAGES[name]
        if plan.obstacle(work, stage, STAGES) or not _ready(work, stage, STAGES):
            continue
        outcomes.append(_run_film_stage(work, stage, STAGES, settings, watch=watch))
    return outcomes


def _ready(work: FilmWork, stage: Stage, stages: Mapping[str, Stage]) -> bool:
    """Whether every stage it needs has ended well."""
    return all(plan.manifest_path(work.folder, stages[e]).exists() for e in stage.after)


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
        _forget(folder, stage)
        watch(film, stage.name, 0.0)
        result = act(_throttled(lambda share: watch(film, stage.name, share)))
        watch(film, stage.name, 1.0)
        seconds = time.perf_counter() - started
        _remember(folder, stage, manifest, result, seconds)
    except CallsheetError as error:
        return _failed(stage, folder, film, error.message)
    except (OSError, MemoryError) as error:
        return _failed(stage, folder, film, f"{type(error).__name__}: {error}")
    return StageOutcome(
        film, stage.name, True, dict(result.summary), result.warnings, seconds=seconds
    )


def _forget(folder: Path, stage: Stage) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    plan.manifest_path(folder, stage).unlink(missing_ok=True)
    plan.failure_path(folder, stage).unlink(missing_ok=True)


def _remember(
    folder: Path, stage: Stage, manifest: Manifest, result: StageResult, seconds: float
) -> None:
    finished = replace(
        manifest,
        outputs={name: file_fingerprint(folder / name) for name in stage.outputs},
        summary=dict(result.summary),
        warnings=list(result.warnings),
        seconds=round(seconds, 2),
    )
    write_manifest(plan.manifest_path(folder, stage), finished)


def _failed(stage: Stage, folder: Path, film: str, message: str) -> StageOutcome:
    with suppress(CallsheetError):  # where the folder cannot be written the outcome still tells
        write_text(plan.failure_path(folder, stage), message + "\n")
    return StageOutcome(film, stage.name, True, failure=message)


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


_messages: Any = None
"""In a worker process: where progress is sent."""


def _start_worker(queue: Any, threads: int) -> None:
    global _messages
    _messages = queue
    threadpool_limits(threads)
    os.environ["OMP_NUM_THREADS"] = str(threads)


def _film_in_worker(work: FilmWork, names: Sequence[str], settings: Settings) -> list[StageOutcome]:
    return run_film(work, names, settings, lambda *message: _messages.put(message))


def _in_processes(
    works: Sequence[FilmWork],
    names: Sequence[str],
    settings: Settings,
    *,
    watch: Watch,
    workers: int,
) -> Iterator[list[StageOutcome]]:
    """Share the films out; a film whose worker dies is tried once more, alone, and then given up.

    When one worker dies (out of memory, a crash in a decoder) the pool takes the films of the
    other workers down with it; those are innocent and must still be done.
    """
    context = get_context("spawn")
    with context.Manager() as broker:
        queue = broker.Queue()
        orphans: list[FilmWork] = []
        with _pool(min(workers, len(works)), queue) as pool:
            films = {pool.submit(_film_in_worker, w, names, settings): w for w in works}
            yield from _collected(films, queue, watch, orphans)
        for work in orphans:
            yield from _alone(work, names, settings, queue=queue, watch=watch)


def _alone(
    work: FilmWork, names: Sequence[str], settings: Settings, *, queue: Any, watch: Watch
) -> Iterator[list[StageOutcome]]:
    died: list[FilmWork] = []
    with _pool(1, queue) as pool:
        films = {pool.submit(_film_in_worker, work, names, settings): work}
        yield from _collected(films, queue, watch, died)
    if died:
        message = "its worker process died (out of memory, or a crash in a library)"
        yield [StageOutcome(work.film.film, "run", True, failure=message)]


def _collected(
    films: dict[Future[list[StageOutcome]], FilmWork],
    queue: Any,
    watch: Watch,
    orphans: list[FilmWork],
) -> Iterator[list[StageOutcome]]:
    waiting = set(films)
    while waiting:
        done, waiting = wait(waiting, timeout=_PROGRESS_EVERY, return_when=FIRST_COMPLETED)
        _drain(queue, watch)
        for future in done:
            try:
                yield future.result()
            except BrokenProcessPool:
                orphans.append(films[future])


def _drain(queue: Any, watch: Watch) -> None:
    while True:
        try:
            watch(*queue.get_nowait())
        except Empty:
            return


@contextmanager
def _pool(workers: int, queue: Any) -> Iterator[ProcessPoolExecutor]:
    """A pool that shares the cores out; what has not begun is dropped on an interrupt."""
    threads = max(1, (os.cpu_count() or 1) // workers)
    pool = ProcessPoolExecutor(
        workers,
        mp_context=get_context("spawn"),
        initializer=_start_worker,
        initargs=(queue, threads),
    )
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()
