"""Films in parallel: a few worker processes, each fed by a thread of this one.

A film whose worker dies (out of memory, a crash in a decoder) is noted as failed and a new
worker goes on with the next film; the films of other workers do not notice.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any

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
) -> Iterator[Outcomes]:
    """Yield each film's outcomes as it ends."""
    todo: SimpleQueue[FilmWork] = SimpleQueue()
    for work in works:
        todo.put(work)
    told: SimpleQueue[Outcomes | BaseException] = SimpleQueue()
    hands = [
        Hand(todo, told, names, settings, watch=watch, threads=threads) for _ in range(workers)
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
        for hand in hands:
            hand.stop()


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
    ) -> None:
        super().__init__(daemon=True)
        self._todo, self._told = todo, told
        self._names, self._settings = names, settings
        self._watch, self._threads = watch, threads
        self._process: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        try:
            while True:
                self._told.put(self._film(self._todo.get_nowait()))
        except Empty:
            self.stop()
        except BaseException as error:  # noqa: BLE001 — a thread's error belongs to its caller
            self._told.put(error)

    def stop(self) -> None:
        if self._process is None:
            return
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what a dead worker did not read
                    pipe.close()
        self._process.wait()

    def _film(self, work: FilmWork) -> Outcomes:
        process = self._worker()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            pickle.dump((work, self._names, self._settings), process.stdin)
            process.stdin.flush()
            while True:
                kind, content = pickle.load(process.stdout)
                if kind == "ended":
                    outcomes: Outcomes = content
                    return outcomes
                self._tell(content)
        except (EOFError, OSError, pickle.UnpicklingError):
            return [_died(work, process)]

    def _tell(self, step: Any) -> None:
        with suppress(Exception):  # a broken progress view must not cost a film
            self._watch(*step)

    def _worker(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self.stop()
            numbers = [str(self._threads), str(os.getpid())]
            command = [sys.executable, "-m", "callsheet.pipeline.worker", *numbers]
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        return self._process


def _died(work: FilmWork, process: subprocess.Popen[bytes]) -> StageOutcome:
    code = process.wait()
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    message = f"its worker process died ({how}): out of memory, or a crash in a library"
    return StageOutcome(work.film.film, "run", True, failure=message)
