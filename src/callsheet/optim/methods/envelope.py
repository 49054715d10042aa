"""The default method: alternating minimisation in classifier space, accelerated.

    F(V) = min_Y ½‖Y − XW‖² + slack − ⟨prior, Y⟩ + Nλ/2 ‖W‖²,   W = L⁻ᵀV,  L Lᵀ = XᵀX + NλI

is convex with curvature at most 1. Its gradient is −r, r = L⁻¹(XᵀR − NλW), R = Y*(V) − XW, so
V + r is the ridge solution of the assignment just found: plain alternating minimisation, which
lowers F by ½‖r‖² at least. L-BFGS (or Anderson mixing) goes further with what the last visits
tell about F; steps of L-BFGS are lengthened or cut by a secant (`visiting`). A visit that raises F
above the last few values is taken back and its step cut; if cutting does not help, the plain step
is taken. If many visits leave F above its least value, the solve goes back there and lets F rise
no more. What is returned is the visit of least F.

A certificate of the current assignment needs X (V + r), half a pass. It is taken when the gap is
likely to have reached the tolerance (the gap shrinks with ‖r‖), and at least every `check_every`
visits; one that meets the tolerance is verified in float64 before the solve ends.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import EngineError
from callsheet.optim.certificate import Certificate
from callsheet.optim.desk import Call, Work
from callsheet.optim.methods.acceleration import ACCELERATIONS, History
from callsheet.optim.methods.measuring import Answer, ridge_certificate
from callsheet.optim.methods.newton import Search, advance, begin
from callsheet.optim.methods.visiting import Place, Visit, can_look_twice, visit, visit_along
from callsheet.optim.problem import Problem
from callsheet.optim.rows import is_whole
from callsheet.optim.solution import Status
from callsheet.optim.team import Team
from callsheet.optim.whitening import GRAMS, Gram, Whitening

Matrix = NDArray[np.float64]
PATIENCE = 3
IDLE = 12
IMPROVES = {"float32": 1e-9, "float64": 1e-15}
IMPROVES_ONWARD = 1e-12
"""Relative changes of F that are more than rounding, also where C is carried on from step to step
(then float32 adds hardly any)."""
ROUNDING = {"float32": 3e-8, "float64": 1e-13}
"""Relative rises of F that may be rounding."""
WINDOW = 5
SMALL = 512
"""Numbers in V up to which Newton steps are cheap."""
FEW_CUTS, MANY_CUTS = 6, 20
STRETCH = 25
"""Visits between two gaps that tell whether the solve crawls."""
DETOUR = 40


@dataclass(frozen=True, slots=True)
class Envelope:
    """How visits are extrapolated ("lbfgs", "anderson", or "none" for plain alternation), over
    how many of them, and after how many passes a certificate is measured at the latest.

    `gram`: "exact", "sketch", or "auto", which sketches where the Gram matrix costs too much.
    """

    acceleration: Literal["lbfgs", "anderson", "none"] = "lbfgs"
    memory: int = 30
    check_every: int = 10
    gram: Gram = "auto"

    def __post_init__(self) -> None:
        for name, choices in (("acceleration", tuple(ACCELERATIONS)), ("gram", GRAMS)):
            if getattr(self, name) not in choices:
                raise EngineError(f"{name} must be one of {', '.join(map(repr, choices))},"
                                  f" got {getattr(self, name)!r}")  # fmt: skip
        if not all(is_whole(n) and n >= 1 for n in (self.memory, self.check_every)):
            raise EngineError(f"memory and check_every must be whole numbers of 1 or more,"
                              f" got {self.memory!r} and {self.check_every!r}")  # fmt: skip


def looks_twice(settings: Envelope, problem: Problem) -> bool:
    """Whether steps are lengthened or cut by a second projection; the desk then keeps points."""
    return settings.acceleration == "lbfgs" and can_look_twice(problem)


@dataclass(frozen=True, slots=True)
class State:
    """`base` is the last accepted point, `pull` its r, `weights` its W; `point` is visited next.

    `energies` are the last values of N F (the newest at the end), `best` the point of least.
    """

    point: Matrix
    base: Matrix
    weights: Matrix
    pull: Matrix
    best: Matrix
    best_energy: float
    history: History
    energies: tuple[float, ...]
    front: int
    dtype: str
    plain: bool = True
    placed: bool = False  # whether C of the base is kept
    cuts: int = 0
    since_check: int = 0
    seen_gap: float = np.inf  # at the last certificate, and ‖r‖ there
    seen_length: float = 1.0
    slow: int = 0  # certificates in a row that hardly differ
    crawls: bool = False
    last_distance: float = np.inf  # where the gap was when that was last looked at,
    visits: int = 0  # so many visits ago
    idle: int = 0  # visits since F last improved
    failures: int = 0  # plain steps in a row that were taken back
    bent: int = 0  # visits before the next Newton step, after one that had to be cut
    careful: bool = False  # F may not rise any more, since it once rose for long
    search: Search | None = None  # for a Newton step, under way
    objective: float = np.inf
    measured: Certificate | None = None
    answer: Answer | None = None
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class EnvelopeSolver:
    """One problem's solve."""

    state_type: ClassVar[type[State]] = State

    settings: Envelope
    team: Team
    whitening: Whitening
    tol: float
    weights: Matrix  # where to begin
    dtype: str

    def start(self) -> State:
        """Visit the first point, so that there is an assignment from the beginning."""
        point = self.whitening.from_weights(self.weights)
        # A warm start may be as good as done: measure it at once.
        since = self.settings.check_every if self.weights.any() else 0
        state = State(point, point, self.weights, point, point, np.inf, (), (), 0, self.dtype,
                      plain=False, since_check=since)  # fmt: skip
        return self._visit(state)

    def step(self, state: State) -> State:
        """Visit the next point, or take one more product on the way to it."""
        state = replace(state, measured=None)
        return self._visit(state) if state.search is None else self._seek(state, state.search)

    def finished(self, state: State) -> Status | None:
        return state.status

    def objective(self, state: State) -> float:
        return state.objective

    def certificate(self, state: State) -> Certificate | None:
        return state.measured

    def conclude(self, state: State) -> Answer:
        """Certify what is returned: the best point, visited once more if it is not the last."""
        if state.answer is not None:
            return state.answer
        if state.energies and state.energies[-1] > state.best_energy:
            weights = self.whitening.to_weights(state.best)
            sums = self.team.run(Call(Work.PROJECT, weights, front=state.front, dtype=state.dtype))
            pull = self._pull(weights, sums.matrix)
            state = replace(state, base=state.best, pull=pull, front=1 - state.front)
        return self.measure(state)

    def measure(self, state: State) -> Answer:
        """Certify the current assignment in float64, whatever the loop computed in."""
        weights = self.whitening.to_weights(state.base + state.pull)
        return ridge_certificate(
            self.team, self.whitening, weights, front=state.front, tol=self.tol
        )

    def _visit(self, state: State) -> State:
        """Project at the next point; accept it or take it back."""
        most = self._most(state) if state.energies else np.inf
        found = self._look(state, most)
        state = replace(state, point=found.place.point)
        if found.energy > most or found.matrix is None:
            return self._take_back(state, found.energy)
        pull = self._pull(found.place.weights, found.matrix)
        state = replace(self._accept(state, found.energy, pull), weights=found.place.weights)
        if state.idle >= IDLE or self._due(state):
            state = self._check(state)
        if state.idle >= IDLE and state.status is None:
            return self._escalate(state)
        return state if state.status is not None else self._aim(state)

    def _look(self, state: State, most: float) -> Visit:
        """Visit the point, or one on the way to it that the secant likes better."""
        if not looks_twice(self.settings, self.team.desk.problem):
            return visit(self.team, self.whitening, state.point,
                         front=state.front, dtype=state.dtype)  # fmt: skip
        begin = Place(state.base, state.weights) if state.placed else None
        slope = None if state.plain else self._slope(state)
        return visit_along(self.team, self.whitening, begin, state.point, slope=slope,
                           most=most, front=state.front, dtype=state.dtype)  # fmt: skip

    def _pull(self, weights: Matrix, matrix: Matrix) -> Matrix:
        problem = self.team.desk.problem
        return self.whitening.whiten(matrix - problem.n_rows * problem.ridge * weights)

    def _slope(self, state: State) -> float:
        """Derivative of F at the base, towards the point."""
        return -float(np.sum(state.pull * (state.point - state.base)))

    def _most(self, state: State) -> float:
        """What F may be at the next point: a little below the last few, up to rounding."""
        last = state.energies[-1] if state.careful else max(state.energies)
        noise = ROUNDING[state.dtype] * abs(last) + self._residual_noise(last)
        return last + min(0.0, 1e-4 * self._slope(state)) + noise

    def _residual_noise(self, energy: float) -> float:
        """What rounding of XW next to Y leaves in ½‖Y − XW‖²: all that counts where F is tiny."""
        return 1e-15 * float(np.sqrt(2.0 * self.team.desk.problem.n_rows * abs(energy)))

    def _accept(self, state: State, energy: float, pull: Matrix) -> State:
        settings = self.settings
        history = (*state.history, (state.point, pull))[-(settings.memory + 1) :]
        least = min(IMPROVES[state.dtype], IMPROVES_ONWARD if state.placed else 1.0)
        improves = not state.energies or energy < state.best_energy - least * abs(state.best_energy)
        better = energy < state.best_energy
        state = replace(
            state, base=state.point, pull=pull, history=history, front=1 - state.front, cuts=0,
            placed=True,
            energies=(*state.energies, energy)[-WINDOW:],
            best=state.point if better else state.best,
            best_energy=min(energy, state.best_energy),
            idle=0 if improves else state.idle + 1,
            failures=0,
            bent=self._detour(state),
            objective=(energy - 0.5 * float(np.sum(pull * pull))) / self.team.desk.problem.n_rows,
        )  # fmt: skip
        return replace(state, since_check=state.since_check + 1, visits=state.visits + 1)

    def _aim(self, state: State) -> State:
        """Choose the next point from what is known."""
        if state.idle == IDLE - PATIENCE and state.energies[-1] > state.best_energy:
            return self._go_back(state)
        if state.idle >= IDLE - PATIENCE:
            return replace(state, point=state.base + state.pull, plain=True)
        if self._crawls(state) and not state.bent:
            return self._newton(state)
        point = ACCELERATIONS[self.settings.acceleration](state.history)
        return replace(state, point=point, plain=False)

    def _go_back(self, state: State) -> State:
        """Leave a way on which F rose, for the best point and plain steps."""
        return replace(
            state, point=state.best, base=state.best, pull=np.zeros_like(state.pull), history=(),
            energies=(state.best_energy,), plain=True, placed=False, careful=True,
        )  # fmt: skip

    def _crawls(self, state: State) -> bool:
        """Whether the last certificates hardly differ, though steps were accelerated."""
        customs = self.team.desk.problem.layout.custom
        return state.crawls and not any(custom is not None for custom in customs)

    def _detour(self, state: State) -> int:
        """How long to leave Newton steps alone: they lead nowhere where they must be cut."""
        if state.crawls and state.cuts > 1 and not state.bent:
            return DETOUR
        return max(0, state.bent - 1)

    def _newton(self, state: State) -> State:
        """Go on by a Newton step; a later cut falls back to the plain one as always."""
        most = 2 * state.pull.size if state.pull.size <= SMALL else SMALL // 8
        return replace(state, search=begin(state.pull, most=most))

    def _seek(self, state: State, search: Search) -> State:
        """Move the search for a Newton step on; take the step when it is found."""
        search = advance(self.team, self.whitening, search, front=state.front)
        if search.left > 0:
            return replace(state, search=search)
        step = search.step if search.step.any() else state.pull
        return replace(state, search=None, point=state.base + step, plain=False)

    def _due(self, state: State) -> bool:
        """Whether the gap of this assignment is likely below the tolerance, or long unseen."""
        # Without an exact L a certificate takes a dozen passes: look less often.
        patience = self.settings.check_every * (1 if self.whitening.exact else 8)
        if state.since_check >= patience:
            return True
        if state.since_check < 3:
            return False
        # The gap falls about as fast as ‖r‖ and a little faster; looking early costs little.
        likely = state.seen_gap * (float(np.linalg.norm(state.pull)) / state.seen_length) ** 1.5
        return bool(likely <= 1.5 * self.tol * abs(state.objective))

    def _take_back(self, state: State, energy: float) -> State:
        """Cut the step by the parabola through what is known; after two cuts go plain."""
        if state.plain:
            state = replace(state, failures=state.failures + 1)
            if state.failures >= PATIENCE:
                return self._escalate(state)
        if state.plain or state.cuts >= (MANY_CUTS if state.crawls else FEW_CUTS):
            return replace(state, point=state.base + state.pull, plain=True,
                           history=state.history[-1:])  # fmt: skip
        slope = self._slope(state)
        rise = energy - state.energies[-1] - slope
        cut = -0.5 * slope / rise if rise > 0.0 else 0.5
        point = state.base + float(np.clip(cut, 0.1, 0.5)) * (state.point - state.base)
        return replace(state, point=point, cuts=state.cuts + 1)

    def _escalate(self, state: State) -> State:
        """Float32 products have given what they can: go on in float64, or stop."""
        if state.dtype == "float64":
            return replace(state, status=Status.STALLED)
        return replace(state, dtype="float64", failures=0, idle=0, energies=(), history=(),
                       best_energy=np.inf, point=state.best, plain=False, placed=False)  # fmt: skip

    def _check(self, state: State) -> State:
        """Measure the gap of the current assignment; verify it if it seems to be met."""
        state = replace(state, since_check=0)
        if not self.whitening.exact:
            return self._verify(state)  # V + r is no ridge solution where L is only near
        weights = self.whitening.to_weights(state.base + state.pull)
        sums = self.team.run(Call(Work.GAP, weights, state.front, state.dtype))
        distance = sums.gap / self.team.desk.problem.n_rows
        found = Certificate(state.objective, state.objective - distance)
        return self._verify(state) if found.gap <= self.tol else self._note(state, found)

    def _verify(self, state: State) -> State:
        answer = self.measure(state)
        state = self._note(state, answer.certificate)
        if answer.certificate.gap <= self.tol:
            return replace(state, answer=answer, status=Status.TOLERANCE)
        return state

    def _note(self, state: State, found: Certificate) -> State:
        """Record a certificate, and how the gap goes with ‖r‖."""
        length = max(float(np.linalg.norm(state.pull)), 1e-300)
        distance = found.gap * abs(found.objective)
        state = replace(state, measured=found, seen_gap=distance, seen_length=length)
        if state.visits < STRETCH:
            return state
        slow = state.slow + 1 if distance > 0.5 * state.last_distance else 0
        # Once Newton steps have begun they go on: what made them needed does not pass.
        crawls = state.crawls or slow >= (3 if state.pull.size <= SMALL else 8)
        return replace(state, slow=slow, crawls=crawls, last_distance=distance, visits=0)
