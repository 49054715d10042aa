"""Visits of points in classifier space: the nearest assignment there, F and XᵀR.

A visit costs one pass, and nearly all of that are the products. Between the last point and a new
one XW is a straight line, C₀ + t (C₁ − C₀), so F and its slope at any t ask for a projection only.
`visit_along` uses that: where the slope at the new point is not small yet, it goes to where the
secant says that it vanishes. That saves passes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from callsheet.optim.certificate import value
from callsheet.optim.desk import Call, Work, from_outside
from callsheet.optim.problem import Problem
from callsheet.optim.team import Team
from callsheet.optim.whitening import Whitening

Matrix = NDArray[np.float64]
SMALL_SLOPE = 0.3
"""Of the slope at the last point: a step that leaves no more is taken as it is."""
LEAST, MOST = 0.1, 4.0
"""What a step is multiplied with."""


@dataclass(frozen=True, slots=True)
class Place:
    """A point V and its W = L⁻ᵀV."""

    point: Matrix
    weights: Matrix


@dataclass(frozen=True, slots=True)
class Visit:
    """A place, N F there, and XᵀR for the assignment nearest to XW.

    No XᵀR where F is more than it may be.
    """

    place: Place
    energy: float
    matrix: Matrix | None


def can_look_twice(problem: Problem) -> bool:
    """Whether a second look is cheap: features are not read again for XᵀR, blocks are ours."""
    return not from_outside(problem) and all(custom is None for custom in problem.layout.custom)


def visit(team: Team, whitening: Whitening, point: Matrix, *, front: int, dtype: str) -> Visit:
    """Visit a point as it is, reading the features once."""
    weights = whitening.to_weights(point)
    sums = team.run(Call(Work.PROJECT, weights, front, dtype))
    return Visit(Place(point, weights), value(team.desk.problem, weights, sums), sums.matrix)


def visit_along(
    team: Team, whitening: Whitening, begin: Place | None, end: Matrix, *, slope: float | None,
    most: float, front: int, dtype: str,
) -> Visit:  # fmt: skip
    """Visit the end of a step, or another point on its line.

    `begin`: where the step begins, if the last visit kept C there (None: it did not). `slope`:
    derivative of N F there, towards the end (None: visit the end). `most`: what N F may be.
    """
    weights = whitening.to_weights(end)
    # Products of the step alone: near the end they are small, and so is what float32 rounds off.
    bare = weights if begin is None else weights - begin.weights
    sums = team.run(Call(Work.APPROACH, bare, front, dtype, onward=begin is not None))
    if slope is not None and begin is not None:
        share = _share(slope, sums.slope + _ridge_slope(team.desk.problem, begin.weights, weights))
        if share != 1.0:
            end = begin.point + share * (end - begin.point)
            weights = begin.weights + share * (weights - begin.weights)
            sums = team.run(Call(Work.BLEND, None, front, dtype, share))
    energy = value(team.desk.problem, weights, sums)
    back = team.run(Call(Work.RETURN, None, front, dtype)).matrix if energy <= most else None
    return Visit(Place(end, weights), energy, back)


def _ridge_slope(problem: Problem, before: Matrix, weights: Matrix) -> float:
    return problem.n_rows * problem.ridge * float(np.sum(weights * (weights - before)))


def _share(before: float, after: float) -> float:
    """Where the slope vanishes, as the secant through both ends says."""
    if abs(after) <= SMALL_SLOPE * abs(before):
        return 1.0
    if after <= before:
        return MOST  # F is convex: that is rounding, or a line all the way
    return float(np.clip(before / (before - after), LEAST, MOST))
