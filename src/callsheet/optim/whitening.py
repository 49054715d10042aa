"""The Gram matrix G = XᵀX + NλI and its Cholesky factor L, which whitens classifier space.

V = LᵀW turns the ridge part of the objective into ½‖Y − X L⁻ᵀ V‖² + …, whose curvature is at
most 1. L only scales the space: objective, gradient and certificate always come from X itself.
So where G costs too much (N d² operations), L may come from a sketch: rows are added up in
groups of `group` with random signs, which keeps every direction that any row has, and leaves
N / group rows to multiply. With four sketched rows a column its eigenvalues lie within some
[1/4, 9/4] of G's, which costs a few passes and saves most of the work.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cholesky, solve_triangular
from scipy.sparse import csr_matrix, issparse

from callsheet.errors import EngineError
from callsheet.optim.desk import Desk
from callsheet.optim.features import storage

Matrix = NDArray[np.float64]
Gram = Literal["auto", "exact", "sketch"]
GRAMS = get_args(Gram)
Halt = Callable[[], bool]
LANES = 4
ROWS_A_COLUMN = 4
AFFORDABLE = 4e12
"""N d² above which `auto` sketches."""


@dataclass(frozen=True, slots=True, eq=False)
class Whitening:
    """L with L Lᵀ = G (`exact`), or near it."""

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
        return np.asarray(self.factor.T @ weights.astype(self.factor.dtype), dtype=np.float64)

    def solve(self, right: Matrix) -> Matrix:
        """(L Lᵀ)⁻¹ right."""
        return self.to_weights(self.whiten(right))

    def _solve(self, right: Matrix, *, transposed: bool) -> Matrix:
        solution = solve_triangular(
            self.factor,
            right.astype(self.factor.dtype, copy=False),
            lower=True,
            trans=1 if transposed else 0,
            check_finite=False,
        )
        return np.asarray(solution, dtype=np.float64)


def whiten(
    desk: Desk, n_threads: int, gram: Gram = "auto", seed: int = 0, halt: Halt = lambda: False
) -> Whitening:
    """Form the Gram matrix, or a sketch of it, and factor it.

    When `halt` says so, which is asked before each tile, there is nothing yet to return.
    """
    problem = desk.problem
    group = problem.n_rows // (ROWS_A_COLUMN * problem.n_weights)
    costly = problem.n_rows * float(problem.n_weights) ** 2 > AFFORDABLE
    if gram == "exact" or group < 2 or (gram == "auto" and not costly):
        matrix: NDArray[Any] = _gram(desk, n_threads, halt)
        exact = True
    else:
        matrix = _sketch(desk, n_threads, group, seed, halt)
        exact = False
    if halt():
        raise KeyboardInterrupt("interrupted while the Gram matrix was formed, before there was"
                                " an assignment to return")  # fmt: skip
    diagonal = np.einsum("ii->i", matrix)
    if not np.isfinite(diagonal).all():
        raise EngineError("features are too large: their squares overflow; rescale them")
    diagonal += problem.n_rows * problem.ridge
    if not exact:
        # What float32 sums may lose, so that no small eigenvalue turns negative.
        diagonal += 1e-5 * float(diagonal.mean())
    desk.unchecked = False
    return Whitening(_factor(matrix, problem.ridge), exact)


def _factor(matrix: NDArray[Any], ridge: float) -> NDArray[Any]:
    try:
        # The lower triangle of a C matrix is the upper one of its transpose, which LAPACK can
        # overwrite in place.
        upper = cholesky(matrix.T, lower=False, overwrite_a=True, check_finite=False)
    except np.linalg.LinAlgError:
        raise EngineError(
            f"XᵀX + NλI is not positive in {matrix.dtype}: ridge {ridge:g} is too small for"
            " these features; raise it or rescale the features"
        ) from None
    factor: NDArray[Any] = upper.T
    return factor


def _gram(desk: Desk, n_threads: int, halt: Halt) -> Matrix:
    """Sum tile by tile in a fixed number of lanes, whatever the number of threads."""
    lanes = range(min(LANES, len(desk.chunks)))
    with ThreadPoolExecutor(n_threads) as pool:
        parts = list(pool.map(lambda lane: _lane(desk, lane, halt), lanes))
    gram = parts[0]
    for part in parts[1:]:
        gram += part
    return gram


def _lane(desk: Desk, lane: int, halt: Halt) -> Matrix:
    problem = desk.problem
    n = problem.n_features
    gram = np.zeros((problem.n_weights, problem.n_weights))
    for places in _tiles(desk, lane, LANES):
        if halt():
            break
        wide: Any = desk.tile(places, str(storage(problem.features))).astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):  # told of once they are summed
            square = wide.T @ wide
        gram[:n, :n] += square.toarray() if issparse(square) else square
        if problem.bias:
            column = problem.bias * np.asarray(wide.sum(axis=0)).ravel()
            gram[-1, :n] += column
            gram[:n, -1] += column
            gram[-1, -1] += problem.bias**2 * (places.stop - places.start)
    return gram


def _tiles(desk: Desk, first: int, step: int) -> list[slice]:
    return [places for chunk in desk.chunks[first::step] for segment in chunk
            for places in segment.tiles(desk.tile_rows)]  # fmt: skip


PANEL = 1024


def _sketch(desk: Desk, n_threads: int, group: int, seed: int, halt: Halt) -> NDArray[np.float32]:
    """Gram matrix (lower triangle) of the rows added up in groups with random signs."""
    problem = desk.problem
    gram = np.zeros((problem.n_weights, problem.n_weights), dtype=np.float32)
    generator = np.random.default_rng(seed)
    edges = range(0, problem.n_weights, PANEL)

    def add(start: int) -> None:
        panel = rows[:, start : start + PANEL]
        gram[start:, start : start + PANEL] += rows[:, start:].T @ panel

    with ThreadPoolExecutor(n_threads) as pool:
        for places in _tiles(desk, 0, 1):
            if halt():
                break
            rows = _mixed(desk, places, group, generator)
            list(pool.map(add, edges))
    return gram


def _mixed(
    desk: Desk, places: slice, group: int, generator: np.random.Generator
) -> NDArray[np.float32]:
    """Add up the rows of a tile in random groups with random signs."""
    n_rows = places.stop - places.start
    sign = generator.choice(np.array([-1.0, 1.0], dtype=np.float32), n_rows)
    member = generator.permutation(n_rows) % max(1, n_rows // group)
    mix = csr_matrix((sign, (member, np.arange(n_rows))), dtype=np.float32)
    tile: Any = desk.tile(places, "float32")
    rows = np.empty((mix.shape[0], desk.problem.n_weights), dtype=np.float32)
    product = mix @ tile
    rows[:, : desk.problem.n_features] = product.toarray() if issparse(product) else product
    if desk.problem.bias:
        rows[:, -1] = desk.problem.bias * np.asarray(mix.sum(axis=1)).ravel()
    return rows
