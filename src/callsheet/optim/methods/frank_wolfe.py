"""Frank-Wolfe: go towards the cheapest vertex of all blocks at once, by an exact step.

Each pass finds S = argmin ⟨∇f(Y), S⟩, steps to Y + γ(S − Y) and moves the classifier along:
W + γ (XᵀX + NλI)⁻¹ Xᵀ(S − Y). ⟨∇f(Y), Y − S⟩ is the certificate of Y, so each pass has one.
Needs oracles only; slow where the optimum is no vertex. Points of the trace leave out what W
lacks of the ridge solution, which is next to nothing since W is measured anew now and then; the
certificate that is returned counts it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from callsheet.optim.certificate import Certificate, value
from callsheet.optim.desk import Call, Sums, Work
from callsheet.optim.methods.line_search import best_step, soft_quotas
from callsheet.optim.methods.measuring import Answer, first_assignment, ridge_certificate
from callsheet.optim.solution import Status
from callsheet.optim.team import Team
from callsheet.optim.whitening import Whitening

Matrix = NDArray[np.float64]
REFRESH = 100
"""Moves after which W is measured anew."""


@dataclass(frozen=True, slots=True)
class FrankWolfe:
    """Nothing to set."""


@dataclass(frozen=True, slots=True)
class State:
    """`weights` is the ridge solution of the current assignment."""

    weights: Matrix
    front: int
    dtype: str
    objective: float = np.inf
    moves: int = 0  # since the weights were measured anew
    doubts: int = 0  # certificates of this assignment that did not hold when verified
    measured: Certificate | None = None
    answer: Answer | None = None
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class FrankWolfeSolver:
    """One problem's solve."""

    state_type: ClassVar[type[State]] = State

    settings: FrankWolfe
    team: Team
    whitening: Whitening
    tol: float
    weights: Matrix | None
    dtype: str

    def start(self) -> State:
        weights, front = first_assignment(self.team, self.whitening, self.weights)
        return State(weights, front, self.dtype)

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
        """Measure the current assignment, then leave it for a better one."""
        desk = self.team.desk
        n_rows = desk.problem.n_rows
        if state.moves >= REFRESH:
            state = self._refresh(state)
        sums = self.team.run(
            Call(Work.DIRECTION, state.weights, front=state.front, dtype=state.dtype)
        )
        objective = value(desk.problem, state.weights, sums) / n_rows
        found = Certificate(objective, objective - sums.gap / n_rows)
        state = replace(state, objective=objective, measured=found)
        if found.gap <= self.tol:
            return self._verify(state)
        return self._move(state, self.whitening.solve(sums.matrix), sums)

    def _move(self, state: State, turn: Matrix, sums: Sums) -> State:
        desk = self.team.desk
        rows, direction = desk.buffers[state.front], desk.buffers[1 - state.front]
        table = desk.problem.layout.every
        soft = soft_quotas(rows, direction, 0, (0, table.kind.size), table)
        bend = sums.direction - float(np.sum(sums.matrix * turn))
        step = best_step(-sums.gap - soft.slope(0.0), max(bend, 0.0), soft)
        if step == 0.0:
            return replace(state, status=Status.STALLED)
        rows += step * direction
        return replace(state, weights=state.weights + step * turn, moves=state.moves + 1, doubts=0)

    def _refresh(self, state: State) -> State:
        """Take out of W what rounding put in, move after move."""
        problem = self.team.desk.problem
        sums = self.team.run(Call(Work.MEASURE, state.weights, front=state.front))
        error = sums.matrix - problem.n_rows * problem.ridge * state.weights
        return replace(state, weights=state.weights + self.whitening.solve(error), moves=0)

    def _verify(self, state: State) -> State:
        """Make sure in float64; if rounding hid a larger gap, go on from better weights."""
        answer = self.measure(state)
        state = replace(state, weights=answer.weights, measured=answer.certificate)
        if answer.certificate.gap <= self.tol:
            return replace(state, answer=answer, status=Status.TOLERANCE)
        if state.doubts:
            # In float64 from the best weights there are: only rounding is in the way.
            return replace(state, answer=answer, status=Status.STALLED)
        return replace(state, dtype="float64", doubts=1)
