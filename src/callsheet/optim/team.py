"""Who does the chunks of a pass: threads of this process, or processes that hold their blocks.

A team hands out the chunks of a call and adds their sums in chunk order. BLAS is held to one
thread while a team works, because the chunks are what runs in parallel.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Protocol

from threadpoolctl import threadpool_info, threadpool_limits

from callsheet.optim.desk import Call, Desk, Sums, Work

COST = {work: 0.5 if work is Work.CORRELATE else 1.0 for work in Work}
"""Passes a call counts for: one X V and one Xᵀ Y over all rows make one."""


class Team(Protocol):
    """Runs passes."""

    desk: Desk
    passes: float

    def run(self, call: Call) -> Sums:
        """Do a pass over all rows."""

    def close(self) -> None:
        """Send the workers home."""


def total(parts: Iterator[Sums]) -> Sums:
    """Add up in the order given."""
    result = next(parts)
    for part in parts:
        result.add(part)
    return result


class Threads:
    """Chunks on threads of this process (products and kernels run outside the GIL)."""

    def __init__(self, desk: Desk, n_threads: int) -> None:
        self.desk = desk
        self.n_threads = n_threads
        self.passes = 0.0
        self._pool = ThreadPoolExecutor(n_threads) if n_threads > 1 else None

    def run(self, call: Call) -> Sums:
        numbers = range(len(self.desk.chunks))
        if self._pool is None:
            parts = (self.desk.work(number, call) for number in numbers)
            return self._counted(total(parts), call)
        return self._counted(
            total(self._pool.map(lambda n: self.desk.work(n, call), numbers)), call
        )

    def _counted(self, sums: Sums, call: Call) -> Sums:
        # Features from outside are checked in the first full pass over them.
        self.desk.unchecked = False
        self.passes += COST[call.work]
        return sums

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def available_threads() -> int:
    """As many threads as BLAS may use here, within the cores of this process."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    blas = [pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"]
    return max(1, min([cores or 1, *blas]))


@contextmanager
def team_of(desk: Desk, workers: int | None) -> Iterator[Team]:
    """Assemble a team: threads for None, else so many processes."""
    n_threads = available_threads()
    with threadpool_limits(1, user_api="blas"):
        team: Team = Threads(desk, n_threads if workers is None else 1)
        try:
            yield team
        finally:
            team.close()
