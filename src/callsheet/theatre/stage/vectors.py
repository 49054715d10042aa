"""Small vector sums, spelled out.

A matrix product may round differently from call to call (it depends on where the arrays lie in
memory), which is enough to swap two cones that meet in one place: the same seed would then not
give the same frames.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def dot(a: Array, b: Array) -> Array:
    """Sum of products over the last axis (of three)."""
    total: Array = a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2]
    return total


def length(vectors: Array) -> Array:
    lengths: Array = np.sqrt(dot(vectors, vectors))
    return lengths


def unit(vectors: Array) -> Array:
    ones: Array = vectors / np.maximum(length(vectors), 1e-9)[..., None]
    return ones


def placed(points: Array, axes: Array) -> Array:
    """Places told along three axes (rows), in the axes' own frame."""
    total: Array = (
        points[..., :1] * axes[0] + points[..., 1:2] * axes[1] + points[..., 2:] * axes[2]
    )
    return total
