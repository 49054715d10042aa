"""The certificate: objective and lower bound of one assignment, right whatever came before.

For any weights W, with R = Y − XW, ρ = XᵀR − NλW and the gradient g = R − prior + slack terms:

    N f(Y)  <=  ½‖R‖² + Nλ/2 ‖W‖² + slack − ⟨prior, Y⟩                          (upper)
    N f(Y') >=  upper − ⟨g, Y − S⟩ − ‖ρ‖² / (2Nλ)   for every assignment Y'      (lower)

where S minimises ⟨g, ·⟩. The first holds because f minimises over W, the second because R is a
dual point of the ridge problem. With the ridge solution W(Y), ρ = 0 and both are the objective
and the Frank-Wolfe gap; a W that is a little off loosens them and never makes them wrong.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from callsheet.optim.desk import Sums
from callsheet.optim.problem import Problem
from callsheet.optim.solution import relative_gap

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Certificate:
    """Bounds on the scale of f; `ridge_error` is the share of the gap that W is to blame for."""

    objective: float
    lower_bound: float
    ridge_error: float = 0.0

    @property
    def gap(self) -> float:
        return relative_gap(self.objective, self.lower_bound)


def value(problem: Problem, weights: Matrix, sums: Sums) -> float:
    """N times the objective at (Y, W)."""
    ridge = 0.5 * problem.n_rows * problem.ridge * float(np.sum(weights * weights))
    return sums.half_residual + ridge + sums.slack - sums.prior + problem.layout.constant


def certify(problem: Problem, weights: Matrix, sums: Sums) -> Certificate:
    """Bound the objective from the sums of a MEASURE pass at `weights`."""
    scale = problem.n_rows * problem.ridge
    error = sums.matrix - scale * weights
    blame = float(np.sum(error * error)) / (2.0 * scale)
    upper = value(problem, weights, sums)
    # S is the minimiser, so the distance is negative by rounding only.
    lower = upper - max(sums.gap, 0.0) - blame
    return Certificate(upper / problem.n_rows, lower / problem.n_rows, blame / problem.n_rows)
