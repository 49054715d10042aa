"""Projection by an interior point: the fallback where Newton on the multipliers does not end.

With dozens of quotas on few rows, many of them redundant or at their limit, the dual that
`kernels.quotas` climbs is flat in some directions and steep in others. Here the primal is solved
beside it (Mehrotra's predictor and corrector), which such shapes hardly disturb:

    min h/2 ‖y − c‖²   s.t.  Ay = 1,  By + Rμ − s = b,  y, s, μ >= 0  (s = 0, μ free for equal)

Letters: y the open entries of a component's rows, c the points, A row sums, B quotas (at most
with its sign turned), μ their multipliers, R = 1/price (0 when hard: slack costs μ²R/2), s what
is above the bound, z the multipliers of y >= 0, h = 1/size of c.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve
from scipy.sparse import csr_matrix, diags

from callsheet.optim.layout import AT_MOST, EQUAL, Layout, Tables
from callsheet.optim.lp import demands

Floats = NDArray[np.float64]
MOST_STEPS = 120
EXACT = 1e-14
SHARE = 0.995
"""How far towards the boundary a step goes."""


@dataclass(frozen=True, slots=True)
class Program:
    """One component's projection."""

    points: Floats
    sums: csr_matrix
    quotas: csr_matrix
    bound: Floats
    relief: Floats
    equal: NDArray[np.bool_]
    weight: float


@dataclass(slots=True)
class Point:
    """Primal and dual variables, or a step of them."""

    y: Floats
    z: Floats
    tau: Floats
    mu: Floats
    s: Floats

    def moved(self, step: Point, primal: float, dual: float) -> Point:
        return Point(self.y + primal * step.y, self.z + dual * step.z, self.tau + dual * step.tau,
                     self.mu + dual * step.mu, self.s + primal * step.s)  # fmt: skip


@dataclass(slots=True)
class Residuals:
    """What is left of each equation."""

    dual: Floats
    rows: Floats
    quotas: Floats
    size: Floats  # of each quota
    gap: float

    @property
    def worst(self) -> float:
        parts = (self.dual, self.rows, self.quotas / self.size, np.array([self.gap]))
        return float(np.abs(np.concatenate(parts)).max())


@dataclass(frozen=True, slots=True)
class Found:
    """The nearest rows, the multipliers of their quotas, and how far hard quotas are missed."""

    rows: Floats
    multipliers: Floats
    left: float


def project_component(
    points: Floats, layout: Layout, places: NDArray[np.int64], quotas: slice
) -> Found:
    """Project the rows of one component; `points` are those of its `places`."""
    allowed, tables = layout.allowed[places], layout.every
    row, label = np.nonzero(allowed)
    variable = np.full(allowed.shape, -1)
    variable[row, label] = np.arange(row.size)
    lifted = points - np.where(allowed, points, -np.inf).max(axis=1, keepdims=True)
    size = _size(lifted[row, label], tables, quotas)
    kind = tables.kind[quotas]
    sign = np.where(kind == AT_MOST, -1.0, 1.0)
    numbers = np.arange(quotas.start, quotas.stop)
    program = Program(
        points=lifted[row, label],
        sums=csr_matrix((np.ones(row.size), (row, np.arange(row.size)))),
        quotas=csr_matrix(diags(sign) @ demands(places, numbers, tables, variable, row.size)),
        bound=sign * tables.bound[quotas],
        relief=size / tables.price[quotas],
        equal=kind == EQUAL,
        weight=1.0 / size,
    )
    best = _solve(program)
    rows, clean = np.zeros_like(points), np.zeros_like(points)
    rows[row, label] = best.y
    # Of each pair y z = 0 the smaller one is the zero.
    clean[row, label] = np.where(best.y > best.z, best.y, 0.0)
    rows = np.where(clean.any(axis=1, keepdims=True), clean, rows)
    rows /= rows.sum(axis=1, keepdims=True)
    return Found(rows, best.mu * size, _missed(program, rows[row, label]))


def _size(points: Floats, tables: Tables, quotas: slice) -> float:
    """What to divide the objective by, so that its gradient is about one."""
    price = tables.price[quotas]
    soft = np.isfinite(price)
    pulls = price[soft] * np.maximum(1.0, np.abs(tables.bound[quotas][soft]))
    return max(1.0, float(np.abs(points).max()), float(pulls.max(initial=0.0)))


def _missed(program: Program, entries: Floats) -> float:
    """Largest miss of a hard quota, relative to its bound."""
    hard = program.relief == 0.0
    above = (program.quotas @ entries - program.bound)[hard]
    missed = np.where(program.equal[hard], np.abs(above), -above)
    return float(np.max(missed / np.maximum(1.0, np.abs(program.bound[hard])), initial=0.0))


def _solve(program: Program) -> Point:
    """Step until nothing improves any more; return the best point."""
    best = point = _first(program)
    least = np.inf
    for _ in range(MOST_STEPS):
        left = _residuals(program, point)
        if left.worst < least:
            best, least = point, left.worst
        if least <= EXACT or left.gap <= 1e-40:
            break
        try:
            point = _advance(program, point, left)
        except (np.linalg.LinAlgError, ValueError):
            break  # numbers ran out; the best point was seen before
    return best


def _first(program: Program) -> Point:
    """Even shares; multipliers as large as the pull of points and missed soft quotas."""
    count = np.asarray(program.sums.sum(axis=1)).ravel()
    y = np.asarray(program.sums.T @ (1.0 / count))
    above = program.quotas @ y - program.bound
    soft = program.relief > 0.0
    mu = np.zeros(above.size)
    mu[soft] = -above[soft] / program.relief[soft]
    mu = np.where(program.equal, mu, np.maximum(mu, 1.0 / (1.0 + program.relief)))
    s = np.where(program.equal, 0.0, np.maximum(above + program.relief * mu, 1.0))
    pull = program.weight * (y - program.points) - program.quotas.T @ mu
    z = np.full(y.size, 1.0 + float(np.abs(pull).max()))
    return Point(y, z, np.zeros(count.size), mu, s)


def _residuals(program: Program, at: Point) -> Residuals:
    dual = (program.weight * (at.y - program.points) - program.sums.T @ at.tau
            - program.quotas.T @ at.mu - at.z)  # fmt: skip
    rows = program.sums @ at.y - 1.0
    quotas = program.quotas @ at.y + program.relief * at.mu - program.bound - at.s
    size = np.maximum(1.0, np.abs(program.bound))
    pairs = at.y.size + int((~program.equal).sum())
    return Residuals(dual, rows, quotas, size, float(at.y @ at.z + at.s @ at.mu) / pairs)


def _advance(program: Program, at: Point, left: Residuals) -> Point:
    """Predict, correct, and step as far as all stay positive."""
    factors = _Factors(program, at)
    guess = factors.step(at, left, -at.y * at.z, -at.s * at.mu)
    ahead = at.moved(guess, *_lengths(program, at, guess, 1.0))
    pairs = at.y.size + int((~program.equal).sum())
    expected = float(ahead.y @ ahead.z + ahead.s @ ahead.mu) / pairs
    centre = left.gap * (expected / left.gap) ** 3 if left.gap > 0.0 else 0.0
    step = factors.step(at, left, centre - at.y * at.z - guess.y * guess.z,
                        centre - at.s * at.mu - guess.s * guess.mu)  # fmt: skip
    return at.moved(step, *_lengths(program, at, step, SHARE))


def _lengths(program: Program, at: Point, step: Point, share: float) -> tuple[float, float]:
    """How far to go; one length for both, which the quadratic terms need."""
    open_ = ~program.equal
    length = min(
        1.0,
        share * _room(at.y, step.y),
        share * _room(at.s[open_], step.s[open_]),
        share * _room(at.z, step.z),
        share * _room(at.mu[open_], step.mu[open_]),
    )
    return length, length


def _room(values: Floats, step: Floats) -> float:
    falling = step < 0.0
    return float(np.min(-values[falling] / step[falling], initial=np.inf))


class _Factors:
    """The linear system of a step: entries and rows come off, one matrix of quotas is left."""

    def __init__(self, program: Program, at: Point) -> None:
        self.program = program
        self.give = 1.0 / (program.weight + at.z / at.y)
        self.per_row = program.sums @ self.give
        weighted = csr_matrix(program.quotas @ diags(self.give))
        self.weighted = weighted
        self.links = csr_matrix(weighted @ program.sums.T)
        schur = weighted @ program.quotas.T - self.links @ diags(1.0 / self.per_row) @ self.links.T
        loose = np.where(program.equal, 0.0, at.s / np.where(program.equal, 1.0, at.mu))
        whole = schur.toarray() + np.diag(program.relief + loose)
        # Soft and hard quotas differ by many orders: equilibrate first.
        self.scale = 1.0 / np.sqrt(np.maximum(np.diag(whole), 1e-300))
        self.schur = whole * np.outer(self.scale, self.scale)
        self.factor = _cholesky(self.schur)

    def _multipliers(self, right: Floats) -> Floats:
        """Solve for μ; two refinements take out what firming put in."""
        scaled = self.scale * right
        mu = cho_solve(self.factor, scaled)
        for _ in range(2):
            mu += cho_solve(self.factor, scaled - self.schur @ mu)
        solution: Floats = self.scale * mu
        return solution

    def step(self, at: Point, left: Residuals, pair: Floats, spare: Floats) -> Point:
        """Solve for the step that leaves `pair` and `spare` of the complementarity."""
        program = self.program
        push = pair / at.y - left.dual
        rows = -left.rows - program.sums @ (self.give * push)
        by_mu = np.where(program.equal, 0.0, spare / np.where(program.equal, 1.0, at.mu))
        right = (by_mu - left.quotas - self.weighted @ push
                 - self.links @ (rows / self.per_row))  # fmt: skip
        mu = self._multipliers(right)
        tau = (rows - self.links.T @ mu) / self.per_row
        y = self.give * (program.sums.T @ tau + program.quotas.T @ mu + push)
        z = (pair - at.z * y) / at.y
        loose = np.where(program.equal, 0.0, at.s / np.where(program.equal, 1.0, at.mu))
        s = by_mu - loose * mu
        return Point(y, z, tau, mu, s)


def _cholesky(matrix: Floats) -> tuple[Floats, bool]:
    """Factor a matrix with a unit diagonal; redundant quotas make it singular: firm it up."""
    for damping in (1e-14, 1e-12, 1e-10, 1e-8):
        try:
            factor: tuple[Floats, bool] = cho_factor(matrix + damping * np.eye(len(matrix)))
        except np.linalg.LinAlgError:
            continue
        return factor
    raise np.linalg.LinAlgError("the quotas' matrix could not be factored")
