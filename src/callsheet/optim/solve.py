"""`solve`: from a statement, by a method, to an answer with its certificate."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import EngineError
from callsheet.optim.blocks import Block, projection_of
from callsheet.optim.certificate import Certificate
from callsheet.optim.desk import Desk
from callsheet.optim.features import storage
from callsheet.optim.iterate import Limits, Trace, iterate
from callsheet.optim.methods.envelope import Envelope, EnvelopeSolver
from callsheet.optim.observers import Observer, listening
from callsheet.optim.problem import Problem
from callsheet.optim.solution import Matrix, Solution, Status
from callsheet.optim.team import Team, available_threads, team_of
from callsheet.optim.whitening import whiten

Method: TypeAlias = "str | Envelope"
METHODS: dict[str, Envelope] = {"envelope": Envelope()}


def solve(
    problem: Problem,
    *,
    method: Method = "envelope",
    tol: float = 1e-3,
    seed: int = 0,
    max_passes: float = 1000,
    time_limit: float | None = None,
    start: Solution | NDArray[Any] | None = None,
    workers: int | None = None,
    observers: Sequence[Observer] = (),
) -> Solution:
    """Minimise the problem's objective to a relative gap of `tol`.

    `method` is a name or settings (`Envelope(memory=20)`). `start` is an earlier solution or a
    weight matrix, also of a problem with other quotas or rows. `workers`: None shares the work
    over threads of this process, a number over so many processes. `max_passes` counts visits to
    all rows, `time_limit` is in seconds.
    """
    settings = choose(method)
    _check_limits(tol, max_passes, time_limit, workers)
    _need_projections(problem)
    n_threads = available_threads()
    desk = Desk.of(problem)
    weights = _first_weights(problem, start)
    with listening() as interrupt, team_of(desk, workers) as team:
        limits = Limits(max_passes, time_limit, lambda: team.passes)
        whitening = whiten(desk, n_threads)
        dtype = str(storage(problem.features))
        solver = EnvelopeSolver(settings, team, whitening, tol, weights, dtype)
        trace = Trace(limits, observers)
        state = solver.start()
        state, status = iterate(solver, state, limits=limits, trace=trace, interrupt=interrupt)
        weights, certificate = solver.measure(state)
        trace.record(certificate)
        return _solution(problem, team, weights, certificate, status, trace, state.front)


def choose(method: Method) -> Envelope:
    """Look a method up."""
    if isinstance(method, str):
        if method not in METHODS:
            choices = ", ".join(repr(name) for name in METHODS)
            raise EngineError(f"no method {method!r}; choose from {choices}")
        return METHODS[method]
    return method


def _check_limits(
    tol: float, max_passes: float, time_limit: float | None, workers: int | None
) -> None:
    if not (math.isfinite(tol) and tol > 0):
        raise EngineError(f"tol must be positive, got {tol}")
    if not max_passes > 0:
        raise EngineError(f"max_passes must be positive, got {max_passes}")
    if time_limit is not None and not time_limit > 0:
        raise EngineError(f"time_limit must be positive seconds, got {time_limit}")
    if workers is not None and workers < 1:
        raise EngineError(f"workers must be 1 or more (None: threads), got {workers}")


def _need_projections(problem: Problem) -> None:
    for number, block in enumerate(problem.blocks):
        if not isinstance(block, Block) and projection_of(block) is None:
            raise EngineError(f"block {number} ({type(block).__name__}) has no project(point),"
                              " which method 'envelope' needs; use 'bcfw' or 'fw'")  # fmt: skip


def _first_weights(problem: Problem, start: Any) -> Matrix:
    """Where to begin: at nothing, or at the classifier of an earlier solution."""
    shape = (problem.n_weights, problem.n_labels)
    if start is None:
        return np.zeros(shape)
    weights = np.asarray(start.weights if isinstance(start, Solution) else start, dtype=np.float64)
    if weights.shape != shape:
        raise EngineError(f"start must have weights of shape {shape}, got {weights.shape}")
    if not np.isfinite(weights).all():
        raise EngineError("start must have finite weights")
    return weights


def _solution(
    problem: Problem,
    team: Team,
    weights: Matrix,
    certificate: Certificate,
    status: Status,
    trace: Trace,
    front: int,
) -> Solution:
    assignment = np.empty((problem.n_rows, problem.n_labels))
    assignment[problem.layout.order] = team.desk.buffers[front]
    return Solution(
        assignment=assignment,
        weights=weights,
        objective=certificate.objective,
        lower_bound=certificate.lower_bound,
        status=status,
        passes=team.passes,
        seconds=trace.limits.seconds(),
        trace=tuple(trace.points),
        method="envelope",
        oracle="closed form",
        bias=problem.bias,
        warnings=problem.warnings,
    )
