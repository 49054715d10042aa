"""How good a detection shows a person, 0 to 1: size, sharpness, pose, detector confidence."""

from __future__ import annotations

import numpy as np

from callsheet.core import TrackKind
from callsheet.video.tracking.tracklet import Numbers, Tracklet

_FULL_HEIGHT = {TrackKind.FACE: 112.0, TrackKind.BODY: 256.0}
"""Displayed pixels from which more height shows no more: what the networks take in."""
_BEST = 5


def qualities(track: Tracklet, kind: TrackKind) -> Numbers:
    """Of every frame; 0 where the detector did not see the person."""
    size = np.minimum(track.boxes[:, 3] / _FULL_HEIGHT[kind], 1)
    factors = [np.maximum(size, 0), np.clip(track.confidences, 0, 1)]
    if kind is TrackKind.FACE:
        factors += [np.nan_to_num(track.sharpness), frontality(track.landmarks)]
    mean = np.prod(factors, axis=0) ** (1 / len(factors))
    return np.where(track.detected, mean, 0.0)


def track_quality(of_frames: Numbers) -> float:
    """Mean of the best five: what a descriptor of the track is made of."""
    return float(np.sort(of_frames)[-_BEST:].mean())


def frontality(landmarks: Numbers) -> Numbers:
    """1 for a face that looks at the camera, towards 0 as it turns: the nose between the eyes."""
    eyes = landmarks[:, 1] - landmarks[:, 0]
    length = np.maximum((eyes**2).sum(axis=1), 1e-9)
    along = ((landmarks[:, 2] - landmarks[:, 0]) * eyes).sum(axis=1) / length
    near, far = np.minimum(along, 1 - along), np.maximum(along, 1 - along)
    return np.asarray(np.nan_to_num(np.clip(near / np.maximum(far, 1e-9), 0, 1)))
