"""Which tracks are seen at the same time: nobody is twice in one picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from callsheet.video.tracking.tracklet import Tracklet


def seen_together(tracks: Sequence[Tracklet]) -> Iterator[tuple[int, int, int]]:
    """(first, second, frames in which both are seen) of every pair that shares a frame.

    Tracks come in the order in which they start, so that those after the first one that starts
    too late need no look.
    """
    starts = np.array([int(track.frames[0]) for track in tracks])
    for i, first in enumerate(tracks):
        too_late = int(np.searchsorted(starts, first.frames[-1], side="right"))
        for j in range(i + 1, too_late):
            shared = len(np.intersect1d(first.frames, tracks[j].frames, assume_unique=True))
            if shared:
                yield i, j, shared
