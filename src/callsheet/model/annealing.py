"""Rounding by annealing: from a relaxed assignment to a decision, without leaving the quotas.

The relaxation is convex, so where labels are exchangeable it spreads them thinly. Annealing
sharpens it in rounds. Each round asks the ridge classifier what it says of every row *when
that row's own assignment is left out* (a row must not confirm itself), stretches these scores
by β and projects them back onto the set of allowed assignments:

    F = leave-one-out scores of Y          Y ← Π(β F + opinion(Y)),   β from `first` to `last`

Π is the Euclidean projection onto simplex rows with candidate sets, or of a whole block with
bags, background and pins: the engine's. As β grows, Π(βF) tends to the vertex of the linear
oracle, so the last rounds are decisions that keep every quota.

H = X (XᵀX + λI)⁻¹ Xᵀ: hat matrix, h its diagonal; leave-one-out scores (H Y − h Y) / (1 − h).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, cholesky, solve_triangular

from callsheet.errors import SettingsError

Array = NDArray[Any]
Project = Callable[[Array], Array]
Opinion = Callable[[Array], Array]

_LEAST_OTHERS = 1e-9
"""A row that the others cannot speak of at all (h = 1) keeps a finite score."""

_LEAST_SHARE = 1e-3
"""A label that hardly anybody carries weighs no more than this share would."""


@dataclass(frozen=True, slots=True)
class AnnealingSettings:
    """How relaxed labels are sharpened."""

    rounds: int = 30  # refits
    first: float = 1.0  # β of the first round; scores are about 0 to 1
    last: float = 5.0  # β of the last round

    def __post_init__(self) -> None:
        if self.rounds < 1:
            raise SettingsError(f"rounds must be at least 1, got {self.rounds}")
        if not 0 < self.first <= self.last:
            raise SettingsError(f"need 0 < first <= last, got {self.first} and {self.last}")

    def sharpness(self, turn: int) -> float:
        """β of a round: grows by the same factor each time."""
        share = turn / (self.rounds - 1) if self.rounds > 1 else 1.0
        return float(self.first * (self.last / self.first) ** share)


class Smoother(Protocol):
    """Scores of every row by a classifier of the other rows."""

    def left_out(self, assignment: Array) -> Array: ...


class KernelRidge:
    """Ridge regression on a kernel (N × N), with closed-form leave-one-out scores.

    With R = (K + λI)⁻¹ the score of row n without itself is Y_n − (R Y)_n / R_nn.
    """

    def __init__(self, kernel: Array, ridge: float) -> None:
        system = kernel + ridge * np.eye(len(kernel))
        self._inverse = cho_solve(cho_factor(system, lower=True), np.eye(len(kernel)))
        self._own = np.diag(self._inverse)[:, None]

    def left_out(self, assignment: Array) -> Array:
        scores: Array = assignment - (self._inverse @ assignment) / self._own
        return scores

    def dual(self, assignment: Array) -> Array:
        """Coefficients A (N, K): a new row's scores are its kernel with these rows times A."""
        coefficients: Array = self._inverse @ assignment
        return coefficients


class FeatureRidge:
    """The same on explicit features (N × d), for N too large for a kernel matrix."""

    def __init__(self, features: Array, ridge: float) -> None:
        self._features = np.asarray(features, float)
        gram = self._features.T @ self._features + ridge * np.eye(self._features.shape[1])
        self._solve = cho_factor(gram, lower=True)
        spread = cho_solve(self._solve, self._features.T)
        self._own = np.einsum("nd,dn->n", self._features, spread)[:, None]

    def left_out(self, assignment: Array) -> Array:
        fitted = self._features @ self.weights(assignment)
        others = np.maximum(1 - self._own, _LEAST_OTHERS)
        scores: Array = (fitted - self._own * assignment) / others
        return scores

    def weights(self, assignment: Array) -> Array:
        """W (d, K) of the ridge classifier."""
        solved: Array = cho_solve(self._solve, self._features.T @ assignment)
        return solved


class BalancedRidge:
    """Ridge regression in which every label weighs the same, however few rows carry it.

    Plain least squares pulls rare labels towards the frequent ones. Row n weighs Σ_k Y_nk / π_k,
    π the labels' present shares, so its weight follows the assignment. With fewer rows than
    columns, the features are first turned into as many columns as rows (the same inner products).
    """

    def __init__(self, features: Array, ridge: float) -> None:
        self._features = np.asarray(features, float)
        if features.shape[1] > len(features):
            _, triangle = np.linalg.qr(self._features.T)
            self._features = triangle.T
        self._ridge = ridge

    def left_out(self, assignment: Array) -> Array:
        rows = self._features
        weights = _balance(assignment)[:, None]
        heavy = np.sqrt(weights) * rows
        gram = heavy.T @ heavy  # of one matrix with itself: half the work
        gram[np.diag_indices_from(gram)] += self._ridge
        lower = cholesky(gram, lower=True, overwrite_a=True)
        # xᵀ(LLᵀ)⁻¹x = ‖L⁻¹x‖²: no inverse is made.
        half = solve_triangular(lower, heavy.T, lower=True, overwrite_b=True)
        own = np.einsum("dn,dn->n", half, half)[:, None]
        fitted = rows @ cho_solve((lower, True), rows.T @ (weights * assignment))
        scores: Array = (fitted - own * assignment) / np.maximum(1 - own, _LEAST_OTHERS)
        return scores


def _balance(assignment: Array) -> Array:
    """Weight of each row, one on average."""
    weights = (assignment / (assignment.mean(axis=0) + _LEAST_SHARE)).sum(axis=1)
    balanced: Array = weights / weights.mean()
    return balanced


def anneal(
    start: Array,
    smoother: Smoother,
    project: Project,
    *,
    settings: AnnealingSettings | None = None,
    opinion: Opinion | None = None,
) -> Array:
    """Sharpen an assignment (N, K) in rounds; `project` maps points to allowed assignments.

    `opinion(Y)` may add what else is known of each row and label, in units of sharpened scores.
    """
    settings = settings or AnnealingSettings()
    assignment = start
    for turn in range(settings.rounds):
        point = settings.sharpness(turn) * smoother.left_out(assignment)
        if opinion is not None:
            point = point + opinion(assignment)
        assignment = project(point)
    return assignment


def project_candidates(point: Array, candidates: NDArray[np.bool_]) -> Array:
    """Nearest point whose rows lie on the simplex of their candidate labels."""
    masked = np.where(candidates, point, -np.inf)
    ranked = -np.sort(-masked, axis=1)
    sums = np.cumsum(np.where(np.isfinite(ranked), ranked, 0.0), axis=1) - 1
    counts = np.arange(1, point.shape[1] + 1)
    support = np.isfinite(ranked) & (ranked * counts > sums)
    size = support.sum(axis=1)
    threshold = sums[np.arange(len(point)), size - 1] / size
    projected: Array = np.maximum(masked - threshold[:, None], 0.0)
    return projected
