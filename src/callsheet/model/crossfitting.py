"""Scores of each row by a classifier learned without that row's neighbourhood.

The classifier of all rows has seen every row's own assignment, so its score repeats what the
bags demanded of that row. Leaving the row's fold out tells what the *other* tracks say about it:
the honest opinion, used for ranking, margins and calibration.

X: features (N, d) with a constant column, Y: assignment (N, K), λ: ridge. With G = XᵀX and
C = XᵀY summed over all rows, the classifier without fold f is (G − G_f + N_f' λI)⁻¹ (C − C_f).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

Array = NDArray[Any]
CHUNK = 8192
KEPT = 2**30  # bytes of the folds' grams that may be held at once


def crossfit_scores(
    features: Any, assignment: Array, folds: Sequence[Array], *, ridge: float, bias: float
) -> Array:
    """Scores (N, K); `folds` are row numbers, each row in one of them."""
    moments = _FoldMoments(features, assignment, folds, bias)
    gram, cross = moments.total()
    total = sum(len(rows) for rows in folds)
    scores = np.zeros((len(assignment), assignment.shape[1]))
    for fold, rows in enumerate(folds):
        own_gram, own_cross = moments.of(fold)
        others = total - len(rows)
        system = np.subtract(gram, own_gram, out=own_gram)
        weights = _solve_in_place(system, cross - own_cross, max(others, 1) * ridge)
        del own_gram, system
        for part in _chunks(rows):
            scores[part] = with_constant(_rows(features, part), bias) @ weights
    return scores


def fit_ridge(features: Any, assignment: Array, *, ridge: float, bias: float) -> Array:
    """Weights (d + 1, K) of the ridge classifier of all rows."""
    gram, cross = _moments(features, assignment, np.arange(len(assignment)), bias)
    return _solve_in_place(gram, cross, len(assignment) * ridge)


def solve_ridge(gram: Array, cross: Array, penalty: float) -> Array:
    """(gram + penalty I)⁻¹ cross, in 64 bits."""
    return _solve_in_place(gram.astype(float), cross, penalty)


def _solve_in_place(system: Array, cross: Array, penalty: float) -> Array:
    """The same; `system` (gram) is overwritten."""
    system[np.diag_indices_from(system)] += penalty
    # LAPACK wants columns first: the transpose, the same matrix, is factored without a copy.
    solved: Array = cho_solve(cho_factor(system.T, lower=True, overwrite_a=True), cross)
    return solved


class _FoldMoments:
    """XᵀX and XᵀY of every fold: kept where they are small, computed again where they are not.

    One gram of 14,000 columns takes 1.6 GB: of such there are never more than the total and a fold.
    """

    def __init__(
        self, features: Any, assignment: Array, folds: Sequence[Array], bias: float
    ) -> None:
        self._source = features, assignment
        self._folds, self._bias = folds, bias
        width = features.shape[1] + (bias != 0)
        self._keeps = 8 * width * width * len(folds) <= KEPT
        self._kept: dict[int, tuple[Array, Array]] = {}

    def total(self) -> tuple[Array, Array]:
        features, assignment = self._source
        width = features.shape[1] + (self._bias != 0)
        gram, cross = np.zeros((width, width)), np.zeros((width, assignment.shape[1]))
        for fold in range(len(self._folds)):
            own_gram, own_cross = self._visit(fold)
            gram += own_gram
            cross += own_cross
            del own_gram  # before the next one is made
        return gram, cross

    def of(self, fold: int) -> tuple[Array, Array]:
        """The caller may overwrite them, and asks for each fold once."""
        return self._kept.pop(fold, None) or self._compute(fold)

    def _visit(self, fold: int) -> tuple[Array, Array]:
        found = self._compute(fold)
        if self._keeps:
            self._kept[fold] = found
        return found

    def _compute(self, fold: int) -> tuple[Array, Array]:
        return _moments(*self._source, self._folds[fold], self._bias)


def time_folds(times: Array, folds: int) -> list[Array]:
    """Rows in `folds` runs of time, so that tracks of one scene, alike, stay together."""
    order = np.argsort(times, kind="stable")
    return [part for part in np.array_split(order, folds) if len(part)]


def with_constant(rows: Array, bias: float) -> Array:
    """Rows in 32 bits or more, with the constant column if there is one."""
    kind = np.result_type(rows.dtype, np.float32)
    if not bias:
        return np.asarray(rows, kind)
    return np.concatenate([rows.astype(kind), np.full((len(rows), 1), bias, kind)], axis=1)


def _moments(features: Any, assignment: Array, rows: Array, bias: float) -> tuple[Array, Array]:
    width = features.shape[1] + (bias != 0)
    gram, cross = np.zeros((width, width)), np.zeros((width, assignment.shape[1]))
    for part in _chunks(rows):
        block = with_constant(_rows(features, part), bias)
        gram += block.T @ block
        cross += block.T @ assignment[part].astype(block.dtype)
    return gram, cross


def _chunks(rows: Array) -> list[Array]:
    return np.array_split(rows, -(-len(rows) // CHUNK)) if len(rows) else []


def _rows(features: Any, rows: Array) -> Array:
    """Rows by number; runs of neighbours are read as slices, which is all a source must know."""
    if isinstance(features, np.ndarray):
        return features[rows]
    breaks = np.flatnonzero(np.diff(rows) != 1) + 1
    runs = np.split(rows, breaks)
    return np.concatenate([features[int(run[0]) : int(run[-1]) + 1] for run in runs])
