"""Round cones and panels as people and sets are built of them, and their packing for `tracing`.

A builder collects parts by name of material; packing turns all of them at once into the rows
the kernels read, with the box of pixels each can touch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from callsheet.theatre.stage import tracing
from callsheet.theatre.stage.camera import Camera
from callsheet.theatre.stage.vectors import Array, dot, length

Place = Sequence[float] | Array
Box = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Material:
    """Colours are red, green, blue, 0 to 255; see `tracing` for patterns."""

    colour: tuple[float, float, float]
    second: tuple[float, float, float] = (0.0, 0.0, 0.0)
    pattern: int = tracing.PLAIN
    scale: float = 0.0
    gloss: float = 0.0
    folds: float = 0.0
    textured: int = tracing.OWN
    group: int = 0  # parts of one group above 0 flow into each other

    def row(self) -> list[float]:
        return [*self.colour, *self.second, self.pattern, self.scale, self.gloss, self.folds,
                self.textured, self.group]  # fmt: skip


@dataclass(slots=True)
class Solids:
    """Round cones under construction; `add` returns nothing, `pack` the rows for the kernels."""

    starts: list[Place] = field(default_factory=list)
    ends: list[Place] = field(default_factory=list)
    sides: list[Place] = field(default_factory=list)
    sizes: list[tuple[float, float, float, float]] = field(default_factory=list)
    marks: list[tuple[int, int]] = field(default_factory=list)

    def add(self, start: Place, end: Place, radii: tuple[float, float], *, material: int,
            code: int = -1, side: Place = (1.0, 0.0, 0.0), flat: tuple[float, float] = (1.0, 1.0),
            ) -> None:  # fmt: skip
        """Add a cone from `start` to `end`; `flat` scales its section along `side` and across."""
        self.starts.append(start)
        self.ends.append(end)
        self.sides.append(side)
        self.sizes.append((*radii, *flat))
        self.marks.append((material, code))

    def pack(self, camera: Camera, shape: tuple[int, int]) -> Array:
        """Rows for `trace_solids` seen by the camera in a picture of `shape` (rows, columns)."""
        starts, ends = np.array(self.starts, float), np.array(self.ends, float)
        sizes = np.array(self.sizes)
        maps, lengths = _maps(starts, ends, np.array(self.sides, float), sizes[:, 2:])
        rows = np.empty((len(starts), tracing.SOLID_COLUMNS))
        rows[:, : tracing.EYE] = maps.reshape(-1, 9)
        rows[:, tracing.EYE : tracing.RA] = dot(maps, (camera.eye - starts)[:, None, :])
        rows[:, tracing.RA : tracing.LENGTH] = sizes[:, :2]
        rows[:, tracing.LENGTH] = lengths
        discs, nearest = _discs(camera, starts, ends, sizes)
        rows[:, tracing.BOX : tracing.MATERIAL] = _boxes(discs, nearest > 0.05, shape)
        rows[:, tracing.MATERIAL : tracing.DISCS] = self.marks
        rows[:, tracing.DISCS : tracing.NEAREST] = discs
        rows[:, tracing.NEAREST] = nearest
        rows[:, tracing.SEED] = np.arange(len(starts))
        return rows[np.argsort(nearest, kind="stable")]


def _maps(starts: Array, ends: Array, sides: Array, flat: Array) -> tuple[Array, Array]:
    """World -> own frame of each cone (n, 3, 3), and its length."""
    axes = ends - starts
    lengths = length(axes)
    # A ball has no axis of its own: take up.
    axes = np.where(lengths[:, None] > 1e-6, axes / np.maximum(lengths, 1e-6)[:, None], (0, 1, 0))
    sides = sides - dot(sides, axes)[:, None] * axes
    norms = length(sides)[:, None]
    spare = np.cross(axes, np.where(np.abs(axes[:, :1]) < 0.9, (1.0, 0, 0), (0, 1.0, 0)))
    sides = np.where(norms > 1e-6, sides / np.maximum(norms, 1e-6), spare)
    across = np.cross(sides, axes)
    return np.stack([sides / flat[:, :1], axes, across / flat[:, 1:]], axis=1), lengths


def _discs(camera: Camera, starts: Array, ends: Array, sizes: Array) -> tuple[Array, Array]:
    """Discs (x, y, radius in pixels) of both ends, and the least depth of each cone."""
    wide = np.maximum(sizes[:, 2:].max(axis=1), 1.0)
    _, _, forward = camera.axes()
    discs, nearest = [], np.full(len(starts), np.inf)
    for places, radii in ((starts, sizes[:, 0] * wide), (ends, sizes[:, 1] * wide)):
        seen = camera.project(places)
        nearest = np.minimum(nearest, dot(places - camera.eye, forward) - radii)
        # A ball off the axis shows as an ellipse, at most this much wider.
        slant = np.hypot(seen[:, 0] - camera.cx, seen[:, 1] - camera.cy) / camera.focal
        reach = camera.focal * radii / np.maximum(seen[:, 2] - radii, 0.05) * (1 + slant) + 2
        discs.append(np.column_stack([seen[:, :2], reach]))
    return np.hstack(discs), nearest


def _boxes(discs: Array, near: npt.NDArray[np.bool_], shape: tuple[int, int]) -> Array:
    """Pixels (x0, y0, x1, y1) that each cone can touch; empty for what lies behind the eye."""
    rows, columns = shape
    a, b = discs[:, :3], discs[:, 3:]
    low = np.floor(np.minimum(a[:, :2] - a[:, 2:], b[:, :2] - b[:, 2:]))
    high = np.ceil(np.maximum(a[:, :2] + a[:, 2:], b[:, :2] + b[:, 2:]))
    box: Array = np.clip(np.hstack([low, high]), 0, [columns, rows, columns, rows])
    box[~near] = 0
    return box


def union_box(rows: Array) -> Box:
    """Box of all cones that show; empty (all 0) when none does."""
    boxes = rows[:, tracing.BOX : tracing.MATERIAL]
    boxes = boxes[(boxes[:, 2] > boxes[:, 0]) & (boxes[:, 3] > boxes[:, 1])]
    if not len(boxes):
        return 0, 0, 0, 0
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    return int(low[0]), int(low[1]), int(high[0]), int(high[1])


@dataclass(frozen=True, slots=True)
class Panel:
    """A parallelogram from `corner` along `u` (texture columns) and `v` (texture rows, upwards)."""

    corner: tuple[float, float, float]
    u: tuple[float, float, float]
    v: tuple[float, float, float]
    texture: str
    code: int = -1
    glow: float = 0.0

    def row(self, camera: Camera, shape: tuple[int, int]) -> Array:
        corner, u, v = np.array(self.corner), np.array(self.u), np.array(self.v)
        corners = np.array([corner, corner + u, corner + v, corner + u + v])
        return np.concatenate([corner, u, v, self._box(camera, corners, shape),
                               [self.code, self.glow]])  # fmt: skip

    def _box(self, camera: Camera, corners: Array, shape: tuple[int, int]) -> Array:
        rows, columns = shape
        seen = camera.project(corners)
        if (seen[:, 2] <= 0.05).any():  # it reaches behind the eye: it may show anywhere
            return np.array([0, 0, columns, rows] if (seen[:, 2] > 0.05).any() else [0, 0, 0, 0])
        low, high = np.floor(seen[:, :2].min(axis=0)), np.ceil(seen[:, :2].max(axis=0))
        box: Array = np.clip(np.concatenate([low, high]), 0, [columns, rows, columns, rows])
        return box
