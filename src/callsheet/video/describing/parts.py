"""A film cut into parts of a minute at most: what is lost at most when a run is killed.

A part ends at the last cut of its minute (or with the minute itself within a long shot), so
parts depend on the film alone and not on when a run was killed. What a finished part gave lies
in one `.npz` file; all of them together become the film's descriptors.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from callsheet.store import remove_leftovers, replacing

Arrays = Mapping[str, NDArray[Any]]

_SHORTEST = 0.25
"""Of the longest part."""


@dataclass(frozen=True, slots=True)
class Part:
    """Seconds [start, end) of the film; the last part has no end."""

    number: int
    start: float
    end: float


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


class PartShelf:
    """The finished parts of one film and one set of settings, kept until all are there."""

    def __init__(self, folder: Path, mark: str) -> None:
        self._root = folder / "features.partial"
        self._folder = self._root / mark

    def has(self, part: Part) -> bool:
        return self._path(part).exists() and bool(self.get(part))

    def put(self, part: Part, arrays: Arrays) -> None:
        with replacing(self._path(part)) as temporary, temporary.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)

    def get(self, part: Part) -> Arrays:
        """What the part gave; nothing where its file is damaged (it is then made again)."""
        try:
            with self._path(part).open("rb") as file, np.load(file, allow_pickle=False) as stored:
                return {name: stored[name] for name in stored.files}
        except (ValueError, OSError, EOFError, BadZipFile):
            return {}

    def clear(self) -> None:
        """Remove the parts, also those of other settings."""
        remove_leftovers(self._root)
        for path in sorted(self._root.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        if self._root.is_dir():
            self._root.rmdir()

    def _path(self, part: Part) -> Path:
        return self._folder / f"{part.number:05d}.npz"


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
