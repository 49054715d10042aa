"""The one loop that owns iteration.

A solver makes a state (`start`), improves it (`step`), says when it is done (`finished`) and
certifies the assignment it returns (`conclude`). Limits, observers,
Ctrl-C, the trace and checkpoints live here and nowhere else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeVar

from callsheet.optim.certificate import Certificate
from callsheet.optim.methods.measuring import Answer
from callsheet.optim.observers import Interrupt, Observer, Progress
from callsheet.optim.solution import Status, TracePoint

State = TypeVar("State")


class Solver(Protocol[State]):
    """What the loop needs of a method."""

    state_type: ClassVar[type[Any]]

    def start(self) -> State:
        """Make the first state."""

    def step(self, state: State) -> State:
        """Improve it."""

    def finished(self, state: State) -> Status | None:
        """Say why there is nothing more to do, if so."""

    def objective(self, state: State) -> float:
        """Give the objective as far as it is known."""

    def certificate(self, state: State) -> Certificate | None:
        """Give the certificate if this step measured one."""

    def conclude(self, state: State) -> Answer:
        """Certify the assignment that is returned."""


@dataclass(slots=True)
class Limits:
    """When to give up: passes over the rows, seconds on the clock."""

    max_passes: float
    time_limit: float | None
    passes: Callable[[], float]
    began: float = field(default_factory=time.perf_counter)
    before: float = 0.0  # seconds spent before the solve was resumed

    def seconds(self) -> float:
        return self.before + time.perf_counter() - self.began

    def reached(self) -> Status | None:
        if self.passes() >= self.max_passes:
            return Status.PASS_LIMIT
        if self.time_limit is not None and self.seconds() >= self.time_limit:
            return Status.TIME_LIMIT
        return None


@dataclass(slots=True)
class Trace:
    """Certificates measured so far, and who wants to know."""

    limits: Limits
    observers: Sequence[Observer]
    points: list[TracePoint] = field(default_factory=list)

    def record(self, certificate: Certificate | None) -> None:
        if certificate is None:
            return
        point = TracePoint(self.limits.passes(), self.limits.seconds(), certificate.objective,
                           certificate.lower_bound)  # fmt: skip
        self.points.append(point)

    def show(self, objective: float) -> bool:
        """Tell every observer; return whether any of them asks to stop."""
        latest = self.points[-1] if self.points else None
        progress = Progress(self.limits.passes(), self.limits.seconds(), objective, latest)
        answers = [bool(observer(progress)) for observer in self.observers]
        return any(answers)


def iterate(
    solver: Solver[State],
    state: State,
    *,
    limits: Limits,
    trace: Trace,
    interrupt: Interrupt,
    keep: Callable[[State], None] | None = None,
) -> tuple[State, Status]:
    """Step until the solver is finished, a limit is reached or someone asks to stop."""
    asked = False
    while True:
        status = solver.finished(state) or limits.reached()
        if status is not None:
            return state, status
        if asked or interrupt.requested:
            return state, Status.INTERRUPTED
        state = solver.step(state)
        trace.record(solver.certificate(state))
        if keep is not None:
            keep(state)
        try:
            asked = trace.show(solver.objective(state))
        except KeyboardInterrupt:
            asked = True
