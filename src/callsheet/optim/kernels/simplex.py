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
    threshold, kept = _threshold(point, allowed, -1, top)
    for k in range(point.size):
        out[k] = max(point[k] - top - threshold, 0.0) if allowed[k] else 0.0
    support: int = kept
    return support


@njit(cache=True, nogil=True)
def threshold_without(
    point: NDArray[np.float64], allowed: NDArray[np.bool_], label: int
) -> tuple[float, float]:
    """Return (τ, max) of the allowed labels other than `label`.

    `label` gets a share once its entry exceeds τ, and the whole row from max + 1 on: at once if
    no other label is allowed.
    """
    top = -np.inf
    for k in range(point.size):
        if k != label and allowed[k] and point[k] > top:
            top = point[k]
    if top == -np.inf:
        return top, top
    threshold, _ = _threshold(point, allowed, label, top)
    return threshold + top, top


@njit(cache=True, nogil=True)
def _threshold(
    point: NDArray[np.float64], allowed: NDArray[np.bool_], without: int, top: float
) -> tuple[float, int]:
    """Return τ − top and the number of labels above it; `without` (or −1) is left out.

    The labels above the threshold only ever become fewer. Rounding may bring back one that lies
    on it, round after round; that is the end as well.
    """
    threshold = -1.0
    kept = point.size + 1
    while True:
        total = 0.0
        count = 0
        for k in range(point.size):
            if k != without and allowed[k] and point[k] - top > threshold:
                total += point[k] - top
                count += 1
        if count >= kept:
            return threshold, kept
        kept = count
        threshold = (total - 1.0) / count
