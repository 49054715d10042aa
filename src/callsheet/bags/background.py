"""The background set: tracks that no bag speaks of, and those of crowded shots."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.bags.tracks import FilmTracks
from callsheet.core import Bag

Array = NDArray[Any]


CROWD = 8
"""A shot is crowded when more tracks of a kind are seen at once."""


def background_tracks(tracks: FilmTracks, bags: Iterable[Bag], *, crowd: int = CROWD) -> Array:
    """Places (in `tracks`, all of one kind) of those in no bag or in a crowded shot."""
    spoken_of = np.fromiter((t for bag in bags for t in bag.tracks), dtype=np.int64)
    crowded = crowded_shots(tracks, crowd)
    return np.flatnonzero(~np.isin(tracks.track, spoken_of) | np.isin(tracks.shot, crowded))


def crowded_shots(tracks: FilmTracks, crowd: int) -> Array:
    """Shots in which more than `crowd` of these tracks are seen at one instant.

    Tracks of unknown shot (-1) are never in a crowd.
    """
    known = tracks.take(tracks.shot >= 0)
    if not len(known):
        return np.zeros(0, np.int64)
    shot = np.tile(known.shot, 2)
    time = np.concatenate([known.start, known.end])
    step = np.repeat([1, -1], len(known))
    order = np.lexsort((step, time, shot))  # at one instant, leave before you enter
    seen = np.cumsum(step[order])  # every shot's steps sum to zero, so each begins anew
    shots, first = np.unique(shot[order], return_index=True)
    return shots[np.maximum.reduceat(seen, first) > crowd]
