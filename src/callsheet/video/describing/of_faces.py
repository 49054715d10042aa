"""Describers of faces: descriptors of the chosen ones, and the motion of every mouth."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.video.describing.plan import Rows
from callsheet.video.describing.sight import Sight
from callsheet.video.faces.alignment import aligned_face, boxed_face, is_usable
from callsheet.video.faces.mouths import AlignedFace, aligned_gray, mouth_motion
from callsheet.video.network import PictureNetwork
from callsheet.video.stream_picture import Picture

_FIVE_POINT = "five-point"
_BATCH = 8


class FaceDescriber:
    """Runs the chosen faces of each track through the face network."""

    name = "faces"

    def __init__(self, rows: Rows, network: PictureNetwork) -> None:
        self._rows = rows
        self._network = network
        self.width = math.prod(network.gives())
        self._waiting: list[Picture] = []
        self._tracks: list[int] = []
        self._vectors: list[NDArray[np.float32]] = []

    def see(self, sight: Sight) -> None:
        for row in range(*self._rows.at(sight.number).indices(len(self._rows))):
            points = self._rows["points"][row]
            self._waiting.append(self._cut_out(sight.colours(), points))
            self._tracks.append(int(self._rows["track"][row]))
        if len(self._waiting) >= _BATCH:
            self._run()

    def take(self) -> dict[str, NDArray[Any]]:
        self._run()
        given: dict[str, NDArray[Any]] = {
            "track": np.array(self._tracks, np.int64),
            "vector": np.concatenate([np.empty((0, self.width), np.float32), *self._vectors]),
        }
        self._tracks, self._vectors = [], []
        return given

    def _cut_out(self, picture: Picture, points: NDArray[np.float64]) -> Picture:
        recipe = self._network.recipe
        if recipe.align == _FIVE_POINT:
            return aligned_face(picture, points, recipe)
        return boxed_face(picture, _box_around(points), recipe)

    def _run(self) -> None:
        if self._waiting:
            vectors = self._network.run(self._waiting)
            self._vectors.append(unit(vectors.reshape(len(vectors), -1)))
            self._waiting = []


class MouthDescriber:
    """Measures the mouth of each face track from frame to frame."""

    name = "mouths"

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._before: dict[int, AlignedFace] = {}
        self._tracks: list[int] = []
        self._times: list[float] = []
        self._motions: list[float] = []

    def see(self, sight: Sight) -> None:
        now: dict[int, AlignedFace] = {}
        for row in range(*self._rows.at(sight.number).indices(len(self._rows))):
            points = self._rows["points"][row]
            if not is_usable(points):
                continue
            track = int(self._rows["track"][row])
            now[track] = aligned_gray(sight.gray(), points)
            if track in self._before:
                self._tracks.append(track)
                self._times.append(sight.time)
                self._motions.append(mouth_motion(self._before[track], now[track]))
        self._before = now

    def take(self) -> dict[str, NDArray[Any]]:
        given: dict[str, NDArray[Any]] = {
            "track": np.array(self._tracks, np.int64),
            "time": np.array(self._times, np.float64),
            "motion": np.array(self._motions, np.float32),
        }
        self._before, self._tracks, self._times, self._motions = {}, [], [], []
        return given


def unit(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row at length one; rows of zeros stay."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


def _box_around(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """A square around the whole face, from its five points: 3.2 eye distances wide."""
    middle = points.mean(axis=0)
    side = 3.2 * max(float(np.linalg.norm(points[1] - points[0])), 1.0)
    return np.array([middle[0] - side / 2, middle[1] - side / 2, side, side])
