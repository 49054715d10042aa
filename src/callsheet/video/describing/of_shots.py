"""A small JPEG of each shot at its middle: the film strip of the report."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import Span
from callsheet.video.describing.of_thumbnails import write_jpeg
from callsheet.video.describing.sight import Sight

_HEIGHT = 60


class ShotPictures:
    """Writes `thumbnails/shot-<shot>.jpg`."""

    name = "shots"

    def __init__(
        self, shots: list[Span], folder: Path, *, rate: Fraction, drawn: Iterable[int] = ()
    ) -> None:
        """`drawn`: shots whose picture an earlier run has written."""
        # Three quarters of a frame early: the first frame from then on is the one on the screen at
        # the middle, even in a shot of one frame.
        early = 0.75 / float(rate)
        self._due = np.array([max(shot.start, shot.middle - early) for shot in shots])
        self._ends = np.array([shot.end for shot in shots])
        self._folder = folder
        self._drawn = set(drawn)
        self._done: list[int] = []

    def see(self, sight: Sight) -> None:
        shot = int(np.searchsorted(self._due, sight.time, side="right")) - 1
        if shot >= 0 and shot not in self._drawn and sight.time < self._ends[shot]:
            write_jpeg(self._folder / f"shot-{shot}.jpg", sight.small(_HEIGHT))
            self._drawn.add(shot)
            self._done.append(shot)

    def take(self) -> dict[str, NDArray[Any]]:
        done, self._done = self._done, []
        return {"shot": np.array(done, np.int64)}
