"""A film cut into parts of a minute at most: what is lost at most when a run is killed.

A part ends at the last cut of its minute (or with the minute itself within a long shot), so
parts depend on the film alone and not on when a run was killed. What a finished part gave lies
in one `.npz` file; all of them together become the film's descriptors.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.video.shelf import Arrays, Part, PartShelf

_SHORTEST = 0.25
"""Of the longest part."""


def parts_of(starts: Sequence[float], end: float, seconds: float) -> list[Part]:
    """Parts of at most so many seconds of a film whose shots begin at `starts` (in order)."""
    edges = [0.0]
    while end - edges[-1] >= seconds:
        edges.append(_last_cut(starts, edges[-1], seconds))
    ends = [*edges[1:], float("inf")]
    return [Part(n, a, b) for n, (a, b) in enumerate(zip(edges, ends, strict=True))]


def _last_cut(starts: Sequence[float], edge: float, seconds: float) -> float:
    """Where the part ends that begins at an edge; very short parts cost more than they save."""
    place = bisect_right(starts, edge + seconds) - 1
    cut = starts[place] if place >= 0 else edge
    return cut if cut > edge + seconds * _SHORTEST else edge + seconds


@dataclass(frozen=True, slots=True)
class FilmParts:
    """All finished parts of a film, read as whole columns."""

    shelf: PartShelf
    parts: Sequence[Part]

    def each(self) -> Iterator[Arrays]:
        """What each part gave, one part in memory at a time."""
        return (self.shelf.get(part) for part in self.parts)

    def array(self, name: str) -> NDArray[Any]:
        """One array of all parts, joined in order."""
        return np.concatenate([given[name] for given in self.each()])
