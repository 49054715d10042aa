"""`solve`: from a statement, by a method, to an answer with its certificate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from callsheet.errors import EngineError
from callsheet.optim import checkpoint as checkpoints
from callsheet.optim.arguments import Asked, check_arguments, first_weights
from callsheet.optim.blocks import projects
from callsheet.optim.desk import Desk
from callsheet.optim.features import storage
from callsheet.optim.iterate import Limits, Solver, Trace, iterate
from callsheet.optim.methods.block_frank_wolfe import BlockFrankWolfe, BlockFrankWolfeSolver
from callsheet.optim.methods.envelope import Envelope, EnvelopeSolver, looks_twice
from callsheet.optim.methods.frank_wolfe import FrankWolfe, FrankWolfeSolver
from callsheet.optim.methods.measuring import Answer
from callsheet.optim.observers import Observer, listening
from callsheet.optim.problem import Problem
from callsheet.optim.segments import cut, cut_blocks
from callsheet.optim.solution import Matrix, Solution, Status
from callsheet.optim.team import Team, available_threads, team_of
from callsheet.optim.whitening import whiten

Settings: TypeAlias = Envelope | BlockFrankWolfe | FrankWolfe
METHODS: dict[str, Settings] = {
    "envelope": Envelope(),
    "bcfw": BlockFrankWolfe(),
    "fw": FrankWolfe(),
}


@dataclass(frozen=True, slots=True)
class _Plan:
    """What was asked of a solve, and by which method."""

    settings: Settings
    name: str
    asked: Asked
    start: Matrix | None


def solve(
    problem: Problem,
    *,
    method: str | Settings = "envelope",
    tol: float = 1e-3,
    seed: int = 0,
    max_passes: float = 1000,
    time_limit: float | None = None,
    start: Solution | NDArray[Any] | None = None,
    workers: int | None = None,
    observers: Sequence[Observer] = (),
    checkpoint: str | Path | None = None,
    checkpoint_every: float = 60.0,
    resume: str | Path | None = None,
) -> Solution:
    """Minimise the problem's objective to a relative gap of `tol`.

    `method` is a name ("envelope", "bcfw", "fw") or its settings (`Envelope(memory=20)`).
    `start` is an earlier solution or its weights, also of a problem with other quotas or rows.
    `workers`: None shares the work over threads of this process, a number over so many
    processes; the result is the same. `max_passes` counts visits to all rows, `time_limit` is
    in seconds. A `checkpoint` file is written every `checkpoint_every` seconds and when a solve
    ends before its tolerance; `resume` goes on from one, to the same bits as without the break.
    Ctrl-C ends the solve with the assignment found so far and its measured certificate; before
    there is one, while the Gram matrix is formed, it raises KeyboardInterrupt.
    """
    if not isinstance(problem, Problem):
        raise EngineError(f"problem must be a Problem, got {type(problem).__name__}")
    asked = check_arguments(
        tol=tol, seed=seed, max_passes=max_passes, time_limit=time_limit, workers=workers,
        observers=observers, checkpoint=checkpoint, checkpoint_every=checkpoint_every,
        resume=resume,
    )  # fmt: skip
    settings = choose(method)
    _need_projections(problem, settings)
    plan = _Plan(settings, _name(settings), asked, first_weights(problem, start))
    workers, cores = asked.workers, available_threads()
    n_threads = cores if workers is None else min(workers, cores)
    chunks = cut_blocks if isinstance(settings, BlockFrankWolfe) else cut
    twice = isinstance(settings, Envelope) and looks_twice(settings, problem)
    desk = Desk.of(problem, chunks(problem.layout), shared=workers is not None and workers > 1,
                   points=twice)  # fmt: skip
    # Chunks run in parallel, so BLAS must not; that also keeps the bits the same.
    with threadpool_limits(1, user_api="blas"), team_of(desk, workers, n_threads) as team:
        limits = Limits(asked.max_passes, asked.time_limit, lambda: team.passes)
        return _run(problem, team, plan, Trace(limits, asked.observers), n_threads)


def _run(problem: Problem, team: Team, plan: _Plan, trace: Trace, n_threads: int) -> Solution:
    asked, limits = plan.asked, trace.limits
    mark = "" if asked.checkpoint is asked.resume is None else checkpoints.fingerprint(
        problem, plan.settings, asked.tol, asked.seed)  # fmt: skip
    with listening() as interrupt:
        solver: Solver[Any] = _solver(plan, team, n_threads, lambda: interrupt.requested)
        if asked.resume is None:
            state = solver.start()
            trace.record(solver.certificate(state))
        else:
            kept = checkpoints.load(asked.resume, team.desk, mark)
            state = checkpoints.unpack(solver.state_type, kept)
            team.passes, limits.before = kept.passes, kept.seconds
            team.fallbacks = kept.fallbacks
            trace.points.extend(kept.trace)
        keep = _keeper(asked, team, trace, mark)
        state, status = iterate(
            solver, state, limits=limits, trace=trace, interrupt=interrupt, keep=keep
        )
        if status is not Status.TOLERANCE:
            keep(state, last_one=True)
        answer = solver.conclude(state)
    if status is not Status.TOLERANCE:
        trace.record(answer.certificate)
    status = _arrived(status, answer, asked.tol)
    return _solution(problem, team, plan, answer, status, trace)


def _arrived(status: Status, answer: Answer, tol: float) -> Status:
    """Why the solve ended, now that what is returned is measured: a limit that was reached, or
    rounding, often leaves an assignment that meets the tolerance all the same."""
    met = status is not Status.INTERRUPTED and answer.certificate.gap <= tol
    return Status.TOLERANCE if met else status


def choose(method: str | Settings) -> Settings:
    """Look a method up."""
    if isinstance(method, Envelope | BlockFrankWolfe | FrankWolfe):
        return method
    if not isinstance(method, str) or method not in METHODS:
        choices = ", ".join(repr(name) for name in METHODS)
        raise EngineError(f"no method {method!r}; choose from {choices}")
    return METHODS[method]


def _name(settings: Settings) -> str:
    return next(name for name, known in METHODS.items() if type(known) is type(settings))


def _solver(plan: _Plan, team: Team, n_threads: int, halt: Callable[[], bool]) -> Solver[Any]:
    problem, settings = team.desk.problem, plan.settings
    tol, seed = plan.asked.tol, plan.asked.seed
    gram = settings.gram if isinstance(settings, Envelope) else "exact"
    whitening = whiten(team.desk, n_threads, gram, seed, halt)
    dtype = str(storage(problem.features))
    if isinstance(settings, Envelope):
        first = np.zeros((problem.n_weights, problem.n_labels))
        weights = first if plan.start is None else plan.start
        return EnvelopeSolver(settings, team, whitening, tol, weights, dtype)
    if isinstance(settings, FrankWolfe):
        return FrankWolfeSolver(settings, team, whitening, tol, plan.start, dtype)
    return BlockFrankWolfeSolver(settings, team, whitening, tol, plan.start, dtype, seed)


def _keeper(asked: Asked, team: Team, trace: Trace, mark: str) -> Callable[..., None]:
    """Make what writes checkpoints when they are due."""
    last = [trace.limits.seconds()]

    def keep(state: Any, *, last_one: bool = False) -> None:
        now = trace.limits.seconds()
        due = last_one or now - last[0] >= asked.checkpoint_every
        if asked.checkpoint is None or state.status is not None or not due:
            return
        last[0] = now
        checkpoints.save(asked.checkpoint, state, team.desk, front=state.front, mark=mark,
                         passes=team.passes, seconds=now, trace=trace.points,
                         fallbacks=team.fallbacks)  # fmt: skip

    return keep


def _need_projections(problem: Problem, settings: Settings) -> None:
    for number, block in enumerate(problem.blocks):
        if isinstance(settings, Envelope) and not projects(block):
            raise EngineError(f"block {number} ({type(block).__name__}) has no project(point),"
                              " which method 'envelope' needs; use 'bcfw' or 'fw'")  # fmt: skip


def _oracle(problem: Problem, team: Team) -> str:
    """How vertices and nearest points were found, in words."""
    segments = [segment for chunk in team.desk.chunks for segment in chunk]
    custom = sum(segment.custom is not None for segment in segments)
    lp = sum(segment.needs_lp for segment in segments)
    parts = ["closed form"] if custom + lp < len(segments) else []
    parts += [f"HiGHS for {lp} of {len(segments)} block groups"] if lp else []
    parts += [f"{custom} custom"] if custom else []
    interior = team.fallbacks.interior
    parts += [f"projection by interior point for up to {_groups(interior)}"] if interior else []
    return ", ".join(parts)


def _inexact(team: Team) -> tuple[str, ...]:
    """What projections could not do exactly: tight and redundant quotas in ugly scales."""
    took = team.fallbacks
    if not took.inexact:
        return ()
    mended = f" (in {took.mended} of them HiGHS mended hard ones)" if took.mended else ""
    return (f"in some passes {_groups(took.inexact)} could be projected only nearly{mended}; the"
            " solve may end above its tolerance, with a certificate that is right",)  # fmt: skip


def _groups(count: int) -> str:
    return f"{count} group{'s' if count > 1 else ''} of joint quotas"


def _solution(
    problem: Problem, team: Team, plan: _Plan, answer: Answer, status: Status, trace: Trace
) -> Solution:
    assignment = np.empty((problem.n_rows, problem.n_labels))
    assignment[problem.layout.order] = team.desk.buffers[answer.front]
    return Solution(
        assignment=assignment,
        weights=answer.weights,
        objective=answer.certificate.objective,
        lower_bound=answer.certificate.lower_bound,
        status=status,
        passes=team.passes,
        seconds=trace.limits.seconds(),
        trace=tuple(trace.points),
        method=plan.name,
        oracle=_oracle(problem, team),
        bias=problem.bias,
        warnings=problem.warnings + _inexact(team),
    )
