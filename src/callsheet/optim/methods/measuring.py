"""What every method needs: a first assignment, and the exact certificate of the last one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from callsheet.optim.blocks import projects
from callsheet.optim.certificate import Certificate, certify
from callsheet.optim.desk import Call, Work
from callsheet.optim.methods.acceleration import mixture
from callsheet.optim.team import Team
from callsheet.optim.whitening import Whitening

Matrix = NDArray[np.float64]
MOST_STEPS = 40
WINDOW = 12


@dataclass(frozen=True, slots=True)
class Answer:
    """The assignment in buffer `front` with weights and certificate in float64."""

    weights: Matrix
    certificate: Certificate
    front: int


def first_assignment(
    team: Team, whitening: Whitening, weights: Matrix | None
) -> tuple[Matrix, int]:
    """Put a feasible assignment in a buffer: the nearest to what `weights` say, so that a warm
    start loses nothing; the cheapest vertex without weights, or where a block has no projection.

    Return its ridge solution and the number of the buffer.
    """
    problem = team.desk.problem
    if weights is not None and all(map(projects, problem.blocks)):
        sums = team.run(Call(Work.PROJECT, weights))
        # The sums are XᵀR, and the ridge solution is W + (L Lᵀ)⁻¹(XᵀR − NλW).
        lack = sums.matrix - problem.n_rows * problem.ridge * weights
        return weights + whitening.solve(lack), 1
    if weights is None:
        weights = np.zeros((problem.n_weights, problem.n_labels))
    sums = team.run(Call(Work.VERTEX, weights))
    return whitening.solve(sums.matrix), 1


def ridge_certificate(
    team: Team, whitening: Whitening, weights: Matrix, *, front: int, tol: float
) -> Answer:
    """Certify the current assignment in float64, refining its ridge solution until what W
    still lacks is a negligible part of the gap.

    W ← W + (L Lᵀ)⁻¹ρ solves the ridge equations at once where L is exact, and with Anderson
    mixing (here the same as GMRES) in some steps where L is only near. W is kept in float64 and
    only corrections go through L, so that a float32 factor limits nothing.
    """
    problem = team.desk.problem
    goal = 0.01 * min(tol, 1e-6) if whitening.exact else 0.05 * tol
    visits: list[tuple[Matrix, Matrix, Matrix]] = []
    best: Answer | None = None
    for _ in range(MOST_STEPS):
        sums = team.run(Call(Work.MEASURE, weights, front=front))
        found = certify(problem, weights, sums)
        if best is None or found.ridge_error < best.certificate.ridge_error:
            best = Answer(weights, found, front)
        elif whitening.exact:
            break  # rounding: no better solution in float64
        if found.ridge_error <= goal * abs(found.objective):
            break
        if not whitening.exact and _clearly_open(found, tol):
            break  # a better W takes passes there, and would not end the solve
        pull = whitening.whiten(sums.matrix - problem.n_rows * problem.ridge * weights)
        visits = [*visits, (weights, whitening.to_weights(pull), pull)][-WINDOW:]
        weights = _corrected(visits)
    assert best is not None
    return best


def _clearly_open(found: Certificate, tol: float) -> bool:
    """Whether a better W could not bring the gap near the tolerance."""
    rest = found.objective - found.lower_bound - found.ridge_error
    return rest > 2.0 * tol * abs(found.objective) and found.ridge_error <= 0.01 * rest


def _corrected(visits: list[tuple[Matrix, Matrix, Matrix]]) -> Matrix:
    """Mix visits (W, correction, whitened error) so that the error of the mixture is least."""
    weights, correction, _ = visits[-1]
    shares = mixture([pull for _, _, pull in visits])
    mixed = weights + correction
    for share, (before, after) in zip(shares, pairwise(visits), strict=True):
        mixed = mixed - share * (after[0] - before[0] + after[1] - before[1])
    return mixed
