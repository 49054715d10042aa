"""One person being followed: its box now, its points, its way so far."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from callsheet.video.detection import Detections
from callsheet.video.tracking.motion import (
    Followed,
    Motion,
    Points,
    grid_points,
    likeness,
    patch,
    step_of,
)
from callsheet.video.tracking.tracklet import Numbers, Tracklet

_NO_LANDMARKS = np.full((5, 2), np.nan)
_VELOCITY_SECONDS = 0.5
_ALIKE = 0.6
"""Correlation with the latest detection below which a followed box shows something else."""


class Target:
    """Follows one person from its first detection on. Rows are kept for every frame."""

    def __init__(
        self, frame: int, time: float, motion: Motion, found: Detections, index: int
    ) -> None:
        self.box: NDArray[np.float64] = found.boxes[index].copy()
        self._points: Points = grid_points(found.boxes[index])
        self.adrift = False
        """Whether it went on blindly: its points were lost, or its box shows something else."""
        self._look = patch(motion.now, self.box)
        self._frames: list[int] = []
        self._times: list[float] = []
        self._boxes: list[NDArray[np.float64]] = []
        self._seen: list[int] = []
        self._detections: list[tuple[float, Numbers, float]] = []
        self._append(frame, time)
        self._note_seen(found, index)

    @property
    def last_seen(self) -> float:
        """When the detector saw it last, seconds."""
        return self._times[self._seen[-1]]

    @property
    def points(self) -> Points:
        """Where its points are in the latest frame."""
        return self._points

    def move(self, frame: int, time: float, motion: Motion, followed: Followed | None) -> None:
        """Follow to the next frame: by its points, or straight on where they are not trusted."""
        step = None if followed is None else step_of(*followed.pairs(self._points))
        if followed is not None and step is not None:
            self.box = step.apply(self.box)
            self._points = followed.places[followed.trusted]
        else:
            self.box = self.box + self._velocity() * (time - self._times[-1])
            self._points = grid_points(self.box)
        self.adrift = step is None or likeness(self._look, patch(motion.now, self.box)) < _ALIKE
        self._append(frame, time)

    def see(self, motion: Motion, found: Detections, index: int) -> None:
        """Take a detection in the latest frame; bend the way since the one before to meet it."""
        box = found.boxes[index]
        self._bend(box - self.box)
        self.box = box.copy()
        self._boxes[-1] = self.box
        self._points = grid_points(self.box)
        self._look = patch(motion.now, self.box)
        self._note_seen(found, index)

    def tracklet(self) -> Tracklet:
        """What is known of it, up to the last detection."""
        end = self._seen[-1] + 1
        seen = np.array(self._seen)
        landmarks = np.full((end, 5, 2), np.nan)
        landmarks[seen] = [d[1] for d in self._detections]
        sharpness = np.full(end, np.nan)
        sharpness[seen] = [d[2] for d in self._detections]
        detected = np.zeros(end, bool)
        detected[seen] = True
        return Tracklet(
            np.array(self._frames[:end], dtype=np.int64), np.array(self._times[:end]),
            np.array(self._boxes[:end]), self._confidences(end), detected, landmarks, sharpness,
        )  # fmt: skip

    def _append(self, frame: int, time: float) -> None:
        self._frames.append(frame)
        self._times.append(time)
        self._boxes.append(self.box)

    def _note_seen(self, found: Detections, index: int) -> None:
        self._seen.append(len(self._frames) - 1)
        self._detections.append(
            (float(found.confidences[index]), found.landmarks[index],
             float(found.sharpness[index]))
        )  # fmt: skip

    def _bend(self, missed: NDArray[np.float64]) -> None:
        """Spread what the following missed evenly over the frames since the last detection."""
        first, last = self._seen[-1], len(self._boxes) - 1
        for row in range(first + 1, last):
            self._boxes[row] = self._boxes[row] + missed * ((row - first) / (last - first))

    def _velocity(self) -> NDArray[np.float64]:
        """Pixels a second of the box's corner over the latest detections; its size stays."""
        last = self._seen[-1]
        first = next(
            (r for r in self._seen if self._times[last] - self._times[r] <= _VELOCITY_SECONDS),
            last,
        )
        seconds = self._times[last] - self._times[first]
        if seconds <= 0:
            return np.zeros(4)
        centres = [self._boxes[r][:2] + self._boxes[r][2:] / 2 for r in (first, last)]
        return np.array([*(centres[1] - centres[0]) / seconds, 0.0, 0.0])

    def _confidences(self, end: int) -> Numbers:
        """Of the detections; between two, their mean."""
        known = np.array([d[0] for d in self._detections])
        rows = np.arange(end)
        after = np.searchsorted(self._seen, rows)
        before = np.searchsorted(self._seen, rows, side="right") - 1
        return np.asarray((known[before] + known[after]) / 2)
