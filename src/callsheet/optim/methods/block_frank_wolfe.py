"""Algorithm 1 of the paper: block-coordinate Frank-Wolfe.

One block at a time: gradient from W alone, oracle, exact step, and W moved along by
γ (XᵀX + NλI)⁻¹ X_iᵀ D, so that nothing of size N is touched. Blocks are drawn uniformly or in
proportion to their last gaps, which are all measured anew every `refresh` passes; that same
visit gives the certificate and takes the rounding out of W.

`slack="free"` minimises slack out; `slack="lp"` keeps ξ as variables of the linear program, as
the authors do: the oracle then is an LP a block (HiGHS), however simple the quotas.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import EngineError
from callsheet.optim import lp
from callsheet.optim.certificate import Certificate, certify
from callsheet.optim.desk import Call, Sums, Work
from callsheet.optim.methods.line_search import SoftQuotas, best_step, soft_quotas
from callsheet.optim.methods.measuring import Answer, first_assignment, ridge_certificate
from callsheet.optim.rows import is_number
from callsheet.optim.segments import Segment
from callsheet.optim.solution import Status
from callsheet.optim.team import Team
from callsheet.optim.whitening import Whitening

Matrix = NDArray[np.float64]
PATIENCE = 3
IMPROVES = 1e-14
"""Refreshes that may lower nothing, and what counts as lower, relative to the objective."""


@dataclass(frozen=True, slots=True)
class BlockFrankWolfe:
    """How blocks are drawn ("gap" or "uniform"), how slack is treated ("free" or "lp"), and
    after how many passes all gaps are measured anew."""

    sampling: Literal["gap", "uniform"] = "gap"
    slack: Literal["free", "lp"] = "free"
    refresh: float = 10.0

    def __post_init__(self) -> None:
        if self.sampling not in ("gap", "uniform"):
            raise EngineError(f"sampling must be 'gap' or 'uniform', got {self.sampling!r}")
        if self.slack not in ("free", "lp"):
            raise EngineError(f"slack must be 'free' or 'lp', got {self.slack!r}")
        if not (is_number(self.refresh) and self.refresh > 0):
            raise EngineError(f"refresh must be a positive number of passes, got {self.refresh!r}")


@dataclass(frozen=True, slots=True)
class State:
    """`gaps` are the last seen of each block, `draws` the random generator as JSON; `xi` holds
    the slack variables when they are variables."""

    weights: Matrix
    front: int
    gaps: Matrix
    xi: Matrix
    draws: str
    refreshed: float
    objective: float = np.inf
    least: float = np.inf  # what steps lower, at its least, and refreshes since
    idle: int = 0
    measured: Certificate | None = None
    answer: Answer | None = None
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class BlockFrankWolfeSolver:
    """One problem's solve; the team's desk has one block a chunk."""

    state_type: ClassVar[type[State]] = State

    settings: BlockFrankWolfe
    team: Team
    whitening: Whitening
    tol: float
    weights: Matrix | None
    dtype: str
    seed: int

    def start(self) -> State:
        weights, front = first_assignment(self.team, self.whitening, self.weights)
        desk = self.team.desk
        table = desk.problem.layout.every
        nothing = np.zeros_like(desk.buffers[front])
        soft = soft_quotas(desk.buffers[front], nothing, 0, (0, table.kind.size), table)
        xi = np.zeros(table.kind.size)
        xi[np.isfinite(table.price)] = soft.missing()
        draws = _pack(np.random.default_rng(self.seed))
        gaps = np.ones(len(desk.chunks))
        return self._refresh(State(weights, front, gaps, xi, draws, 0.0))

    def finished(self, state: State) -> Status | None:
        return state.status

    def objective(self, state: State) -> float:
        return state.objective

    def certificate(self, state: State) -> Certificate | None:
        return state.measured

    def conclude(self, state: State) -> Answer:
        """Certify what is returned."""
        return state.answer or self.measure(state)

    def measure(self, state: State) -> Answer:
        return ridge_certificate(
            self.team, self.whitening, state.weights, front=state.front, tol=self.tol
        )

    def step(self, state: State) -> State:
        """Update as many blocks as there are, then refresh the gaps if it is time."""
        state = replace(state, measured=None)
        gaps, xi, weights = state.gaps.copy(), state.xi.copy(), state.weights.copy()
        generator = _unpack(state.draws)
        for _ in range(gaps.size):
            number = self._draw(generator, gaps)
            gaps[number] = self._update(number, weights, xi, state.front)
        state = replace(state, gaps=gaps, xi=xi, weights=weights, draws=_pack(generator))
        if self.team.passes - state.refreshed >= self.settings.refresh:
            return self._refresh(state)
        return state

    def _draw(self, generator: np.random.Generator, gaps: Matrix) -> int:
        total = float(gaps.sum())
        if self.settings.sampling == "uniform" or total <= 0.0:
            return int(generator.integers(gaps.size))
        return int(generator.choice(gaps.size, p=gaps / total))

    def _update(self, number: int, weights: Matrix, xi: Matrix, front: int) -> float:
        """One block's step, W with it; return the block's gap before."""
        desk = self.team.desk
        (segment,) = desk.chunks[number]
        points, tile = desk.forward(segment, weights, self.dtype)
        rows = desk.buffers[front][segment.places]
        direction, soft, slope = self._direction(segment, rows, rows - points, xi)
        turned = np.zeros_like(weights)
        desk.backward(segment, direction, self.dtype, tile, turned)
        turn = self.whitening.solve(turned)
        bend = float(np.sum(direction * direction)) - float(np.sum(turned * turn))
        step = self._best(segment, slope, bend, soft, xi)
        rows += step * direction
        weights += step * turn
        self.team.passes += (segment.stop - segment.start) / desk.problem.n_rows
        return max(0.0, -(slope + soft.slope(0.0)))

    def _direction(
        self, segment: Segment, rows: Matrix, residual: Matrix, xi: Matrix
    ) -> tuple[Matrix, SoftQuotas, float]:
        """Return D, the soft quotas along it, and the slope of all but the slack."""
        desk = self.team.desk
        table = desk.problem.layout.every
        prior = desk.prior(segment)
        smooth = residual if prior is None else residual - prior
        if self.settings.slack == "free" or segment.custom is not None:
            gradient, _ = desk.gradient(segment, rows, residual)
            direction = desk.vertex(segment, gradient) - rows
            soft = soft_quotas(rows, direction, segment.start, segment.quotas, table)
        else:
            mine = slice(*segment.quotas)
            vertex, slack = lp.minimise_with_slack(smooth, desk.problem.layout, segment, xi)
            direction = vertex - rows
            soft = SoftQuotas.variables(table, mine, xi[mine], slack - xi[mine])
        return direction, soft, float(np.sum(smooth * direction))

    def _best(
        self, segment: Segment, slope: float, bend: float, soft: SoftQuotas, xi: Matrix
    ) -> float:
        step = best_step(slope, max(bend, 0.0), soft)
        if self.settings.slack == "lp" and segment.custom is None:
            mine = np.arange(*segment.quotas)
            mine = mine[np.isfinite(self.team.desk.problem.layout.every.price[mine])]
            xi[mine] += step * soft.change
        return step

    def _refresh(self, state: State) -> State:
        """Measure every block's gap: the certificate, and W without its rounding."""
        desk = self.team.desk
        problem = desk.problem
        parts = self.team.parts(Call(Work.MEASURE, state.weights, front=state.front))
        gaps = np.array([max(part.gap, 0.0) for part in parts])
        sums = Sums(np.zeros_like(state.weights))
        for part in parts:
            sums.add(part)
        found = certify(problem, state.weights, sums)
        error = sums.matrix - problem.n_rows * problem.ridge * state.weights
        state = replace(state, gaps=gaps, weights=state.weights + self.whitening.solve(error),
                        measured=found, refreshed=self.team.passes,
                        objective=found.objective)  # fmt: skip
        state = self._note(state, found.objective + self._held(state, sums))
        return self._verify(state) if found.gap <= self.tol else state

    def _held(self, state: State, sums: Sums) -> float:
        """What slack variables cost above the least: steps lower the sum of both."""
        if self.settings.slack == "free":
            return 0.0
        problem = self.team.desk.problem
        price = problem.layout.every.price
        soft = np.isfinite(price)
        cost = 0.5 * float(np.sum(price[soft] * state.xi[soft] ** 2))
        return (cost - sums.slack) / problem.n_rows

    def _note(self, state: State, lowered: float) -> State:
        """Where some refreshes in a row found nothing lowered, rounding leaves nothing to gain."""
        if lowered < state.least - IMPROVES * abs(state.least) or np.isinf(state.least):
            return replace(state, least=lowered, idle=0)
        idle = state.idle + 1
        return replace(state, idle=idle, status=Status.STALLED if idle >= PATIENCE else None)

    def _verify(self, state: State) -> State:
        """Certify with the exact ridge solution, and end if the gap is still met."""
        answer = self.measure(state)
        done = answer.certificate.gap <= self.tol
        return replace(state, weights=answer.weights, measured=answer.certificate,
                       status=Status.TOLERANCE if done else state.status,
                       answer=answer if done else None)  # fmt: skip


def _pack(generator: np.random.Generator) -> str:
    return json.dumps(generator.bit_generator.state)


def _unpack(draws: str) -> np.random.Generator:
    generator = np.random.default_rng()
    state: dict[str, Any] = json.loads(draws)
    generator.bit_generator.state = state
    return generator
