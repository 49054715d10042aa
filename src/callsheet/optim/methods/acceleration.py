"""Where to go next in classifier space, from the last few visits (V, r), r = −∇F(V).

Anderson mixing extrapolates the fixed-point iteration V ← V + r; L-BFGS models the curvature
of F from the same differences. Neither needs more than the visits, so one history serves both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
History: TypeAlias = tuple[tuple[Matrix, Matrix], ...]
"""Visits (V, r), oldest first."""


def anderson(history: History) -> Matrix:
    """Return Σ θ (V + r), Σ θ = 1, with θ that makes ‖Σ θ r‖ least."""
    point, pull = history[-1]
    if len(history) == 1:
        return point + pull
    moves, turns = _differences(history)
    share = mixture([r for _, r in history])
    step: Matrix = pull.ravel() - share @ (moves + turns)
    return point + step.reshape(point.shape)


def lbfgs(history: History) -> Matrix:
    """Return V + H r, H the inverse curvature that the differences suggest (two loops)."""
    point, pull = history[-1]
    if len(history) == 1:
        return point + pull
    moves, turns = _differences(history)
    pairs = [(s, -t, 1.0 / float(s @ -t)) for s, t in zip(moves, turns, strict=True)
             if float(s @ -t) > 1e-12 * np.linalg.norm(s) * np.linalg.norm(t)]  # fmt: skip
    if not pairs:
        return point + pull
    step = pull.ravel().copy()
    shares = []
    for s, y, rho in reversed(pairs):
        shares.append(rho * float(s @ step))
        step -= shares[-1] * y
    s, y, rho = pairs[-1]
    step /= rho * float(y @ y)
    for (s, y, rho), share in zip(pairs, reversed(shares), strict=True):
        step += (share - rho * float(y @ step)) * s
    return point + step.reshape(point.shape)


def plain(history: History) -> Matrix:
    """Return V + r: alternating minimisation as it is."""
    point, pull = history[-1]
    return point + pull


ACCELERATIONS = {"lbfgs": lbfgs, "anderson": anderson, "none": plain}


def _differences(history: History) -> tuple[Matrix, Matrix]:
    points = np.stack([v.ravel() for v, _ in history])
    pulls = np.stack([r.ravel() for _, r in history])
    return np.diff(points, axis=0), np.diff(pulls, axis=0)


def mixture(pulls: Sequence[Matrix]) -> Matrix:
    """Solve min ‖r − Σ share Δr‖ for the shares, damped where the Δr hardly differ."""
    if len(pulls) == 1:
        return np.zeros(0)
    flat = np.stack([pull.ravel() for pull in pulls])
    turns, pull = np.diff(flat, axis=0), flat[-1]
    square = turns @ turns.T
    scale = np.sqrt(np.maximum(np.diag(square), 1e-300))
    square = square / np.outer(scale, scale)
    square[np.diag_indices_from(square)] += 1e-10
    share: Matrix = np.linalg.solve(square, (turns @ pull) / scale) / scale
    return share
