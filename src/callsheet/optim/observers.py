"""Watching a solve: observers see progress and may ask to stop, never change a result."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import TypeAlias

from callsheet.optim.solution import TracePoint


@dataclass(frozen=True, slots=True)
class Progress:
    """What an observer sees after each step; `latest` is the last certificate measured."""

    passes: float
    seconds: float
    objective: float
    latest: TracePoint | None


Observer: TypeAlias = Callable[[Progress], "bool | None"]
"""Return True to stop; raising KeyboardInterrupt does the same."""


class Interrupt:
    """Ctrl-C as a flag: a pass is finished before the solve stops. A second one is not kept."""

    def __init__(self) -> None:
        self.requested = False

    def request(self, _signal: int, _frame: FrameType | None) -> None:
        if self.requested:
            raise KeyboardInterrupt
        self.requested = True


@contextmanager
def listening() -> Iterator[Interrupt]:
    """Turn Ctrl-C into a flag while in the block (only the main thread may)."""
    interrupt = Interrupt()
    if threading.current_thread() is not threading.main_thread():
        yield interrupt
        return
    before = signal.signal(signal.SIGINT, interrupt.request)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)
