"""Motion between two pictures, and the part of it that the camera makes.

`flow_between` gives the dense motion in pixels. `camera_motion` fits a homography to the motion
outside the people's boxes; `without_camera` subtracts what that homography says, so that what
remains is the people's own motion. OpenCV lives here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from callsheet.video.trajectories.kernels import Field, sampled

STILL = np.eye(3)
"""The camera motion of a camera at rest."""

_MOST_POINTS = 400
_FEWEST_POINTS = 40
_FEWEST_AGREEING = 0.5
_PATIENCE_PIXELS = 1.0
_LEAST_SIDE = 64
_FLATTEST = 2.5
"""Width by height of the flattest picture that the flow method is given."""


@dataclass(frozen=True, slots=True)
class Flow:
    """Motion of every pixel to the next picture: `u` to the right, `v` down, pixels."""

    u: Field
    v: Field


class FlowMeter:
    """Dense inverse search flow (Kroeger et al. 2016), smoothed by a 3 x 3 median."""

    def __init__(self) -> None:
        self._method: Any = cv2.DISOpticalFlow_create(cv2.DISOPTICAL_FLOW_PRESET_FAST)

    def between(self, before: NDArray[np.uint8], after: NDArray[np.uint8]) -> Flow:
        """Motion from one (height, width) brightness picture to the next."""
        height, width = before.shape
        flow = self._method.calc(_roomy(before), _roomy(after), None)[:height, :width]
        u, v = np.ascontiguousarray(flow[..., 0]), np.ascontiguousarray(flow[..., 1])
        return Flow(cv2.medianBlur(u, 3), cv2.medianBlur(v, 3))


def _roomy(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture with its border repeated below and to the right where it is small or flat.

    The method picks its coarsest scale by the width alone and reads beyond pictures whose height
    is less than a patch at that scale.
    """
    height, width = picture.shape
    right = max(0, _LEAST_SIDE - width)
    below = max(0, _LEAST_SIDE - height, round((width + right) / _FLATTEST) - height)
    if not right and not below:
        return picture
    wider = cv2.copyMakeBorder(picture, 0, below, 0, right, cv2.BORDER_REPLICATE)
    return np.asarray(wider, dtype=np.uint8)


def camera_motion(
    before: NDArray[np.uint8], flow: Flow, people: NDArray[np.uint8]
) -> NDArray[np.float64]:
    """Homography (3, 3) that moves the background, from textured points where `people` is 0.

    Where too little background shows, or no one motion explains at least half of it, the camera
    counts as still: a wrong correction would be worse than none.
    """
    mask = (people == 0).astype(np.uint8)
    found = cv2.goodFeaturesToTrack(before, _MOST_POINTS, 0.005, 6, mask=mask)
    if found is None or len(found) < _FEWEST_POINTS:
        return STILL
    points = np.ascontiguousarray(found.reshape(-1, 2), np.float32)
    moved = points + np.column_stack([sampled(flow.u, points), sampled(flow.v, points)])
    homography, agreeing = cv2.findHomography(points, moved, cv2.RANSAC, _PATIENCE_PIXELS)
    if homography is None or agreeing.mean() < _FEWEST_AGREEING:
        return STILL
    return homography if _is_sane(homography, before.shape) else STILL


def _is_sane(homography: NDArray[np.float64], shape: tuple[int, ...]) -> bool:
    """Whether no corner of the picture comes near the horizon of the homography."""
    height, width = shape[:2]
    corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]], float)
    return bool(np.all(corners @ homography[2] > 0.5))


def without_camera(flow: Flow, homography: NDArray[np.float64]) -> Flow:
    """The motion that remains when the camera's is subtracted."""
    height, width = flow.u.shape
    x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    h = homography.astype(np.float32)
    depth = h[2, 0] * x + h[2, 1] * y + h[2, 2]
    across = (h[0, 0] * x + h[0, 1] * y + h[0, 2]) / depth - x
    down = (h[1, 0] * x + h[1, 1] * y + h[1, 2]) / depth - y
    return Flow(flow.u - across, flow.v - down)


def corner_strength(picture: NDArray[np.uint8]) -> Field:
    """Smaller eigenvalue of the local structure: how well a point can be followed."""
    return np.asarray(cv2.cornerMinEigenVal(picture, 3, ksize=3), dtype=np.float32)
