"""Finished parts of a film's work, kept on disk until the work is whole: what a kill leaves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from callsheet.store import remove_leftovers, replacing

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Part:
    """Seconds [start, end) of the film; the last part has no end."""

    number: int
    start: float
    end: float


class PartShelf:
    """The finished parts of one film and one set of settings, kept until all are there.

    They lie in `root`, in a folder that is called by the `mark` of the work they belong to.
    """

    def __init__(self, root: Path, mark: str) -> None:
        self._root = root
        self._folder = root / mark

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
