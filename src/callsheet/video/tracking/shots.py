"""Followed pieces gathered shot by shot, in pixels of the displayed picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from callsheet.core import TrackKind
from callsheet.video.tracking.finishing import ShotClock
from callsheet.video.tracking.pieces import Followed
from callsheet.video.tracking.tracklet import Tracklet


@dataclass(frozen=True, slots=True)
class ShotTracklets:
    """Everything followed in one shot."""

    shot: int
    clock: ShotClock
    tracklets: dict[TrackKind, list[Tracklet]]


def shots_of(
    followed: Iterable[Followed], ends: Mapping[int, float], *, scale: tuple[float, float]
) -> Iterator[ShotTracklets]:
    """One `ShotTracklets` a shot that has frames; `ends` holds each shot's end in seconds."""
    for shot, pieces in groupby(followed, key=lambda f: f.piece.shot):
        parts = [p for p in pieces if len(p.frames)]
        if not parts:
            continue
        times = np.concatenate([p.times for p in parts])
        clock = ShotClock(int(parts[0].frames[0]), times, max(ends[shot], float(times[-1])))
        tracklets = {
            kind: [_scaled(t, scale) for p in parts for t in p.tracklets.get(kind, [])]
            for kind in TrackKind
        }
        yield ShotTracklets(shot, clock, tracklets)


def _scaled(tracklet: Tracklet, scale: tuple[float, float]) -> Tracklet:
    return Tracklet(
        tracklet.frames, tracklet.times, tracklet.boxes * np.array([*scale, *scale]),
        tracklet.confidences, tracklet.detected, tracklet.landmarks * np.array(scale),
        tracklet.sharpness,
    )  # fmt: skip
