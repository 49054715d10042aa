"""How much a face can be trusted: its size, sharpness, pose and the detector's confidence."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from callsheet.video.stream_picture import Picture

_GOOD_EYE_DISTANCE = 24.0
"""Pixels between the eyes from which on size no longer matters."""
_SHARP_VARIANCE = 100.0
"""Variance of the Laplacian of an aligned face that counts as half sharp."""


def face_quality(face: Picture, points: NDArray[np.floating], confidence: float) -> float:
    """0 to 1: the geometric mean of four parts, so that one bad part tells.

    `face` is the aligned face, `points` the five landmarks in the frame's own pixels.
    """
    parts = (size_of(points), sharpness_of(face), frontality(points), confidence)
    return float(np.prod(np.clip(parts, 0.0, 1.0)) ** (1 / len(parts)))


def size_of(points: NDArray[np.floating]) -> float:
    """Distance of the eyes against a good one."""
    return min(1.0, float(np.linalg.norm(points[1] - points[0])) / _GOOD_EYE_DISTANCE)


def frontality(points: NDArray[np.floating]) -> float:
    """1 where the nose stands midway between the eyes, 0 where it stands under or beyond one."""
    axis = points[1] - points[0]
    length = float(axis @ axis)
    place = float((points[2] - points[0]) @ axis) / length if length > 0 else 0.0
    return max(0.0, 1.0 - 2.0 * abs(place - 0.5))


def sharpness_of(face: Picture) -> float:
    """0 (no detail) to 1, from the variance of the Laplacian."""
    gray = cv2.cvtColor(face, cv2.COLOR_BGR2GRAY)
    variance = float(cv2.Laplacian(gray, cv2.CV_64F).var())
    return variance / (variance + _SHARP_VARIANCE)
