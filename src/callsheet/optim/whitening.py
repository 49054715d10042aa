"""The Gram matrix XᵀX + NλI and its Cholesky factor L, which whitens classifier space.

V = LᵀW turns the ridge part of the objective into ½‖Y − X L⁻ᵀ V‖² + …, whose curvature is at
most 1. L only scales the space: objective, gradient and certificate always come from X itself.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, solve_triangular
from scipy.sparse import issparse

from callsheet.errors import EngineError
from callsheet.optim.desk import Desk
from callsheet.optim.features import storage

Matrix = NDArray[np.float64]
LANES = 4


@dataclass(frozen=True, slots=True, eq=False)
class Whitening:
    """L with L Lᵀ = XᵀX + NλI (`exact`), or near it."""

    factor: NDArray[Any]
    exact: bool

    def whiten(self, gradient: Matrix) -> Matrix:
        """L⁻¹ G: a gradient in W becomes one in V."""
        return self._solve(gradient, transposed=False)

    def to_weights(self, whitened: Matrix) -> Matrix:
        """W = L⁻ᵀ V."""
        return self._solve(whitened, transposed=True)

    def from_weights(self, weights: Matrix) -> Matrix:
        """V = Lᵀ W."""
        return np.asarray(self.factor.T @ weights, dtype=np.float64)

    def solve(self, right: Matrix) -> Matrix:
        """(L Lᵀ)⁻¹ right."""
        return self.to_weights(self.whiten(right))

    def apply(self, weights: Matrix) -> Matrix:
        """L Lᵀ W."""
        return np.asarray(self.factor @ self.from_weights(weights), dtype=np.float64)

    def _solve(self, right: Matrix, *, transposed: bool) -> Matrix:
        solution = solve_triangular(
            self.factor, right, lower=True, trans=1 if transposed else 0, check_finite=False
        )
        return np.asarray(solution, dtype=np.float64)


def whiten(desk: Desk, n_threads: int) -> Whitening:
    """Form the Gram matrix in float64 and factor it."""
    gram = _gram(desk, n_threads)
    problem = desk.problem
    gram[np.diag_indices_from(gram)] += problem.n_rows * problem.ridge
    try:
        return Whitening(cholesky(gram, lower=True, overwrite_a=True, check_finite=False), True)
    except np.linalg.LinAlgError:
        raise EngineError(
            f"XᵀX + NλI is not positive in float64: ridge {problem.ridge:g} is too small for"
            " these features; raise it or rescale the features"
        ) from None


def _gram(desk: Desk, n_threads: int) -> Matrix:
    """Sum tile by tile in a fixed number of lanes, whatever the number of threads."""
    lanes = range(min(LANES, len(desk.chunks)))
    with ThreadPoolExecutor(max(1, n_threads)) as pool:
        parts = list(pool.map(lambda lane: _lane(desk, lane), lanes))
    gram = parts[0]
    for part in parts[1:]:
        gram += part
    desk.unchecked = False
    return gram


def _lane(desk: Desk, lane: int) -> Matrix:
    problem = desk.problem
    n = problem.n_features
    gram = np.zeros((problem.n_weights, problem.n_weights))
    for chunk in desk.chunks[lane::LANES]:
        for segment in chunk:
            for places in segment.tiles():
                # Sums over a tile may run in the arithmetic of the features' storage; the
                # totals are float64.
                tile = desk.tile(places, str(storage(problem.features)))
                wide: Any = tile.astype(np.float64)
                square = wide.T @ wide
                gram[:n, :n] += square.toarray() if issparse(square) else square
                if problem.bias:
                    column = problem.bias * np.asarray(wide.sum(axis=0)).ravel()
                    gram[-1, :n] += column
                    gram[:n, -1] += column
                    gram[-1, -1] += problem.bias**2 * (places.stop - places.start)
    return gram
