"""A semismooth Newton step in classifier space, for where first-order steps crawl.

F is piecewise quadratic. Where labels can be met almost without loss, its curvature runs from 1
down to λ, and extrapolation takes thousands of visits. The step p of (F″) p = r is found by
conjugate gradients; each of their products F″ u = u − X̃ᵀ J X̃ u costs a pass (J: the
projection's derivative), so this is worth it only when passes are cheap or nothing else helps.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from callsheet.optim.desk import Call, Work
from callsheet.optim.team import Team
from callsheet.optim.whitening import Whitening

Matrix = NDArray[np.float64]


def newton_direction(
    team: Team, whitening: Whitening, pull: Matrix, *, front: int, most: int
) -> Matrix:
    """Solve F″ p = r to a thousandth of r, or as far as `most` products allow."""
    direction = pull.copy()
    residual = pull.copy()
    step = np.zeros_like(pull)
    rho = float(np.sum(residual * residual))
    goal = 1e-6 * rho
    for _ in range(most):
        image = _curve(team, whitening, direction, front)
        bend = float(np.sum(direction * image))
        if bend <= 1e-16 * float(np.sum(direction * direction)):
            break
        step += (rho / bend) * direction
        residual -= (rho / bend) * image
        new_rho = float(np.sum(residual * residual))
        if new_rho <= goal:
            break
        direction = residual + (new_rho / rho) * direction
        rho = new_rho
    return step if step.any() else pull


def _curve(team: Team, whitening: Whitening, direction: Matrix, front: int) -> Matrix:
    """F″ u, exactly in float64."""
    problem = team.desk.problem
    along = whitening.to_weights(direction)
    sums = team.run(Call(Work.BEND, along, front=front))
    return whitening.whiten(problem.n_rows * problem.ridge * along - sums.matrix)
