"""Who is who: the one-to-one matching with the largest total similarity (Hungarian method)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

Pairs = list[tuple[int, int]]


def best_pairs(similarity: NDArray[np.float64], least: float) -> Pairs:
    """Pairs (row, column), each used once, of largest total similarity among those >= `least`."""
    if similarity.size == 0:
        return []
    # A pair below the least is worth as much as none, so it never displaces a good one.
    worth = np.where(similarity >= least, similarity, 0.0)
    rows, columns = linear_sum_assignment(worth, maximize=True)
    return [
        (int(r), int(c))
        for r, c in zip(rows, columns, strict=True)
        if similarity[r, c] >= least and similarity[r, c] > 0
    ]
