"""The default method: alternating minimisation in classifier space, accelerated.

    F(V) = min_Y ½‖Y − XW‖² + slack − ⟨prior, Y⟩ + Nλ/2 ‖W‖²,   W = L⁻ᵀV,  L Lᵀ = XᵀX + NλI

is convex with curvature at most 1. Its gradient is −r, r = L⁻¹(XᵀR − NλW), R = Y*(V) − XW, so
V + r is the ridge solution of the assignment just found: plain alternating minimisation, which
lowers F by ½‖r‖² at least. Anderson mixing extrapolates over the last few (V, r). A step that
raises F is taken back and replaced by the plain one, so F never ends above plain alternation.

At a plain step the products at V + r serve twice: for the next projection, and for the exact
certificate of the assignment before it. So certificates cost no pass; they are taken when the
gap is likely to have reached the tolerance (the gap shrinks with ‖r‖), and at least every
`check_every` passes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from callsheet.optim.certificate import Certificate, certify, value
from callsheet.optim.desk import Call, Work
from callsheet.optim.methods.anderson import History, extrapolate
from callsheet.optim.solution import Status
from callsheet.optim.team import Team
from callsheet.optim.whitening import Whitening

Matrix = NDArray[np.float64]
PATIENCE = 3


@dataclass(frozen=True, slots=True)
class Envelope:
    """Settings: how many steps Anderson mixing looks back (0: plain alternation)."""

    memory: int = 10
    check_every: int = 20


@dataclass(frozen=True, slots=True)
class State:
    """`point` is visited next; `anchor` is the ridge solution of the current assignment."""

    point: Matrix
    anchor: Matrix
    history: History
    energy: float  # F at the last accepted point, times N
    length: float  # ‖r‖ there
    front: int
    dtype: str
    plain: bool = True
    since_check: int = 0
    gap_per_length: float = np.inf
    failures: int = 0
    objective: float = np.inf
    measured: Certificate | None = None
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class EnvelopeSolver:
    """One problem's solve."""

    settings: Envelope
    team: Team
    whitening: Whitening
    tol: float
    weights: Matrix  # where to begin
    dtype: str

    def start(self) -> State:
        """Visit the first point, so that there is an assignment from the beginning."""
        point = self.whitening.from_weights(self.weights)
        state = State(point, point, (), np.inf, np.inf, 0, self.dtype)
        return self._visit(replace(state, since_check=-1))

    def step(self, state: State) -> State:
        return self._visit(replace(state, measured=None))

    def finished(self, state: State) -> Status | None:
        return state.status

    def objective(self, state: State) -> float:
        return state.objective

    def certificate(self, state: State) -> Certificate | None:
        return state.measured

    def measure(self, state: State) -> tuple[Matrix, Certificate]:
        """Certify the current assignment in float64, whatever the loop computed in."""
        return ridge_certificate(self.team, self.whitening, state.anchor, state.front, self.tol)

    def _visit(self, state: State) -> State:
        """Project at the next point; accept it or fall back to the plain step."""
        problem = self.team.desk.problem
        weights = self.whitening.to_weights(state.point)
        checks = state.plain and state.since_check >= 0
        sums = self.team.run(Call(Work.PROJECT, weights, checks, state.front, state.dtype))
        if checks:
            state = self._check(state, sums.gap)
            if state.status is not None:
                return state
        energy = value(problem, weights, sums)
        if energy > state.energy and not (state.plain and self._is_rounding(energy, state)):
            return self._take_back(state)
        pull = sums.matrix - problem.n_rows * problem.ridge * weights
        return self._accept(state, energy, self.whitening.whiten(pull))

    def _is_rounding(self, energy: float, state: State) -> bool:
        return energy - state.energy <= 1e-12 * abs(state.energy)

    def _accept(self, state: State, energy: float, pull: Matrix) -> State:
        length = float(np.linalg.norm(pull))
        anchor = state.point + pull
        history = (*state.history, (state.point, pull))[-(self.settings.memory + 1) :]
        stuck = state.plain and energy >= state.energy
        failures = state.failures + 1 if stuck else 0
        due = self._due(state, length) or stuck
        state = replace(
            state, anchor=anchor, history=history, energy=energy, length=length,
            front=1 - state.front, plain=due, failures=failures,
            since_check=0 if due else state.since_check + 1,
            point=anchor if due else extrapolate(history),
            objective=(energy - 0.5 * length**2) / self.team.desk.problem.n_rows,
        )  # fmt: skip
        return self._escalate(state) if failures >= PATIENCE else state

    def _due(self, state: State, length: float) -> bool:
        """Whether the gap of this assignment is likely below the tolerance, or long unseen."""
        if self.settings.memory == 0 or state.since_check + 1 >= self.settings.check_every:
            return True
        return bool(state.gap_per_length * length <= self.tol * abs(state.objective))

    def _take_back(self, state: State) -> State:
        """Go the plain way from the last accepted point, and forget what misled."""
        failures = state.failures + (1 if state.plain else 0)
        state = replace(state, point=state.anchor, plain=True, history=state.history[-1:],
                        failures=failures)  # fmt: skip
        return self._escalate(state) if failures >= PATIENCE else state

    def _escalate(self, state: State) -> State:
        """Float32 products have given what they can: go on in float64, or stop."""
        if state.dtype == "float64":
            return replace(state, status=Status.STALLED)
        return replace(state, dtype="float64", failures=0, energy=np.inf, history=(),
                       point=state.anchor, plain=True)  # fmt: skip

    def _check(self, state: State, gap: float) -> State:
        """Record the certificate of the current assignment; verify it if it seems to be met."""
        n_rows = self.team.desk.problem.n_rows
        found = Certificate(state.objective, state.objective - gap / n_rows)
        if found.gap <= self.tol:
            _, found = self.measure(state)
            if found.gap <= self.tol:
                return replace(state, measured=found, status=Status.TOLERANCE)
        return replace(state, measured=found,
                       gap_per_length=found.gap * abs(found.objective) / state.length)  # fmt: skip


def ridge_certificate(
    team: Team, whitening: Whitening, whitened: Matrix, front: int, tol: float
) -> tuple[Matrix, Certificate]:
    """Refine the ridge solution of the current assignment until it costs no part of the gap."""
    problem = team.desk.problem
    weights = whitening.to_weights(whitened)
    for _ in range(20):
        sums = team.run(Call(Work.MEASURE, weights, front=front))
        found = certify(problem, weights, sums)
        if found.ridge_error <= 0.01 * min(tol, 1e-6) * abs(found.objective):
            break
        error = sums.matrix - problem.n_rows * problem.ridge * weights
        weights = weights + whitening.solve(error)
    return weights, found
