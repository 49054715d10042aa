"""Anderson mixing: extrapolate a fixed-point iteration V ← V + r(V) from its last few visits."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
History: TypeAlias = tuple[tuple[Matrix, Matrix], ...]
"""Visits (V, r), oldest first."""


def extrapolate(history: History) -> Matrix:
    """Return Σ θ (V + r), Σ θ = 1, with θ that makes ‖Σ θ r‖ least."""
    point, pull = history[-1]
    if len(history) == 1:
        return point + pull
    pulls = np.stack([r.ravel() for _, r in history])
    points = np.stack([v.ravel() for v, _ in history])
    turns = np.diff(pulls, axis=0)
    moves = np.diff(points, axis=0)
    share = _least_squares(turns, pulls[-1])
    step: Matrix = pulls[-1] - share @ (moves + turns)
    return point + step.reshape(point.shape)


def _least_squares(turns: Matrix, pull: Matrix) -> Matrix:
    """Solve min ‖pull − turnsᵀ share‖, damped where the turns hardly differ."""
    square = turns @ turns.T
    scale = np.sqrt(np.maximum(np.diag(square), 1e-300))
    square = square / np.outer(scale, scale)
    square[np.diag_indices_from(square)] += 1e-10
    share: Matrix = np.linalg.solve(square, (turns @ pull) / scale) / scale
    return share
