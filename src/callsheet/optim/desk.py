"""What one visit to a chunk of rows does: products, projections, vertices, sums.

A `Desk` holds the statement, the two assignment buffers (the current one and a spare to write
to), the points C that they are nearest to if those are wanted, and the multipliers. A `Call` says
what to do in a pass; `work` does it for one chunk and returns that chunk's sums. Threads and
processes run the same `work`, see `team`.

Letters: W weights (d × K), C = XW points, R = Y − C, D = S − Y with S a vertex.
"""

from __future__ import annotations

import math
import mmap
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from callsheet.errors import EngineError
from callsheet.optim import lp
from callsheet.optim.features import Tile, check_tile, is_mapped, read_rows
from callsheet.optim.kernels import derivatives, vertices
from callsheet.optim.kernels import quotas as quota_kernels
from callsheet.optim.problem import Problem
from callsheet.optim.projection import NONE, Fallbacks, project_quotas
from callsheet.optim.segments import Chunk, Segment, cut, tile_rows

Matrix = NDArray[np.float64]
ROUNDING = 1e-9
"""What the shares and row sums of a custom block may be off."""


class Work(StrEnum):
    """The kinds of pass."""

    PROJECT = "project"  # Y ← Π(XW + prior) into the spare; XᵀR
    APPROACH = "approach"  # the same without XᵀR, keeping C; the slope on the way from the last C
    BLEND = "blend"  # C ← last C + share (C − last C), and Y ← Π(C + prior) there
    RETURN = "return"  # XᵀR of the spare
    GAP = "gap"  # gap of the current Y at W
    MEASURE = "measure"  # gap of the current Y at W; XᵀR
    DIRECTION = "direction"  # D to the spare; XᵀD; sums for a Frank-Wolfe step
    VERTEX = "vertex"  # the vertex cheapest at cost −XW − prior to the spare; Xᵀ of it
    CORRELATE = "correlate"  # XᵀY
    BEND = "bend"  # Xᵀ(Ẏ − XU): how XᵀR moves when W moves along U
    GRAM_PRODUCT = "gram product"  # Xᵀ(XW)


WITHOUT_MATRIX = (Work.GAP, Work.APPROACH, Work.BLEND)
"""Passes that sum up numbers only: workers need not send a matrix of nothing."""


@dataclass(frozen=True, slots=True)
class Call:
    """One pass: what to do with which weights, in which arithmetic, which buffer is current.

    `onward`: the weights are those of a step from the kept C. `share`: of a step, for BLEND.
    """

    work: Work
    weights: Matrix | None = None
    front: int = 0
    dtype: str = "float64"
    share: float = 1.0
    onward: bool = False


@dataclass(slots=True)
class Sums:
    """Sums over rows; every field adds up over chunks."""

    matrix: Matrix
    half_residual: float = 0.0  # ½‖R‖²
    slack: float = 0.0
    prior: float = 0.0  # ⟨prior, Y⟩
    gap: float = 0.0  # ⟨∇, Y − S⟩
    direction: float = 0.0  # ‖D‖²
    slope: float = 0.0  # −⟨R, C − last C⟩
    fallbacks: Fallbacks = field(default=NONE)  # of projections

    def add(self, other: Sums) -> None:
        self.matrix += other.matrix
        self.half_residual += other.half_residual
        self.slack += other.slack
        self.prior += other.prior
        self.gap += other.gap
        self.direction += other.direction
        self.slope += other.slope
        self.fallbacks = self.fallbacks.plus(other.fallbacks)


@dataclass(slots=True)
class Desk:
    """Statement, buffers and multipliers; `buffers[front]` is the current assignment.

    `points[front]` is its C = XW, if points are kept.
    """

    problem: Problem
    chunks: tuple[Chunk, ...]
    buffers: tuple[Matrix, Matrix]
    multipliers: NDArray[np.float64]
    points: tuple[Matrix, Matrix]
    unchecked: bool = field(default=False)

    @classmethod
    def of(
        cls, problem: Problem, chunks: tuple[Chunk, ...] | None = None, *, shared: bool = False,
        points: bool = False,
    ) -> Desk:  # fmt: skip
        """Set up; `shared` buffers are seen by processes forked later."""
        shape = (problem.n_rows, problem.n_labels)
        make = _shared if shared else np.zeros
        buffers = make(shape), make(shape)
        multipliers = make((problem.layout.every.kind.size,))
        kept = (make(shape), make(shape)) if points else (make((0, 0)), make((0, 0)))
        return cls(problem, chunks or cut(problem.layout), buffers, multipliers, kept,
                   from_outside(problem))  # fmt: skip

    @property
    def tile_rows(self) -> int:
        return tile_rows(self.problem.n_features)

    def work(self, number: int, call: Call) -> Sums:
        """Do one chunk's part of a pass."""
        shape = (self.problem.n_weights, self.problem.n_labels)
        sums = Sums(np.zeros((0, 0) if call.work in WITHOUT_MATRIX else shape))
        for segment in self.chunks[number]:
            _WORK[call.work](self, segment, call, sums)
        return sums

    def tile(self, places: slice, dtype: str) -> Tile:
        """Read the features of some places."""
        rows = self.problem.layout.order[places]
        tile = read_rows(self.problem.features, rows, np.dtype(dtype))
        if self.unchecked:
            check_tile(tile, rows)
        return tile

    def prior(self, segment: Segment) -> Matrix | None:
        """Opinions on the rows of a segment."""
        if self.problem.prior is None:
            return None
        prior: Any = self.problem.prior
        rows: Matrix = prior[self.problem.layout.order[segment.places]]
        return rows

    def forward(self, segment: Segment, weights: Matrix, dtype: str) -> tuple[Matrix, Tile | None]:
        """Return C = XW in float64, and the features if they were read in one tile."""
        bare = np.ascontiguousarray(weights[: self.problem.n_features], dtype=dtype)
        points = np.empty((segment.stop - segment.start, self.problem.n_labels))
        tiles = segment.tiles(self.tile_rows)
        for places in tiles:
            tile = self.tile(places, dtype)
            points[places.start - segment.start : places.stop - segment.start] = tile @ bare
        if self.problem.bias:
            points += self.problem.bias * weights[-1]
        return points, tile if len(tiles) == 1 else None

    def backward(
        self, segment: Segment, rows: Matrix, dtype: str, held: Tile | None, into: Matrix
    ) -> None:
        """Add Xᵀ rows to `into`."""
        short = rows.astype(dtype, copy=False)
        for places in segment.tiles(self.tile_rows):
            tile = self.tile(places, dtype) if held is None else held
            part = short[places.start - segment.start : places.stop - segment.start]
            into[: self.problem.n_features] += tile.T @ part
        if self.problem.bias:
            into[-1] += self.problem.bias * rows.sum(axis=0)

    def project(self, segment: Segment, points: Matrix, out: Matrix) -> Fallbacks:
        """Write the nearest assignment to `out`; say what that took."""
        if segment.custom is not None:
            out[:] = ask_custom(self.problem.blocks[segment.custom], "project", points)
            return NONE
        layout = self.problem.layout
        allowed = layout.allowed[segment.places]
        quota_kernels.project_rows(points, allowed, out, segment.start, layout.every.row_start)
        return project_quotas(points, layout, segment, self.multipliers, out)

    def vertex(self, segment: Segment, cost: Matrix) -> Matrix:
        """Return the assignment of least cost (hard quotas; slack is minimised out)."""
        if segment.custom is not None:
            return ask_custom(self.problem.blocks[segment.custom], "oracle", cost)
        layout = self.problem.layout
        allowed = layout.allowed[segment.places]
        out = np.empty_like(cost)
        vertices.cheapest_labels(cost, allowed, out)
        vertices.meet_single_quotas(
            cost, allowed, out, segment.start, segment.hard_components, layout.hard
        )
        if segment.needs_lp:
            lp.meet_joint_quotas(cost, layout, segment, out)
        return out

    def gradient(self, segment: Segment, rows: Matrix, residual: Matrix) -> tuple[Matrix, float]:
        """Return the gradient of N f at `rows` (R given), and its slack cost."""
        gradient = residual.copy()
        prior = self.prior(segment)
        if prior is not None:
            gradient -= prior
        slack = vertices.add_slack_gradient(
            rows, gradient, segment.start, segment.quotas, self.problem.layout.every
        )
        return gradient, float(slack)


def _project(desk: Desk, segment: Segment, call: Call, sums: Sums) -> None:
    assert call.weights is not None
    points, tile = desk.forward(segment, call.weights, call.dtype)
    residual = _nearest(desk, segment, points, call, sums)
    desk.backward(segment, residual, call.dtype, tile, sums.matrix)


def _nearest(desk: Desk, segment: Segment, points: Matrix, call: Call, sums: Sums) -> Matrix:
    """Put the assignment nearest to C (+ prior) into the spare; return R."""
    prior = desk.prior(segment)
    out = desk.buffers[1 - call.front][segment.places]
    target = points if prior is None else points + prior
    sums.fallbacks = sums.fallbacks.plus(desk.project(segment, target, out))
    residual: Matrix = out - points
    sums.half_residual += 0.5 * _dot(residual, residual)
    sums.slack += float(vertices.slack_cost(out, segment.start, segment.quotas,
                                            desk.problem.layout.every))  # fmt: skip
    sums.prior += 0.0 if prior is None else _dot(prior, out)
    return residual


def _approach(desk: Desk, segment: Segment, call: Call, sums: Sums) -> None:
    assert call.weights is not None
    points, _ = desk.forward(segment, call.weights, call.dtype)
    last = desk.points[call.front][segment.places]
    if call.onward:
        points += last
    desk.points[1 - call.front][segment.places] = points
    residual = _nearest(desk, segment, points, call, sums)
    sums.slope -= _dot(residual, points - last)


def _blend(desk: Desk, segment: Segment, call: Call, sums: Sums) -> None:
    last = desk.points[call.front][segment.places]
    points = desk.points[1 - call.front][segment.places]
    points[:] = last + call.share * (points - last)
    _nearest(desk, segment, points, call, sums)


def _return(desk: Desk, segment: Segment, call: Call, sums: Sums) -> None:
    spare = 1 - call.front
    residual = desk.buffers[spare][segment.places] - desk.points[spare][segment.places]
    desk.backward(segment, residual, call.dtype, None, sums.matrix)


def _only_gap(desk: Desk, segment: Segment, call: Call, sums: Sums) -> None:
    assert call.weights is not None
    points, _ = desk.forward(segment, call.weights, call.dtype)
    current = desk.buffers[call.front][segment.places]
    sums.gap += _gap(desk, segment, current, current - points)[0]


def _measure(desk: Desk, segment: Segment, call: Call, sums: Sums) -> None:
    assert call.weights is not None
    points, tile = desk.forward(segment, call.weights, call.dtype)
    current = desk.buffers[call.front][segment.places]
    residual = current - points
    gap, slack, _, prior = _gap(desk, segment, current, residual)
    sums.gap += gap
    sums.slack += slack
    sums.prior += prior
    sums.half_residual += 0.5 * _dot(residual, residual)
    desk.backward(segment, residual, call.dtype, tile, sums.matrix)


def _direction(desk: Desk, segment: Segment, call: Call, sums: Sums) -> None:
    assert call.weights is not None
    points, tile = desk.forward(segment, call.weights, call.dtype)
    current = desk.buffers[call.front][segment.places]
    residual = current - points
    gap, slack, vertex, prior = _gap(desk, segment, current, residual)
    direction = desk.buffers[1 - call.front][segment.places]
    direction[:] = vertex - current
    sums.gap += gap
    sums.slack += slack
    sums.prior += prior
    sums.half_residual += 0.5 * _dot(residual, residual)
    sums.direction += _dot(direction, direction)
    desk.backward(segment, direction, call.dtype, tile, sums.matrix)


def _vertex(desk: Desk, segment: Segment, call: Call, sums: Sums) -> None:
    assert call.weights is not None
    points, tile = desk.forward(segment, call.weights, call.dtype)
    prior = desk.prior(segment)
    out = desk.buffers[1 - call.front][segment.places]
    out[:] = desk.vertex(segment, -points if prior is None else -(points + prior))
    desk.backward(segment, out, call.dtype, tile, sums.matrix)


def _correlate(desk: Desk, segment: Segment, call: Call, sums: Sums) -> None:
    current = desk.buffers[call.front][segment.places]
    desk.backward(segment, current, call.dtype, None, sums.matrix)


def _gram_product(desk: Desk, segment: Segment, call: Call, sums: Sums) -> None:
    assert call.weights is not None
    points, tile = desk.forward(segment, call.weights, call.dtype)
    desk.backward(segment, points, call.dtype, tile, sums.matrix)


def _bend(desk: Desk, segment: Segment, call: Call, sums: Sums) -> None:
    assert call.weights is not None
    points, tile = desk.forward(segment, call.weights, call.dtype)
    rows = desk.buffers[call.front][segment.places]
    moves = points.copy()
    derivatives.bend(moves, rows, segment.start, segment.components, desk.problem.layout.every,
                     desk.multipliers)  # fmt: skip
    desk.backward(segment, moves - points, call.dtype, tile, sums.matrix)


_WORK = {
    Work.PROJECT: _project,
    Work.APPROACH: _approach,
    Work.BLEND: _blend,
    Work.RETURN: _return,
    Work.GAP: _only_gap,
    Work.MEASURE: _measure,
    Work.DIRECTION: _direction,
    Work.VERTEX: _vertex,
    Work.CORRELATE: _correlate,
    Work.BEND: _bend,
    Work.GRAM_PRODUCT: _gram_product,
}


def _gap(
    desk: Desk, segment: Segment, rows: Matrix, residual: Matrix
) -> tuple[float, float, Matrix, float]:
    """Return the Frank-Wolfe gap at `rows`, its slack cost, the vertex and ⟨prior, rows⟩."""
    gradient, slack = desk.gradient(segment, rows, residual)
    vertex = desk.vertex(segment, gradient)
    prior = desk.prior(segment)
    held = 0.0 if prior is None else _dot(prior, rows)
    return _dot(gradient, rows - vertex), slack, vertex, held


def _dot(a: Matrix, b: Matrix) -> float:
    """⟨a, b⟩, summed pairwise."""
    return float(np.sum(a * b))


def ask_custom(block: Any, method: str, points: Matrix) -> Matrix:
    """Call a custom block and refuse an answer that is no assignment.

    It gets a copy, to do with as it likes: the certificate is computed from `points` afterwards.
    """
    answer = np.asarray(getattr(block, method)(points.copy()), dtype=np.float64)
    name = f"{method} of {type(block).__name__}"
    if answer.shape != points.shape:
        raise EngineError(f"{name} must return shape {points.shape}, got {answer.shape}")
    if not np.isfinite(answer).all():
        raise EngineError(f"{name} returned NaN or infinity")
    if answer.min() < -ROUNDING:
        raise EngineError(f"{name} must return shares of 0 or more, got {answer.min():g}")
    sums = answer.sum(axis=1)
    worst = int(np.argmax(np.abs(sums - 1.0)))
    if abs(sums[worst] - 1.0) > ROUNDING:
        raise EngineError(f"{name} must return rows that sum to 1, got {sums[worst]:.12g} in row"
                          f" {worst} of the block")  # fmt: skip
    return answer


def _shared(shape: tuple[int, ...]) -> Matrix:
    """Zeros in memory that forked processes share."""
    size = math.prod(shape)
    if size == 0:
        return np.zeros(shape)
    return np.frombuffer(mmap.mmap(-1, 8 * size), dtype=np.float64).reshape(shape)


def from_outside(problem: Problem) -> bool:
    """Whether features are read from elsewhere whenever they are needed."""
    features = problem.features
    return is_mapped(features) or not (isinstance(features, np.ndarray) or issparse(features))
