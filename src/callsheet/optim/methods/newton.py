"""A semismooth Newton step in classifier space, for where first-order steps crawl.

F is piecewise quadratic. Where labels can be met almost without loss, its curvature runs from 1
down to λ, and extrapolation takes thousands of visits. The step p of (F″) p = r is found by
conjugate gradients; each of their products F″ u = u − X̃ᵀ J X̃ u costs a pass (J: the
projection's derivative), so this is worth it only when passes are cheap or nothing else helps.
A search may take hundreds of passes: it is a state of its own, moved on by one product at a
time, so that limits, observers, Ctrl-C and checkpoints come between any two.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from callsheet.optim.desk import Call, Work
from callsheet.optim.team import Team
from callsheet.optim.whitening import Whitening

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Search:
    """Conjugate gradients under way: `step` is p so far, `left` how many products may follow."""

    step: Matrix
    direction: Matrix
    residual: Matrix
    rho: float
    goal: float
    left: int


def begin(pull: Matrix, *, most: int) -> Search:
    """Set out to solve F″ p = r to a thousandth of r, or as far as `most` products allow."""
    residual = pull.copy()
    rho = float(np.sum(residual * residual))
    return Search(np.zeros_like(pull), residual, residual, rho, 1e-6 * rho, most)


def advance(team: Team, whitening: Whitening, search: Search, *, front: int) -> Search:
    """Take one product."""
    direction, rho = search.direction, search.rho
    image = _curve(team, whitening, direction, front)
    bend = float(np.sum(direction * image))
    if bend <= 1e-16 * float(np.sum(direction * direction)):
        return replace(search, left=0)
    step = search.step.copy(order="K")  # sums run in the order of memory, so it is part of the bits
    step += (rho / bend) * direction
    residual = search.residual - (rho / bend) * image
    new_rho = float(np.sum(residual * residual))
    if new_rho <= search.goal:
        return replace(search, step=step, left=0)
    direction = residual + (new_rho / rho) * direction
    return Search(step, direction, residual, new_rho, search.goal, search.left - 1)


def _curve(team: Team, whitening: Whitening, direction: Matrix, front: int) -> Matrix:
    """F″ u, exactly in float64."""
    problem = team.desk.problem
    along = whitening.to_weights(direction)
    sums = team.run(Call(Work.BEND, along, front=front))
    return whitening.whiten(problem.n_rows * problem.ridge * along - sums.matrix)
