"""What a detector finds in one frame, and the form every detector has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from callsheet.video.geometry import Boxes
from callsheet.video.stream_picture import Picture

LANDMARKS = ("right_eye", "left_eye", "nose", "right_mouth", "left_mouth")
"""The five points of a face, by the person's own right and left."""


@dataclass(frozen=True, slots=True)
class Detections:
    """n boxes with confidences (0 to 1); of faces also five points and the sharpness.

    `boxes` (n, 4), `confidences` (n,), `landmarks` (n, 5, 2), `sharpness` (n,); those that a
    detector does not give are nan. Pixels of the picture that was given.
    """

    boxes: Boxes
    confidences: NDArray[np.float64]
    landmarks: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 5, 2)))
    sharpness: NDArray[np.float64] = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        count = len(self.boxes)
        if len(self.landmarks) != count:
            object.__setattr__(self, "landmarks", np.full((count, 5, 2), np.nan))
        if len(self.sharpness) != count:
            object.__setattr__(self, "sharpness", np.full(count, np.nan))

    def __len__(self) -> int:
        return len(self.boxes)

    def where(self, chosen: NDArray[np.bool_]) -> Detections:
        """Those that are chosen."""
        return Detections(
            self.boxes[chosen],
            self.confidences[chosen],
            self.landmarks[chosen],
            self.sharpness[chosen],
        )


NOTHING = Detections(np.empty((0, 4)), np.empty(0))


class Detector(Protocol):
    """Finds boxes in pictures."""

    def detect(self, pictures: Sequence[Picture]) -> list[Detections]:
        """One `Detections` a picture (BGR, all of one size)."""
