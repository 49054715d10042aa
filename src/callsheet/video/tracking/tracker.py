"""The tracker of one kind of box within one shot, the same for faces and bodies.

Every frame each target is moved along (KLT, or straight on while it is unseen); on frames with
detections the moved boxes and the detections are matched one to one (Hungarian, IoU), sure
detections first, unsure ones for those left over. A target that goes unseen for longer
than the patience ends at its last detection (`joining` may bridge the gap afterwards).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from callsheet.video.detection import Detections
from callsheet.video.geometry import Boxes, as_boxes, pairwise_iou
from callsheet.video.tracking.association import best_pairs
from callsheet.video.tracking.motion import Motion
from callsheet.video.tracking.target import Target
from callsheet.video.tracking.tracklet import Tracklet


@dataclass(frozen=True, slots=True)
class Following:
    """How the tracker decides. Confidences are the detector's, 0 to 1."""

    start_confidence: float
    keep_confidence: float
    overlap: float = 0.3
    patience_seconds: float = 0.2


class Tracker:
    """Feed it every frame of a shot in order; `finish` gives the tracklets."""

    def __init__(self, following: Following) -> None:
        self._following = following
        self._active: list[Target] = []
        self._ended: list[Tracklet] = []
        self._looked = -math.inf

    def step(self, frame: int, time: float, motion: Motion, detections: Detections | None) -> None:
        """Go on by one frame; `detections` is None where the detector does not look."""
        for target in self._active:
            # Unseen when the detector last looked: likely behind something, whose motion the
            # points would take on. Straight on is the better guess then.
            target.move(frame, time, motion, trust_flow=target.last_seen >= self._looked)
        if detections is not None:
            self.look(frame, time, detections)

    def look(self, frame: int, time: float, detections: Detections) -> None:
        """Take in the detections of the latest frame."""
        self._looked = time
        self._match(frame, time, detections)
        self._end_lost(time)

    def wants_look(self) -> bool:
        """Whether a person who was seen at the latest look has just been lost from sight."""
        return any(t.adrift and t.last_seen >= self._looked for t in self._active)

    def finish(self) -> list[Tracklet]:
        """All tracklets, each from its first detection to its last."""
        tracklets = [*self._ended, *(t.tracklet() for t in self._active)]
        self._active, self._ended = [], []
        return tracklets

    def _match(self, frame: int, time: float, found: Detections) -> None:
        sure = found.confidences >= self._following.start_confidence
        kept = (found.confidences >= self._following.keep_confidence) & ~sure
        left, free = self._matched(self._active, found, np.flatnonzero(sure))
        self._matched(left, found, np.flatnonzero(kept))
        for index in free:
            self._active.append(Target(frame, time, found, index))

    def _matched(
        self, targets: list[Target], found: Detections, choice: NDArray[np.intp]
    ) -> tuple[list[Target], list[int]]:
        """Give detections to targets; return the targets and detections left over."""
        similarity = pairwise_iou(_boxes_of(targets), found.boxes[choice])
        pairs = best_pairs(similarity, self._following.overlap)
        for row, column in pairs:
            targets[row].see(found, int(choice[column]))
        rows, columns = {r for r, _ in pairs}, {c for _, c in pairs}
        left = [t for i, t in enumerate(targets) if i not in rows]
        return left, [int(c) for i, c in enumerate(choice) if i not in columns]

    def _end_lost(self, time: float) -> None:
        patience = self._following.patience_seconds
        lost = [t for t in self._active if time - t.last_seen > patience]
        self._ended += [t.tracklet() for t in lost]
        self._active = [t for t in self._active if time - t.last_seen <= patience]


def _boxes_of(targets: list[Target]) -> Boxes:
    return as_boxes([t.box for t in targets])
