"""Motion between two frames by KLT: points in, moved points out; boxes follow their points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from callsheet.video.geometry import Boxes, clipped
from callsheet.video.stream_picture import Picture

Points = NDArray[np.float32]

_GRID = 7
_INNER = 0.7
_WINDOW = (15, 15)
_LEVELS = 3
_CRITERIA = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 10, 0.03)
_ROUND_TRIP = 1.0
"""Pixels by which a point followed there and back may miss its start."""
_LEAST_POINTS = 8
_PATCH = (16, 16)
_NO_POINTS: Points = np.empty((0, 2), np.float32)


@dataclass(frozen=True, slots=True)
class Step:
    """How a box moved: its centre by (dx, dy), its sides by a factor."""

    dx: float
    dy: float
    growth: float

    def apply(self, box: NDArray[np.float64]) -> NDArray[np.float64]:
        x, y, w, h = box
        grown_w, grown_h = w * self.growth, h * self.growth
        left = x + w / 2 + self.dx - grown_w / 2
        top = y + h / 2 + self.dy - grown_h / 2
        return np.array([left, top, grown_w, grown_h])


@dataclass(frozen=True, slots=True)
class Followed:
    """Where points are now (n, 2), and which of them (n,) are trusted."""

    places: Points
    trusted: NDArray[np.bool_]

    def pairs(self, before: Points) -> tuple[Points, Points]:
        """The trusted points before and now."""
        return before[self.trusted], self.places[self.trusted]


class Motion:
    """Remembers the frame before; follows points from it to the frame now."""

    def __init__(self) -> None:
        self._before: Picture | None = None
        self._now: Picture | None = None

    def advance(self, gray: Picture | None) -> None:
        """Go on to the next frame (None: no pictures, nothing can be followed)."""
        self._before, self._now = self._now, gray

    @property
    def now(self) -> Picture | None:
        """Brightness of the frame now."""
        return self._now

    def follow_each(self, groups: Sequence[Points]) -> list[Followed]:
        """Follow several groups of points at once: the pictures' pyramids are made only once."""
        places, trusted = self.follow(np.concatenate([_NO_POINTS, *groups]))
        edges = np.cumsum([len(group) for group in groups])[:-1]
        parts = zip(np.split(places, edges), np.split(trusted, edges), strict=True)
        return [Followed(*part) for part in parts][: len(groups)]

    def follow(self, points: Points) -> tuple[Points, NDArray[np.bool_]]:
        """(n, 2) points of the frame before -> where they are now, and which are trusted."""
        if self._before is None or self._now is None or len(points) == 0:
            return points, np.zeros(len(points), bool)
        there, found = _klt(self._before, self._now, points)
        back, found_back = _klt(self._now, self._before, there)
        missed = np.abs(back - points).max(axis=1)
        return there, found & found_back & (missed < _ROUND_TRIP)


def patch(gray: Picture | None, box: Boxes) -> NDArray[np.float32] | None:
    """What a box shows, at one small size, mean 0 and norm 1; None without a picture there."""
    if gray is None:
        return None
    x, y, w, h = clipped(box[None], gray.shape[1], gray.shape[0])[0].round().astype(int)
    if min(w, h) < 2:
        return None
    small = cv2.resize(gray[y : y + h, x : x + w], _PATCH, interpolation=cv2.INTER_AREA)
    centred = small.astype(np.float32) - np.float32(small.mean())
    return np.asarray(centred / max(float(np.linalg.norm(centred)), 1e-6), dtype=np.float32)


def likeness(a: NDArray[np.float32] | None, b: NDArray[np.float32] | None) -> float:
    """Correlation of two patches, -1 to 1; 1 where one is missing (nothing speaks against it)."""
    return 1.0 if a is None or b is None else float((a * b).sum())


def grid_points(box: Boxes) -> Points:
    """Points on a grid in the middle of a box, an ellipse so that corners stay outside."""
    steps = np.linspace(-_INNER, _INNER, _GRID)
    u, v = (axis.ravel() for axis in np.meshgrid(steps, steps))
    inside = u**2 + v**2 <= _INNER**2 * 1.2
    x = box[0] + box[2] * (u[inside] + 1) / 2
    y = box[1] + box[3] * (v[inside] + 1) / 2
    return np.stack([x, y], axis=1).astype(np.float32)


def step_of(before: Points, after: Points) -> Step | None:
    """Median motion and growth of a box's trusted points; None: too few to tell."""
    if len(before) < _LEAST_POINTS:
        return None
    dx, dy = np.median(after - before, axis=0)
    return Step(float(dx), float(dy), _growth(before, after))


def _growth(before: Points, after: Points) -> float:
    """Median ratio of the distances between points, paired across the cloud."""
    half = len(before) // 2
    was = np.linalg.norm(before[:half] - before[-half:][::-1], axis=1)
    now = np.linalg.norm(after[:half] - after[-half:][::-1], axis=1)
    far = was > 1e-3
    return float(np.clip(np.median(now[far] / was[far]), 0.8, 1.25)) if far.any() else 1.0


def _klt(a: Picture, b: Picture, points: Points) -> tuple[Points, NDArray[np.bool_]]:
    moved: Any
    moved, status, _error = cv2.calcOpticalFlowPyrLK(
        a, b, points.reshape(-1, 1, 2), None,
        winSize=_WINDOW, maxLevel=_LEVELS, criteria=_CRITERIA,
    )  # fmt: skip
    return moved.reshape(-1, 2), status.ravel().astype(bool)
