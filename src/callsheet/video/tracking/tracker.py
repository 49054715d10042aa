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
from callsheet.video.geometry import as_boxes, grown, pairwise_iou
from callsheet.video.tracking.association import best_pairs
from callsheet.video.tracking.motion import Motion
from callsheet.video.tracking.target import Target
from callsheet.video.tracking.tracklet import Tracklet

_WIDENED = 0.5
"""Share of its sides by which a box grows on each side in the second matching."""


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
        # Unseen when the detector last looked: likely behind something, whose motion the points
        # would take on. Straight on is the better guess then.
        seen = [t for t in self._active if t.last_seen >= self._looked]
        followed = dict(zip(seen, motion.follow_each([t.points for t in seen]), strict=True))
        for target in self._active:
            target.move(frame, time, motion, followed.get(target))
        if detections is not None:
            self.look(frame, time, motion, detections)

    def look(self, frame: int, time: float, motion: Motion, detections: Detections) -> None:
        """Take in the detections of the latest frame."""
        self._looked = time
        self._match(frame, time, motion, detections)
        self._end_lost(time)

    def wants_look(self) -> bool:
        """Whether a person who was seen at the latest look has just been lost from sight."""
        return any(t.adrift and t.last_seen >= self._looked for t in self._active)

    def finish(self) -> list[Tracklet]:
        """All tracklets, each from its first detection to its last."""
        tracklets = [*self._ended, *(t.tracklet() for t in self._active)]
        self._active, self._ended = [], []
        return tracklets

    def _match(self, frame: int, time: float, motion: Motion, found: Detections) -> None:
        """Sure detections first, then sure ones a box further off, then unsure ones."""
        sure = found.confidences >= self._following.start_confidence
        kept = (found.confidences >= self._following.keep_confidence) & ~sure
        seen = _Sighting(found, motion, self._following.overlap)
        left, free = seen.give(self._active, np.flatnonzero(sure))
        left, free = seen.give(left, free, widened=_WIDENED)
        seen.give(left, np.flatnonzero(kept))
        for index in free:
            self._active.append(Target(frame, time, motion, found, int(index)))

    def _end_lost(self, time: float) -> None:
        patience = self._following.patience_seconds
        lost = [t for t in self._active if time - t.last_seen > patience]
        self._ended += [t.tracklet() for t in lost]
        self._active = [t for t in self._active if time - t.last_seen <= patience]


@dataclass(frozen=True, slots=True)
class _Sighting:
    """The detections of one frame, given out to targets."""

    found: Detections
    motion: Motion
    overlap: float

    def give(
        self, targets: list[Target], choice: NDArray[np.intp], *, widened: float = 0.0
    ) -> tuple[list[Target], NDArray[np.intp]]:
        """Match chosen detections to targets; return the targets and detections left over.

        `widened` makes all boxes larger by that share on every side before they are compared:
        a small box that moved by its own width does not overlap where it was expected.
        """
        moved = grown(as_boxes([t.box for t in targets]), widened)
        similarity = pairwise_iou(moved, grown(self.found.boxes[choice], widened))
        pairs = best_pairs(similarity, self.overlap)
        for row, column in pairs:
            targets[row].see(self.motion, self.found, int(choice[column]))
        rows, columns = {r for r, _ in pairs}, [c for _, c in pairs]
        return [t for i, t in enumerate(targets) if i not in rows], np.delete(choice, columns)
