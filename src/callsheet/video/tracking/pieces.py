"""The work of following cut into pieces: a run of frames within one shot, half a minute at most.

Decoding and following go on in the calling thread; each detector works ahead in a thread of its
own, on the frames that a short buffer holds.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from callsheet.core import Shot, TrackKind
from callsheet.video.detection import Detections, Detector
from callsheet.video.stream import Frame
from callsheet.video.stream_picture import Picture
from callsheet.video.tracking.motion import Motion
from callsheet.video.tracking.tracker import Following, Tracker
from callsheet.video.tracking.tracklet import Tracklet

LONGEST_PIECE = 30.0
"""Seconds. A longer shot is followed in pieces whose tracklets are joined afterwards."""
_AHEAD = 2
"""Detections a detector may work ahead."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Frames with start <= time < end, all in one shot."""

    shot: int
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Sight:
    """One kind of thing to look for: its detector and how its tracker decides."""

    kind: TrackKind
    detector: Detector
    following: Following
    eager: bool = False  # look between too, when someone is lost from sight


@dataclass(frozen=True, slots=True)
class Followed:
    """What was found in a piece: the clock of its frames, tracklets of each kind."""

    piece: Piece
    frames: NDArray[np.int64]
    times: NDArray[np.float64]
    tracklets: dict[TrackKind, list[Tracklet]]


@dataclass(frozen=True, slots=True)
class Look:
    """A frame in the buffer: its brightness and, where detectors look, what they will find."""

    frame: Frame
    gray: Picture
    found: dict[TrackKind, Future[Detections]]


def pieces_of(shots: Iterable[Shot], longest: float = LONGEST_PIECE) -> list[Piece]:
    """Cut long shots into equal pieces; the last piece of the film has no end."""
    pieces = []
    for shot in shots:
        count = max(1, int(np.ceil(shot.span.duration / longest)))
        edges = np.linspace(shot.span.start, shot.span.end, count + 1)
        edges[0], edges[-1] = shot.span.start, shot.span.end
        pieces += [Piece(shot.shot, float(a), float(b)) for a, b in pairwise(edges)]
    return pieces


class Follower:
    """Follows everything of all kinds through pieces, in order. Use as a context."""

    def __init__(self, sights: Sequence[Sight], *, every: int, height: int) -> None:
        self._sights = sights
        self._every = every
        self._height = height

    def __enter__(self) -> Follower:
        with ExitStack() as stack:
            # One thread a detector: a network must not be used by two at once.
            self._threads = [stack.enter_context(ThreadPoolExecutor(1)) for _ in self._sights]
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_error: object) -> None:
        self._stack.close()

    def follow(self, piece: Piece, frames: Iterable[Frame]) -> Followed:
        """Detect and track through the frames of one piece."""
        motion = Motion()
        trackers = {s.kind: Tracker(s.following) for s in self._sights}
        numbers, times = [], []
        for look in self._looked(frames):
            number, time = look.frame.number, look.frame.time
            numbers.append(number)
            times.append(time)
            motion.advance(look.gray)
            for sight, tracker in zip(self._sights, trackers.values(), strict=True):
                found = look.found[sight.kind].result() if look.found else None
                tracker.step(number, time, motion, found)
                if found is None and sight.eager and tracker.wants_look():
                    tracker.look(number, time, motion, self._extra_look(sight, look.frame))
        return Followed(
            piece, np.array(numbers, np.int64), np.array(times),
            {kind: tracker.finish() for kind, tracker in trackers.items()},
        )  # fmt: skip

    def _looked(self, frames: Iterable[Frame]) -> Iterator[Look]:
        """Frames some steps late, so that the detectors can work ahead of the trackers."""
        buffer: deque[Look] = deque()
        for index, (frame, is_last) in enumerate(_with_last(frames)):
            detect = is_last or index % self._every == 0
            buffer.append(self._look(frame, detect=detect))
            if len(buffer) > _AHEAD * self._every:
                yield buffer.popleft()
        yield from buffer

    def _extra_look(self, sight: Sight, frame: Frame) -> Detections:
        """Detect on a frame between, where the motion was too quick to follow."""
        thread = self._threads[self._sights.index(sight)]
        return thread.submit(_detected, sight.detector, frame.picture(self._height)).result()

    def _look(self, frame: Frame, *, detect: bool) -> Look:
        gray = frame.gray(self._height)
        if not detect:
            return Look(frame, gray, {})
        picture = frame.picture(self._height)
        found = {
            sight.kind: thread.submit(_detected, sight.detector, picture)
            for sight, thread in zip(self._sights, self._threads, strict=True)
        }
        return Look(frame, gray, found)


def _detected(detector: Detector, picture: Picture) -> Detections:
    return detector.detect([picture])[0]


def _with_last(frames: Iterable[Frame]) -> Iterator[tuple[Frame, bool]]:
    """Each frame and whether it is the last one."""
    before = None
    for frame in frames:
        if before is not None:
            yield before, False
        before = frame
    if before is not None:
        yield before, True
