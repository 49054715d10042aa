"""Whole tracks from joined tracklets: gaps filled, boxes smoothed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.video.tracking.tracklet import Numbers, Tracklet

_MOST_SHIFT = 0.2
"""Share of a box's sides by which smoothing may shift or resize it."""


def filled(tracklet: Tracklet, clock: NDArray[np.float64], first_frame: int) -> Tracklet:
    """Give every frame between its first and last a box, straight between its neighbours.

    `clock` holds the times of the frames `first_frame`, `first_frame` + 1, ...
    """
    frames = np.arange(tracklet.frames[0], tracklet.frames[-1] + 1)
    if len(frames) == len(tracklet):
        return tracklet
    rows = np.searchsorted(frames, tracklet.frames)
    times = clock[frames - first_frame]
    known = tracklet.times
    boxes = np.stack([np.interp(times, known, column) for column in tracklet.boxes.T], axis=1)
    return Tracklet(
        frames, times, boxes, _gap_means(tracklet, frames),
        _spread(tracklet.detected, rows, len(frames), False),
        _spread(tracklet.landmarks, rows, len(frames), np.nan),
        _spread(tracklet.sharpness, rows, len(frames), np.nan),
    )  # fmt: skip


def smoothed(tracklet: Tracklet, seconds: float) -> Tracklet:
    """Boxes averaged over neighbours in time, detections weighing by their confidence.

    A local straight line is fitted (not a mean), so that steady motion stays where it is; and
    no box is shifted by more than detectors err, so that sudden motion stays too.
    """
    if seconds <= 0 or len(tracklet) < 3:
        return tracklet
    weights = np.where(tracklet.detected, np.maximum(tracklet.confidences, 0.05), 0.3)
    centres = tracklet.boxes[:, :2] + tracklet.boxes[:, 2:] / 2
    columns = np.hstack([centres, tracklet.boxes[:, 2:]])
    smooth = _local_lines(tracklet.times, columns, weights, seconds)
    limit = _MOST_SHIFT * tracklet.boxes[:, [2, 3, 2, 3]]
    smooth = columns + np.clip(smooth - columns, -limit, limit)
    sizes = np.maximum(smooth[:, 2:], 1e-3)
    return tracklet.with_boxes(np.hstack([smooth[:, :2] - sizes / 2, sizes]))


def _local_lines(times: Numbers, columns: Numbers, weights: Numbers, seconds: float) -> Numbers:
    """At each time the value of the weighted straight line through the columns near it."""
    smooth = np.empty_like(columns)
    first = np.searchsorted(times, times - 3 * seconds)
    last = np.searchsorted(times, times + 3 * seconds, side="right")
    for row, (a, b) in enumerate(zip(first, last, strict=True)):
        offset = times[a:b] - times[row]
        w = weights[a:b] * np.exp(-0.5 * (offset / seconds) ** 2)
        w /= w.sum()
        mean_offset = w @ offset
        centred = offset - mean_offset
        spread = w @ centred**2
        mean = w @ columns[a:b]
        slope = (w * centred) @ columns[a:b] / spread if spread > 1e-12 else 0.0
        smooth[row] = mean - slope * mean_offset
    return smooth


def _gap_means(tracklet: Tracklet, frames: NDArray[np.int64]) -> Numbers:
    """Confidences; in a gap the mean of its two ends."""
    after = np.searchsorted(tracklet.frames, frames)
    before = np.searchsorted(tracklet.frames, frames, side="right") - 1
    return np.asarray((tracklet.confidences[before] + tracklet.confidences[after]) / 2)


def _spread(values: NDArray[Any], rows: NDArray[np.intp], count: int, empty: Any) -> NDArray[Any]:
    wide = np.full((count, *values.shape[1:]), empty, dtype=values.dtype)
    wide[rows] = values
    return wide
