"""A small JPEG of each shot at its middle: the film strip of the report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import Span
from callsheet.video.describing.of_thumbnails import write_jpeg
from callsheet.video.describing.sight import Sight

_HEIGHT = 60
_LATE = 1.0
"""Seconds behind the middle up to which a frame may stand for it (a resumed run begins later)."""


class ShotPictures:
    """Writes `thumbnails/shot-<shot>.jpg`."""

    name = "shots"

    def __init__(self, shots: list[Span], folder: Path) -> None:
        self._middles = np.array([shot.middle for shot in shots])
        self._folder = folder
        self._last = -1
        self._done: list[int] = []

    def see(self, sight: Sight) -> None:
        time = sight.time
        shot = int(np.searchsorted(self._middles, time, side="right")) - 1
        if shot > self._last and time - self._middles[shot] <= _LATE:
            write_jpeg(self._folder / f"shot-{shot}.jpg", sight.small(_HEIGHT))
            self._done.append(shot)
        self._last = max(self._last, shot)

    def take(self) -> dict[str, NDArray[Any]]:
        done, self._done = self._done, []
        return {"shot": np.array(done, np.int64)}
