"""Who does the chunks of a pass: threads of this process, or processes that hold their blocks.

A team hands out the chunks of a call and adds their sums in chunk order. BLAS is held to one
thread while a team works, because the chunks are what runs in parallel.
"""

from __future__ import annotations

import bisect
import multiprocessing
import os
import pickle
import signal
import warnings
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import reduce
from itertools import pairwise
from multiprocessing.connection import Connection
from typing import Protocol

from threadpoolctl import threadpool_info

from callsheet.errors import EngineError
from callsheet.optim.desk import Call, Desk, Sums, Work
from callsheet.optim.projection import NONE, Fallbacks

_HALVES = (Work.CORRELATE, Work.GAP, Work.APPROACH, Work.RETURN)
COST = {work: 0.5 if work in _HALVES else 1.0 for work in Work} | {Work.BLEND: 0.0}
"""Passes a call counts for: one X V and one Xᵀ Y over all rows make one."""


class Team(Protocol):
    """Runs passes."""

    desk: Desk
    passes: float
    fallbacks: Fallbacks
    """The most that one pass took."""

    def run(self, call: Call) -> Sums:
        """Do a pass over all rows and add up."""

    def parts(self, call: Call) -> list[Sums]:
        """Do a pass over all rows; the sums chunk by chunk."""

    def close(self) -> None:
        """Send the workers home."""


def total(parts: Iterator[Sums]) -> Sums:
    """Add up in the order given."""
    result = next(parts)
    for part in parts:
        result.add(part)
    return result


def _fallbacks(parts: Iterable[Sums]) -> Fallbacks:
    return reduce(Fallbacks.plus, (part.fallbacks for part in parts), NONE)


class Threads:
    """Chunks on threads of this process (products and kernels run outside the GIL)."""

    def __init__(self, desk: Desk, n_threads: int) -> None:
        self.desk = desk
        self.n_threads = n_threads
        self.passes = 0.0
        self.fallbacks = NONE
        self._pool = ThreadPoolExecutor(n_threads) if n_threads > 1 else None

    def _each(self, call: Call) -> Iterator[Sums]:
        numbers = range(len(self.desk.chunks))
        if self._pool is None:
            parts: Iterator[Sums] = (self.desk.work(number, call) for number in numbers)
        else:
            parts = self._pool.map(lambda number: self.desk.work(number, call), numbers)
        return parts

    def run(self, call: Call) -> Sums:
        sums = total(self._each(call))
        self._count(call, sums)
        return sums

    def parts(self, call: Call) -> list[Sums]:
        parts = list(self._each(call))
        self._count(call, *parts)
        return parts

    def _count(self, call: Call, *parts: Sums) -> None:
        # Features from outside are checked in the first full pass over them.
        self.desk.unchecked = False
        self.passes += COST[call.work]
        self.fallbacks = self.fallbacks.most(_fallbacks(parts))

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


class Processes:
    """Chunks on long-lived processes; each holds its own run of blocks and shares the buffers."""

    def __init__(self, desk: Desk, n_processes: int) -> None:
        if "fork" not in multiprocessing.get_all_start_methods():
            raise EngineError("workers need a system that can fork processes; leave them out"
                              " to share the work over threads")  # fmt: skip
        self.desk = desk
        self.passes = 0.0
        self.fallbacks = NONE
        context = multiprocessing.get_context("fork")
        self._lines: list[Connection] = []
        self._processes = []
        for mine in _shares(desk, n_processes):
            line, far_end = context.Pipe()
            ours = [*self._lines, line]
            process = context.Process(target=_serve, args=(desk, mine, far_end, ours), daemon=True)
            with warnings.catch_warnings():
                # Python 3.12 warns of forking beside threads; those of BLAS survive it.
                warnings.simplefilter("ignore", DeprecationWarning)
                process.start()
            far_end.close()
            self._lines.append(line)
            self._processes.append(process)

    def run(self, call: Call) -> Sums:
        return total(iter(self.parts(call)))

    def parts(self, call: Call) -> list[Sums]:
        for line in self._lines:
            _send(line, call)
        answers = [_receive(line) for line in self._lines]
        for answer in answers:
            if isinstance(answer, Exception):
                raise answer
        self.passes += COST[call.work]
        self.desk.unchecked = False
        parts = [sums for answer in answers if isinstance(answer, list) for sums in answer]
        self.fallbacks = self.fallbacks.most(_fallbacks(parts))
        return parts

    def close(self) -> None:
        for line in self._lines:
            line.close()
        for process in self._processes:
            process.join(timeout=5)
            if process.is_alive():
                process.terminate()
                process.join()


def _shares(desk: Desk, n_processes: int) -> list[range]:
    """Cut the chunks into runs of about as many rows."""
    rows = [chunk[-1].stop for chunk in desk.chunks]
    goals = [rows[-1] * (i + 1) / n_processes for i in range(n_processes - 1)]
    edges = [0, *(bisect.bisect_left(rows, goal) + 1 for goal in goals), len(rows)]
    return [range(a, b) for a, b in pairwise(edges) if b > a]


def _serve(desk: Desk, mine: range, line: Connection, inherited: list[Connection]) -> None:
    """What a worker process does: calls in, sums out, until the line is closed.

    The fork also copied the caller's ends of the lines; while any copy is open none is closed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for end in inherited:
        end.close()
    while True:
        try:
            call = line.recv()
        except EOFError:
            return
        answer: list[Sums] | Exception
        try:
            answer = [desk.work(number, call) for number in mine]
            desk.unchecked = False
        except Exception as error:  # noqa: BLE001 — it crosses to the parent and is raised there
            answer = _portable(error)
        try:
            line.send(answer)
        except OSError:
            return  # the caller gave up and closed the line


def _portable(error: Exception) -> Exception:
    """An error that survives the way to the caller; one of a custom block may not."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 — whatever its own pickling raises
        return EngineError(f"a worker process failed with {type(error).__name__}: {error}")
    return error


def _send(line: Connection, call: Call) -> None:
    try:
        line.send(call)
    except OSError:
        raise _died() from None


def _receive(line: Connection) -> object:
    try:
        return line.recv()
    except (EOFError, OSError):
        return _died()


def _died() -> EngineError:
    return EngineError("a worker process died; it may have run out of memory: use fewer"
                       " workers, or none to share the work over threads")  # fmt: skip


def available_threads() -> int:
    """As many threads as BLAS may use here, within the cores of this process."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    blas = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    return max(1, min([int(cores or 1), *map(int, blas)]))


@contextmanager
def team_of(desk: Desk, workers: int | None, n_threads: int) -> Iterator[Team]:
    """Assemble a team: threads for None, else so many processes (1: this one, alone)."""
    team: Team
    if workers is None or workers == 1:
        team = Threads(desk, n_threads if workers is None else 1)
    else:
        team = Processes(desk, workers)
    try:
        yield team
    finally:
        team.close()
