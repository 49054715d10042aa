"""Describers of bodies: words of their dense trajectories, and their appearance."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.video.appearance.looking import Looker
from callsheet.video.describing.plan import Rows
from callsheet.video.describing.sight import Sight
from callsheet.video.trajectories.tracer import (
    Boxes,
    Finished,
    Tracer,
    TraceRules,
    descriptors,
)
from callsheet.video.trajectories.words import MotionWords

_FASTEST_RATE = 30
"""Pictures a second that trajectories are made for; faster films are traced at every n-th."""
_BATCH = 1024
"""Trajectories whose words are looked up together."""


class MotionDescriber:
    """Counts, for each body track, how often each motion word occurs."""

    name = "motion"

    def __init__(
        self,
        rows: Rows,
        words: MotionWords,
        channels: tuple[str, ...],
        *,
        height: int,
        scale: float,
        rate: Fraction,
        rules: TraceRules,
        cuts: NDArray[np.float64],
    ) -> None:
        """`scale`: working pixels a film pixel; `cuts`: seconds at which shots start."""
        self._rows, self._words, self._channels = rows, words, channels
        self._height, self._scale = height, scale
        self._every = max(1, round(rate / _FASTEST_RATE))
        self._cuts = cuts
        self._tracer = Tracer(rules)
        self.widths = {channel: words.count(channel) for channel in channels}
        self._shot = -1
        self._found = self._nothing()
        self._waiting: list[NDArray[np.float32]] = []

    def see(self, sight: Sight) -> None:
        if sight.number % self._every:
            return
        shot = int(np.searchsorted(self._cuts, sight.time, side="right"))
        at = self._rows.at(sight.number)
        if shot != self._shot or at.stop == at.start:
            self._tracer.restart()
        self._shot = shot
        if at.stop > at.start:
            boxes = _boxes(self._rows["track"][at], self._rows["box"][at] * self._scale)
            self._count(self._tracer.step(sight.gray(self._height), boxes))

    def take(self) -> dict[str, NDArray[Any]]:
        """Columns of the trajectories' words: `track`, then one a channel."""
        self._find_words()
        given = {
            name: np.concatenate([np.empty(0, np.int32), *found]).astype(np.int32)
            for name, found in self._found.items()
        }
        self._tracer.restart()
        self._shot, self._found = -1, self._nothing()
        return given

    def _count(self, finished: Finished) -> None:
        if len(finished.tracks):
            self._found["track"].append(finished.tracks)
            self._waiting.append(finished.tubes)
        if sum(map(len, self._waiting)) >= _BATCH:
            self._find_words()

    def _find_words(self) -> None:
        if self._waiting:
            tubes = np.concatenate(self._waiting)
            for channel in self._channels:
                nearest = self._words.nearest(channel, descriptors(tubes, channel))
                self._found[channel].append(nearest)
            self._waiting = []

    def _nothing(self) -> dict[str, list[NDArray[Any]]]:
        return {name: [] for name in ("track", *self._channels)}


class AppearanceDescriber:
    """Sums up what the picture network sees in each body's box."""

    name = "appearance"

    def __init__(self, rows: Rows, looker: Looker) -> None:
        self._rows = rows
        self._looker = looker
        self.widths = {self.name: looker.width}
        self._sums: dict[int, Any] = {}
        self._counts: dict[int, int] = {}

    def see(self, sight: Sight) -> None:
        at = self._rows.at(sight.number)
        if at.stop == at.start:
            return
        vectors = self._looker.look(sight.colours(), self._rows["box"][at])
        for track, vector in zip(self._rows["track"][at].tolist(), vectors, strict=True):
            self._sums[track] = self._sums.get(track, 0.0) + vector
            self._counts[track] = self._counts.get(track, 0) + 1

    def take(self) -> dict[str, NDArray[Any]]:
        width = self._looker.width
        given: dict[str, NDArray[Any]] = {
            "track": np.array(list(self._sums), np.int64),
            "count": np.array(list(self._counts.values()), np.int64),
            "sum": np.array(list(self._sums.values()), np.float32).reshape(-1, width),
        }
        self._sums, self._counts = {}, {}
        return given


def _boxes(tracks: NDArray[np.int64], sides: NDArray[np.float64]) -> Boxes:
    """x, y, w, h -> corners."""
    return Boxes(tracks, np.hstack([sides[:, :2], sides[:, :2] + sides[:, 2:]]))
