"""Boxes as arrays (n, 4): left, top, width, height in pixels; their overlaps."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Boxes = NDArray[np.float64]


def as_boxes(boxes: Any) -> Boxes:
    """(n, 4) array of floats, also for no boxes at all."""
    return np.asarray(boxes, dtype=np.float64).reshape(-1, 4)


def areas(boxes: Boxes) -> NDArray[np.float64]:
    """Square pixels of each box; never negative."""
    return np.asarray(np.maximum(boxes[..., 2], 0) * np.maximum(boxes[..., 3], 0))


def shared_area(a: Boxes, b: Boxes) -> NDArray[np.float64]:
    """Square pixels in both, broadcasting over the leading axes."""
    left_top = np.maximum(a[..., :2], b[..., :2])
    right_bottom = np.minimum(a[..., :2] + a[..., 2:], b[..., :2] + b[..., 2:])
    sides = np.maximum(right_bottom - left_top, 0)
    return np.asarray(sides[..., 0] * sides[..., 1])


def pairwise_iou(a: Boxes, b: Boxes) -> NDArray[np.float64]:
    """(len(a), len(b)) shared area over joint area."""
    return iou(a[:, None], b[None])


def iou(a: Boxes, b: Boxes) -> NDArray[np.float64]:
    """Shared area over joint area, broadcasting; 0 for empty boxes."""
    shared = shared_area(a, b)
    joint = areas(a) + areas(b) - shared
    return np.divide(shared, joint, out=np.zeros_like(shared), where=joint > 0)


def clipped(boxes: Boxes, width: float, height: float) -> Boxes:
    """The parts of the boxes inside the picture."""
    corner = np.clip(boxes[:, :2], 0, [width, height])
    far = np.clip(boxes[:, :2] + boxes[:, 2:], 0, [width, height])
    return np.hstack([corner, far - corner])


def grown(boxes: Boxes, share: float) -> Boxes:
    """Boxes larger on every side by a share of their own sides."""
    more = share * boxes[:, 2:]
    return np.hstack([boxes[:, :2] - more, boxes[:, 2:] + 2 * more])
