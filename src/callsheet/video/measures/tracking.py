"""Our tracker and SORT on the same given detections, scored by motmetrics."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from callsheet.core import TrackKind
from callsheet.errors import MissingExtraError
from callsheet.video.geometry import pairwise_iou
from callsheet.video.measures.mot import Sequence
from callsheet.video.measures.sort import sort_tracks
from callsheet.video.settings import TrackSettings
from callsheet.video.tracking.finishing import ShotClock, finished
from callsheet.video.tracking.motion import Motion
from callsheet.video.tracking.tracker import Tracker
from callsheet.video.tracks import finishing_of, following_of

SETTINGS = TrackSettings(every=1, faces=False)
"""Those of `callsheet tracks`, but for the detections, which are given for every frame."""
_SAME = 0.5
"""IoU from which a box counts as found."""


@dataclass(frozen=True, slots=True)
class Score:
    """What motmetrics says of one tracker on one sequence."""

    sequence: str
    tracker: str
    idf1: float
    mota: float
    switches: int
    false_boxes: int
    missed_boxes: int


def compare(sequence: Sequence) -> Iterator[Score]:
    """Ours, then SORT."""
    given = ((f, sequence.detected(f).boxes) for f in sequence.frames)
    yield _score(sequence, "callsheet", our_tracks(sequence))
    yield _score(sequence, "SORT", sort_tracks(given))


def our_tracks(sequence: Sequence) -> NDArray[np.float64]:
    """Rows of frame, id, x, y, w, h of our tracker; KLT motion where pictures are at hand."""
    following = following_of(SETTINGS, SETTINGS.person_confidence, sequence.rate)
    tracker, motion = Tracker(following), Motion()
    for frame in sequence.frames:
        motion.advance(sequence.gray(frame))
        tracker.step(frame, frame / sequence.rate, motion, sequence.detected(frame))
    times = np.array(sequence.frames) / sequence.rate
    clock = ShotClock(sequence.frames.start, times, float(times[-1]) + 1 / sequence.rate)
    finishing = finishing_of(SETTINGS)
    tracks = finished(tracker.finish(), TrackKind.BODY, clock=clock, finishing=finishing)
    rows = [
        [frame, number, *box]
        for number, track in enumerate(tracks)
        for frame, box in zip(track.frames, track.boxes, strict=True)
    ]
    return np.array(rows).reshape(-1, 6)


def _score(sequence: Sequence, tracker: str, tracks: NDArray[np.float64]) -> Score:
    try:
        import motmetrics
    except ImportError as error:
        raise MissingExtraError(
            "scoring tracks needs motmetrics; install it with pip install motmetrics pandas"
        ) from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # motmetrics uses what pandas is about to drop
        events = motmetrics.MOTAccumulator(auto_id=True)
        for frame in sequence.frames:
            events.update(*_frame_events(sequence.truth, tracks, frame))
        names = ["idf1", "mota", "num_switches", "num_false_positives", "num_misses"]
        row = motmetrics.metrics.create().compute(events, metrics=names).iloc[0]
    return Score(
        sequence.name, tracker, float(row["idf1"]), float(row["mota"]),
        int(row["num_switches"]), int(row["num_false_positives"]), int(row["num_misses"]),
    )  # fmt: skip


def _frame_events(
    truth: NDArray[np.float64], tracks: NDArray[np.float64], frame: int
) -> tuple[list[int], list[int], NDArray[np.float64]]:
    """True ids, track ids and their distances 1 - IoU; nan where they cannot be one."""
    true, found = truth[truth[:, 0] == frame], tracks[tracks[:, 0] == frame]
    distance = 1 - pairwise_iou(true[:, 2:6], found[:, 2:6])
    distance[distance > 1 - _SAME] = np.nan
    return true[:, 1].astype(int).tolist(), found[:, 1].astype(int).tolist(), distance
