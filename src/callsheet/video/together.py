"""Which tracks are seen at the same time: nobody is twice in one picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from callsheet.video.tracking.tracklet import Tracklet


def seen_together(tracks: Sequence[Tracklet]) -> Iterator[tuple[int, int, int]]:
    """(first, second, frames in which both are seen) of every pair that shares a frame."""
    for i, first in enumerate(tracks):
        for j in range(i + 1, len(tracks)):
            shared = len(np.intersect1d(first.frames, tracks[j].frames, assume_unique=True))
            if shared:
                yield i, j, shared
