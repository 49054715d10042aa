"""One method on one statement, and what peers take for the same: passes, seconds, memory."""

from __future__ import annotations

import os
import platform
import time
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from threadpoolctl import threadpool_info

from callsheet.experiments.engine.films import Planted, mean_average_precision
from callsheet.experiments.engine.memory import watching
from callsheet.optim import Problem, Progress, Solution, solve

GOALS = (0.5, 0.2, 0.1, 1e-2, 1e-3, 1e-4)


@dataclass(frozen=True, slots=True)
class Reached:
    """When a certificate first showed a gap: passes and seconds."""

    gap: float
    passes: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Run:
    """A method's way to its gap. `least_per_pass` is that of the quickest step: the figure to
    compare on a machine where others work too."""

    name: str
    status: str
    gap: float
    objective: float
    passes: float
    seconds: float
    seconds_per_pass: float | None
    least_per_pass: float | None
    preparation: float
    peak_gib: float
    mean_average_precision: float
    reached: tuple[Reached, ...]
    trace: tuple[Reached, ...] = field(repr=False)

    def seconds_to(self, gap: float) -> float | None:
        return next((r.seconds for r in self.reached if r.gap == gap), None)


def run_method(
    name: str,
    problem: Problem,
    planted: Planted,
    *,
    method: Any,
    tol: float,
    time_limit: float | None = None,
    workers: int | None = None,
    max_passes: float = 100_000,
) -> Run:
    """Solve and write down how it went."""
    steps: list[tuple[float, float]] = []

    def watch(now: Progress) -> None:
        steps.append((now.passes, now.seconds))

    with watching() as peak:
        solution = solve(problem, method=method, tol=tol, time_limit=time_limit, workers=workers,
                         max_passes=max_passes, observers=[watch])  # fmt: skip
    per_pass, preparation = _pace(steps, solution.seconds)
    return Run(
        name=name, status=str(solution.status), gap=solution.gap, objective=solution.objective,
        passes=solution.passes, seconds=solution.seconds, seconds_per_pass=per_pass,
        least_per_pass=_least(steps), preparation=preparation, peak_gib=peak.gib,
        mean_average_precision=mean_average_precision(planted, solution.assignment),
        reached=_reached(solution),
        trace=tuple(Reached(p.gap, p.passes, p.seconds) for p in solution.trace),
    )  # fmt: skip


def _pace(steps: list[tuple[float, float]], seconds: float) -> tuple[float | None, float]:
    """Seconds a pass (None: that cannot be told), and those before the first pass."""
    if not steps:
        return None, seconds  # done, or out of time, before the first step
    (first, since), (last, until) = steps[0], steps[-1]
    per_pass = (until - since) / (last - first) if last > first else None
    return per_pass, max(0.0, since - first * (per_pass or 0.0))


def _least(steps: list[tuple[float, float]]) -> float | None:
    """Seconds a pass of the quickest step (None: there was but one)."""
    return min(((until - since) / (last - first)
                for (first, since), (last, until) in pairwise(steps) if last > first),
               default=None)  # fmt: skip


def _reached(solution: Solution) -> tuple[Reached, ...]:
    found = []
    for goal in GOALS:
        first = next((p for p in solution.trace if p.gap <= goal), None)
        if first is not None:
            found.append(Reached(goal, first.passes, first.seconds))
    return tuple(found)


def bare_pair_seconds(problem: Problem, *, repeats: int = 12) -> float:
    """What NumPy takes for X V and Xᵀ Y alone, with all threads: the least of some runs."""
    features = problem.features
    rng = np.random.default_rng(0)
    weights = rng.standard_normal((problem.n_features, problem.n_labels), dtype=np.float32)
    rows = rng.standard_normal((problem.n_rows, problem.n_labels), dtype=np.float32)
    best = float("inf")
    for _ in range(repeats):
        began = time.perf_counter()
        features @ weights
        features.T @ rows
        best = min(best, time.perf_counter() - began)
    return best


@dataclass(frozen=True, slots=True)
class OracleRace:
    """Closed-form oracle against HiGHS on whole films: seconds a film, and their values."""

    films: int
    ours: float
    highs: float
    largest_difference: float

    @property
    def ratio(self) -> float:
        return self.highs / self.ours


def race_oracles(problem: Problem, films: int) -> OracleRace:
    """Give both the same costs."""
    from callsheet.optim import lp
    from callsheet.optim.desk import Desk
    from callsheet.optim.segments import cut_blocks

    desk = Desk.of(problem, cut_blocks(problem.layout))
    table, layout = problem.layout.hard, problem.layout
    rng = np.random.default_rng(0)
    ours = theirs = worst = 0.0
    (first,) = desk.chunks[0]
    desk.vertex(first, np.zeros((first.stop - first.start, problem.n_labels)))  # compiled by now
    for (segment,) in desk.chunks[:films]:
        cost = rng.normal(size=(segment.stop - segment.start, problem.n_labels))
        places = np.arange(segment.start, segment.stop)
        quotas = np.arange(*table.component_quota[list(segment.hard_components)])
        began = time.perf_counter()
        vertex = desk.vertex(segment, cost)
        middle = time.perf_counter()
        program = lp.minimise(cost, layout.allowed[places], places, quotas, table)
        theirs += time.perf_counter() - middle
        ours += middle - began
        worst = max(worst, abs(float(np.sum(cost * (vertex - program)))))
    count = min(films, len(desk.chunks))
    return OracleRace(count, ours / count, theirs / count, worst)


def machine() -> dict[str, Any]:
    """Where it was measured."""
    blas = [p for p in threadpool_info() if p["user_api"] == "blas"]
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "blas": blas[0]["internal_api"] if blas else "",
        "blas_threads": min((p["num_threads"] for p in blas), default=0),
    }
