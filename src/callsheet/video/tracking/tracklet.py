"""A track while it is being made: one row a frame, detected or followed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Tracklet:
    """n frames of one person, in order of time.

    `frames` (n,) numbers, `times` (n,) seconds, `boxes` (n, 4) pixels, `confidences` (n,),
    `detected` (n,) whether the detector saw it there, `landmarks` (n, 5, 2) and `sharpness`
    (n,) of the detections, nan elsewhere.
    """

    frames: NDArray[np.int64]
    times: Numbers
    boxes: Numbers
    confidences: Numbers
    detected: NDArray[np.bool_]
    landmarks: Numbers
    sharpness: Numbers

    def __len__(self) -> int:
        return len(self.frames)

    def part(self, rows: slice | NDArray[np.bool_]) -> Tracklet:
        """Some of its frames."""
        return Tracklet(
            self.frames[rows],
            self.times[rows],
            self.boxes[rows],
            self.confidences[rows],
            self.detected[rows],
            self.landmarks[rows],
            self.sharpness[rows],
        )

    def with_boxes(self, boxes: Numbers) -> Tracklet:
        """The same frames with other boxes."""
        return Tracklet(
            self.frames, self.times, boxes, self.confidences, self.detected,
            self.landmarks, self.sharpness,
        )  # fmt: skip


def are_apart(a: Tracklet, b: Tracklet) -> bool:
    """Whether one ends before the other starts: a cheap question before dearer ones."""
    return bool(a.frames[-1] < b.frames[0] or b.frames[-1] < a.frames[0])


def joined(parts: list[Tracklet]) -> Tracklet:
    """Parts one after the other as one tracklet."""
    return Tracklet(
        np.concatenate([p.frames for p in parts]),
        np.concatenate([p.times for p in parts]),
        np.concatenate([p.boxes for p in parts]),
        np.concatenate([p.confidences for p in parts]),
        np.concatenate([p.detected for p in parts]),
        np.concatenate([p.landmarks for p in parts]),
        np.concatenate([p.sharpness for p in parts]),
    )
