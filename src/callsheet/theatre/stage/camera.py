"""A pin-hole camera: where it stands, what it sees, and where a place in the set falls.

World axes: x to the right, y up, z towards the audience; metres. Pixels are those of the
traced picture (before it is shrunk), from its upper left corner.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from callsheet.theatre.stage.vectors import Array, dot, unit


@dataclass(frozen=True, slots=True)
class Camera:
    """`focal` and the axis (`cx`, `cy`) are in pixels; a pan shifts the axis (as a view camera
    shifts its plate), so that one wide picture of the set serves the whole shot."""

    eye: tuple[float, float, float]
    target: tuple[float, float, float]
    focal: float
    cx: float
    cy: float

    def shifted(self, dx: float, dy: float) -> Camera:
        return replace(self, cx=self.cx + dx, cy=self.cy + dy)

    def axes(self) -> tuple[Array, Array, Array]:
        """Right, up and forward, unit vectors."""
        forward = unit(np.subtract(self.target, self.eye))
        right = unit(np.cross(forward, (0.0, 1.0, 0.0)))
        return right, np.cross(right, forward), forward

    def lens(self) -> Array:
        return np.array([self.focal, self.cx, self.cy])

    def project(self, points: Array) -> Array:
        """Pixel x, pixel y and depth of (n, 3) places."""
        right, up, forward = self.axes()
        relative = np.asarray(points, dtype=np.float64) - self.eye
        depth = np.maximum(dot(relative, forward), 0.05)
        return np.column_stack(
            [
                self.cx + self.focal * dot(relative, right) / depth,
                self.cy - self.focal * dot(relative, up) / depth,
                depth,
            ]
        )
