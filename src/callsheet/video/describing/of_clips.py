"""Describer of bodies by clips: short runs of pictures through a clip network such as I3D.

A body's track is cut into runs of `every` frames, counted from its first; the first pictures of
each run are one clip. All pictures of a clip show the same square region, which holds the body
during the whole clip, so that the body moves in it and not the region. A clip that is cut short
(the track or the part of the film ends) counts for the share of its pictures.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.video.appearance.looking import cut_out
from callsheet.video.clips.network import ClipNetwork
from callsheet.video.describing.of_faces import unit
from callsheet.video.describing.plan import Rows, by_track
from callsheet.video.describing.sight import Sight
from callsheet.video.network import resized
from callsheet.video.stream_picture import Picture

_USUAL_RATE = 25
"""Pictures a second that clip networks are trained on; of faster films every n-th is taken."""


class ClipDescriber:
    """Sums up what the clip network sees in each body's clips."""

    name = "clip"

    def __init__(self, rows: Rows, network: ClipNetwork) -> None:
        """`rows` of `clip_rows`, made for the network's length."""
        self._rows, self._network = rows, network
        self.widths = {self.name: network.width()}
        self._open: dict[tuple[int, int], list[Picture]] = {}
        self._sums: dict[int, Any] = {}

    def see(self, sight: Sight) -> None:
        for row in range(*self._rows.at(sight.number).indices(len(self._rows))):
            region = cut_out(sight.colours(), self._rows["region"][row])
            key = int(self._rows["track"][row]), int(self._rows["clip"][row])
            pictures = self._open.setdefault(key, [])
            pictures.append(resized(region, self._network.recipe))
            if self._rows["last"][row]:
                self._run(key[0], self._open.pop(key))

    def take(self) -> dict[str, NDArray[Any]]:
        for (track, _), pictures in self._open.items():
            self._run(track, pictures)
        width = self.widths[self.name]
        given: dict[str, NDArray[Any]] = {
            "track": np.array(list(self._sums), np.int64),
            "sum": np.array(list(self._sums.values()), np.float32).reshape(-1, width),
        }
        self._open, self._sums = {}, {}
        return given

    def _run(self, track: int, pictures: list[Picture]) -> None:
        share = len(pictures) / self._network.length
        vector = unit(self._network.run(pictures)[None])[0]
        self._sums[track] = self._sums.get(track, 0.0) + share * vector


def clip_rows(bodies: Rows, *, length: int, every: int, rate: Fraction) -> Rows:
    """The frames that clips need, with `track`, `clip` (number within the track), `region` (n, 4:
    x, y, w, h) and `last` (whether the clip ends here)."""
    step = max(1, round(rate / _USUAL_RATE))
    run = max(every, length * step)
    kept: list[NDArray[np.int64]] = [np.empty(0, np.int64)]
    clips, regions, lasts = [np.empty(0, np.int64)], [np.empty((0, 4))], [np.empty(0, bool)]
    for rows in by_track(bodies["track"], np.arange(len(bodies))):
        offset = bodies.frames[rows] - bodies.frames[rows[0]]
        for clip in range(int(offset[-1]) // run + 1):
            place = offset - clip * run
            due = (place >= 0) & (place < length * step) & (place % step == 0)
            chosen = rows[due]
            if len(chosen):
                kept.append(chosen)
                clips.append(np.full(len(chosen), clip))
                regions.append(np.tile(_square(bodies["box"][chosen]), (len(chosen), 1)))
                lasts.append(np.arange(len(chosen)) == len(chosen) - 1)
    which = np.concatenate(kept)
    return Rows(
        bodies.frames[which], track=bodies["track"][which], clip=np.concatenate(clips),
        region=np.concatenate(regions), last=np.concatenate(lasts),
    )  # fmt: skip


def _square(boxes: NDArray[np.float64]) -> NDArray[np.float64]:
    """The square around all boxes (n, 4) of a clip, about their middle."""
    low, high = boxes[:, :2].min(axis=0), (boxes[:, :2] + boxes[:, 2:]).max(axis=0)
    side = float((high - low).max())
    return np.array([*((low + high) / 2 - side / 2), side, side])
