"""The nearest point of a simplex, one row at a time.

Letters: y is the point Π(c) = [c − τ]₊ over the allowed labels, with τ such that Σ y = 1.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True, nogil=True)
def project_row(
    point: NDArray[np.float64], allowed: NDArray[np.bool_], out: NDArray[np.float64]
) -> int:
    """Write the nearest point of the allowed simplex to `out`; return the size of its support.

    Labels at or below the threshold are dropped until none is (Michelot); the largest entry is
    taken off first, so that large points lose no digits.
    """
    top = -np.inf
    for k in range(point.size):
        if allowed[k] and point[k] > top:
            top = point[k]
    threshold = -1.0
    kept = -1
    while True:
        total = 0.0
        count = 0
        for k in range(point.size):
            if allowed[k] and point[k] - top > threshold:
                total += point[k] - top
                count += 1
        if count == kept:
            break
        kept = count
        threshold = (total - 1.0) / count
    for k in range(point.size):
        out[k] = max(point[k] - top - threshold, 0.0) if allowed[k] else 0.0
    return kept


@njit(cache=True, nogil=True)
def threshold_without(
    point: NDArray[np.float64], allowed: NDArray[np.bool_], label: int
) -> tuple[float, float]:
    """Return (τ, max) of the allowed labels other than `label`.

    `label` gets a share once its entry exceeds τ, and the whole row from max + 1 on.
    """
    top = -np.inf
    for k in range(point.size):
        if k != label and allowed[k] and point[k] > top:
            top = point[k]
    threshold = -1.0
    kept = -1
    while True:
        total = 0.0
        count = 0
        for k in range(point.size):
            if k != label and allowed[k] and point[k] - top > threshold:
                total += point[k] - top
                count += 1
        if count == kept:
            break
        kept = count
        threshold = (total - 1.0) / count
    return threshold + top, top
