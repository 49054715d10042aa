"""Which faces of a track are described: sure ones, spread over its time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def spread_best(
    times: NDArray[np.float64], confidences: NDArray[np.floating], count: int
) -> NDArray[np.int64]:
    """Indices (in order of time) of at most `count` faces: the surest of each equal part of the
    track's time, then the surest of the rest."""
    if len(times) <= count:
        return np.argsort(times, kind="stable")
    start, length = times.min(), np.ptp(times)
    part = np.minimum((times - start) / max(length, 1e-9) * count, count - 1).astype(int)
    by_confidence = np.lexsort((times, -np.asarray(confidences, dtype=np.float64)))
    _, first_of_part = np.unique(part[by_confidence], return_index=True)
    chosen = by_confidence[first_of_part]
    rest = by_confidence[~np.isin(by_confidence, chosen)][: count - len(chosen)]
    both = np.concatenate([chosen, rest])
    return both[np.argsort(times[both], kind="stable")]
