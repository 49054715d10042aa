"""Tracks seen at the same time: nobody is twice in one picture.

Tracks are intervals, and the largest sets of intervals that share an instant (the maximal
cliques of their interval graph) are found in one sweep. "At most one of a name" in each set
says all that pairs would say, with far fewer quotas.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.bags.tracks import FilmTracks

SHORTEST = 0.2  # seconds shared; shots may touch by a frame


def cooccurring_groups(tracks: FilmTracks, *, shortest: float = SHORTEST) -> list[NDArray[Any]]:
    """Places of tracks (all of one kind) seen together for `shortest` seconds, two or more each."""
    end = tracks.end - shortest
    alive = np.flatnonzero(end > tracks.start)
    time = np.concatenate([tracks.start[alive], end[alive]])
    enters = np.repeat([True, False], len(alive))
    who = np.tile(alive, 2)
    groups, seen, grown = [], set(), False
    for step in np.lexsort((enters, time)):  # at one instant, leave before you enter
        track = int(who[step])
        if enters[step]:
            seen.add(track)
            grown = True
            continue
        if grown and len(seen) > 1:
            groups.append(np.array(sorted(seen)))
        seen.discard(track)
        grown = False
    return groups
