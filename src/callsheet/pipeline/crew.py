"""Films in parallel: a few worker processes, each fed by a thread of this one.

A film whose worker dies (out of memory, a crash in a decoder) is noted as failed and a new
worker goes on with the next film; the films of other workers do not notice.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Any

from callsheet.pipeline.remains import failed
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.stage import FilmWork, StageOutcome
from callsheet.pipeline.watching import Watch

Outcomes = list[StageOutcome]


def run_in_processes(
    works: Sequence[FilmWork],
    names: Sequence[str],
    settings: Settings,
    *,
    watch: Watch,
    workers: int,
    threads: int,
) -> Generator[Outcomes, None, None]:
    """Yield each film's outcomes as it ends."""
    todo: SimpleQueue[FilmWork] = SimpleQueue()
    for work in works:
        todo.put(work)
    told: SimpleQueue[Outcomes | BaseException] = SimpleQueue()
    stopping = Event()
    hands = [
        Hand(todo, told, names, settings, watch=watch, threads=threads, stopping=stopping)
        for _ in range(workers)
    ]
    try:
        for hand in hands:
            hand.start()
        for _ in works:
            outcome = told.get()
            if isinstance(outcome, BaseException):
                raise outcome
            yield outcome
    finally:
        # Whoever runs the library lets go its lock after this: nobody may be at work any more.
        stopping.set()
        for hand in hands:
            hand.kill()
        for hand in hands:
            hand.join()


class Hand(Thread):
    """Feeds one worker process with films and passes on what it says."""

    def __init__(
        self,
        todo: SimpleQueue[FilmWork],
        told: SimpleQueue[Outcomes | BaseException],
        names: Sequence[str],
        settings: Settings,
        *,
        watch: Watch,
        threads: int,
        stopping: Event,
    ) -> None:
        super().__init__(daemon=True)
        self._todo, self._told = todo, told
        self._names, self._settings = names, settings
        self._watch, self._threads = watch, threads
        self._stopping, self._starting = stopping, Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        if not self._stopping.is_set():
            super().start()

    def join(self, timeout: float | None = None) -> None:
        """Wait for a hand that was started."""
        if self.ident is not None:
            super().join(timeout)

    def run(self) -> None:
        try:
            while not self._stopping.is_set():
                self._told.put(self._film(self._todo.get_nowait()))
        except Empty:
            return
        except BaseException as error:  # noqa: BLE001 — a thread's error belongs to its caller
            self._told.put(error)
        finally:
            self._dismiss()

    def kill(self) -> None:
        """End the worker at once, from another thread; after `stopping` no new one is started."""
        with self._starting:
            if self._process is not None:
                self._process.kill()

    def _dismiss(self) -> None:
        """End the worker; only the hand itself closes the pipes it reads and writes."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what a dead worker did not read
                    pipe.close()

    def _film(self, work: FilmWork) -> Outcomes:
        process = self._worker()
        if process is None:
            return []
        assert process.stdin is not None
        assert process.stdout is not None
        stage = ""
        try:
            pickle.dump((work, self._names, self._settings), process.stdin)
            process.stdin.flush()
            while True:
                kind, content = pickle.load(process.stdout)
                if kind == "ended":
                    outcomes: Outcomes = content
                    return outcomes
                stage = content[1]
                self._tell(content)
        except (EOFError, OSError, pickle.UnpicklingError):
            code = process.wait()
            return [] if self._stopping.is_set() else [_died(work, stage, code)]

    def _tell(self, step: Any) -> None:
        with suppress(Exception):  # a broken progress view must not cost a film
            self._watch(*step)

    def _worker(self) -> subprocess.Popen[bytes] | None:
        """The worker, a new one where the last has died; None where the run is being stopped."""
        if self._process is not None and self._process.poll() is None:
            return self._process
        self._dismiss()
        with self._starting:
            if self._stopping.is_set():
                return None
            numbers = [str(self._threads), str(os.getpid())]
            command = [sys.executable, "-m", "callsheet.pipeline.worker", *numbers]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            return self._process


def _died(work: FilmWork, stage: str, code: int) -> StageOutcome:
    """The stage it died in has failed; that is noted in the film's folder, as it could not."""
    from callsheet.pipeline.stages import STAGES

    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    message = f"its worker process died ({how}): out of memory, or a crash in a library"
    if stage in STAGES:
        return failed(STAGES[stage], work.folder, work.film.film, message)
    return StageOutcome(work.film.film, "run", True, failure=message)
