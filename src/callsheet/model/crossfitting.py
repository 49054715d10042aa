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


def crossfit_scores(
    features: Any, assignment: Array, folds: Sequence[Array], *, ridge: float, bias: float
) -> Array:
    """Scores (N, K); `folds` are row numbers, each row in one of them."""
    moments = [_moments(features, assignment, rows, bias) for rows in folds]
    gram = np.sum([m[0] for m in moments], axis=0)
    cross = np.sum([m[1] for m in moments], axis=0)
    total = sum(len(rows) for rows in folds)
    scores = np.zeros((len(assignment), assignment.shape[1]))
    for rows, (own_gram, own_cross) in zip(folds, moments, strict=True):
        others = total - len(rows)
        weights = solve_ridge(gram - own_gram, cross - own_cross, max(others, 1) * ridge)
        for part in _chunks(rows):
            scores[part] = with_constant(_rows(features, part), bias) @ weights
    return scores


def solve_ridge(gram: Array, cross: Array, penalty: float) -> Array:
    """(gram + penalty I)⁻¹ cross, in 64 bits."""
    system = gram.copy()
    system[np.diag_indices_from(system)] += penalty
    solved: Array = cho_solve(cho_factor(system, lower=True, overwrite_a=True), cross)
    return solved


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
