"""Regularised canonical correlation between clips and sentences: the paper's retrieval baseline.

U, V maximise the correlation of U ᵀx and Vᵀy; a sentence finds the clips whose projections have
the largest cosine with its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, solve_triangular, svd

from callsheet.errors import EngineError

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Correlation:
    """Directions of both sides and their correlations, the largest first."""

    left: Array  # (d, r)
    right: Array  # (e, r)
    correlations: Array  # (r,)
    _left_mean: Array
    _right_mean: Array

    def similarity(self, sentences: Array, clips: Array) -> Array:
        """Cosine (sentences, clips) of the projections, weighted by the correlations."""
        a = (sentences - self._right_mean) @ self.right * self.correlations
        b = (clips - self._left_mean) @ self.left * self.correlations
        cosines: Array = _unit(a) @ _unit(b).T
        return cosines


def correlate(clips: Array, sentences: Array, *, ridge: float, rank: int) -> Correlation:
    """Fit on pairs of rows; `ridge` is added to both covariances."""
    if len(clips) != len(sentences):
        raise EngineError(f"need pairs, got {len(clips)} clips and {len(sentences)} sentences")
    left_mean, right_mean = clips.mean(axis=0), sentences.mean(axis=0)
    x, y = clips - left_mean, sentences - right_mean
    root_x, root_y = (_root(side, ridge) for side in (x, y))
    between = solve_triangular(root_x, x.T @ y / len(x), lower=True)
    between = solve_triangular(root_y, between.T, lower=True).T
    u, s, vt = svd(between, full_matrices=False)
    left = solve_triangular(root_x.T, u[:, :rank])
    right = solve_triangular(root_y.T, vt[:rank].T)
    return Correlation(left, right, s[:rank], left_mean, right_mean)


def _root(side: Array, ridge: float) -> Array:
    covariance = side.T @ side / len(side) + ridge * np.eye(side.shape[1])
    root: Array = cholesky(covariance, lower=True)
    return root


def _unit(rows: Array) -> Array:
    unit: Array = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return unit
