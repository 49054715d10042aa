"""Tracklets of a whole shot -> its tracks: joined, checked, filled, smoothed, told apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from callsheet.core import TrackKind
from callsheet.video.geometry import iou
from callsheet.video.tracking.filling import filled, smoothed
from callsheet.video.tracking.joining import join_gaps
from callsheet.video.tracking.tracklet import Numbers, Tracklet, are_apart

_SAME = 0.6
"""Two tracks of one kind that overlap this much (mean IoU) most of the time are one person."""


@dataclass(frozen=True, slots=True)
class Finishing:
    """Which tracks are kept and how their boxes are mended."""

    bridge_seconds: float
    min_seconds: float
    min_detections: int  # of a tracklet before it may be joined to others
    smooth_seconds: float
    sure: dict[TrackKind, float]  # least mean confidence of a track's detections


@dataclass(frozen=True, slots=True)
class ShotClock:
    """The frames of a shot: numbers without gaps from `first`, their times, and its end."""

    first: int
    times: Numbers
    end: float

    def end_of(self, frame: int) -> float:
        """When a frame stops being shown."""
        following = frame + 1 - self.first
        return float(self.times[following]) if following < len(self.times) else self.end


def finished(
    tracklets: Sequence[Tracklet], kind: TrackKind, *, clock: ShotClock, finishing: Finishing
) -> list[Tracklet]:
    """The tracks of one kind in one shot."""
    seen = [t for t in tracklets if int(t.detected.sum()) >= _least_detections(clock, finishing)]
    chains = join_gaps(seen, finishing.bridge_seconds)
    kept = [t for t in chains if _is_kept(t, kind, clock, finishing)]
    whole = [filled(t, clock.times, clock.first) for t in kept]
    smooth = [smoothed(t, finishing.smooth_seconds) for t in whole]
    return without_doubles(smooth)


def _is_kept(track: Tracklet, kind: TrackKind, clock: ShotClock, finishing: Finishing) -> bool:
    """Long and sure enough; in a shot that is itself very short, half of it is long enough."""
    shot_seconds = clock.end - float(clock.times[0])
    seconds = clock.end_of(int(track.frames[-1])) - float(track.times[0])
    return (
        seconds >= min(finishing.min_seconds, shot_seconds / 2)
        and float(track.confidences[track.detected].mean()) >= finishing.sure[kind]
    )


def _least_detections(clock: ShotClock, finishing: Finishing) -> int:
    return min(finishing.min_detections, len(clock.times))


def without_doubles(tracks: list[Tracklet]) -> list[Tracklet]:
    """Drop tracks that lie on a better seen one nearly all their life."""
    kept: list[Tracklet] = []
    for track in sorted(tracks, key=lambda t: -float(t.confidences[t.detected].sum())):
        if not any(_is_double(track, other) for other in kept):
            kept.append(track)
    return sorted(kept, key=lambda t: (int(t.frames[0]), float(t.boxes[0, 0])))


def _is_double(track: Tracklet, other: Tracklet) -> bool:
    if are_apart(track, other):
        return False
    _, mine, its = np.intersect1d(track.frames, other.frames, return_indices=True)
    if len(mine) < 0.7 * len(track):
        return False
    return float(iou(track.boxes[mine], other.boxes[its]).mean()) >= _SAME
