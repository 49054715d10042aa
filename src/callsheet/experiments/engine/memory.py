"""Anonymous memory of this process and its children, sampled while something runs.

RssAnon leaves out mapped files, which the system may drop whenever it likes. Where there are
forked workers, pages that several hold are shared out among them (Pss_Anon).
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(slots=True)
class Peak:
    """Largest sum seen, in bytes; 0 where the system does not tell."""

    anonymous: int = 0

    @property
    def gib(self) -> float:
        return round(self.anonymous / 2**30, 2)


PAUSE = 50
"""Pauses are so many times longer than a look, which walks the page tables of all workers: what
is measured must not be slowed by it."""


@contextmanager
def watching(interval: float = 0.1) -> Iterator[Peak]:
    """Sample memory while in the block."""
    peak, done = Peak(), threading.Event()

    def sample() -> None:
        pause = interval
        while not done.wait(pause):
            began = time.perf_counter()
            peak.anonymous = max(peak.anonymous, _anonymous())
            pause = max(interval, PAUSE * (time.perf_counter() - began))

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()
        peak.anonymous = max(peak.anonymous, _anonymous())


def _anonymous() -> int:
    mine = os.getpid()
    children = _children(mine)
    if not children:
        return _of(mine, "status", "RssAnon")
    return sum(_of(number, "smaps_rollup", "Pss_Anon") for number in [mine, *children])


def _children(parent: int) -> list[int]:
    path = Path(f"/proc/{parent}/task/{parent}/children")
    try:
        return [int(number) for number in path.read_text().split()]
    except OSError:
        return []


def _of(process: int, page: str, field: str) -> int:
    try:
        lines = Path(f"/proc/{process}/{page}").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith(field)), 0)
