"""Where a film's shots start, by PySceneDetect's detectors on our own frames.

The detector sees small pictures with their frame numbers; what it calls a cut becomes the exact
time of that frame. It decides by one number a frame, how much the picture differs from the one
before. These scores are kept for every minute of film: after a kill they are told to a fresh
detector, which then stands where the old one stood, and the reading goes on behind them.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from callsheet.core import Progress, no_progress
from callsheet.video.settings import ShotSettings
from callsheet.video.shelf import Arrays, Part, PartShelf
from callsheet.video.stream import FilmStream, Frame
from callsheet.video.stream_decoding import Damage

_DEFAULT_THRESHOLD = {"adaptive": 3.0, "content": 27.0}
_PROGRESS_EVERY = 100
_KEEP_EVERY = 60.0
"""Seconds of film after which what was read is kept."""
_HAIR = Fraction(1, 1_000_000)
"""Seconds by which the float of a frame's own time may differ from its exact time."""


def detector_version() -> str:
    """Of PySceneDetect: another one may score otherwise."""
    import scenedetect

    return str(scenedetect.__version__)


class SceneDetectCuts:
    """PySceneDetect's ContentDetector or AdaptiveDetector, fed with our frames."""

    def __init__(self, settings: ShotSettings, rate: Fraction) -> None:
        from scenedetect.common import FrameTimecode

        self._height = settings.height
        self._clock = FrameTimecode(0, fps=float(rate))
        self._detector = _scenedetect_detector(settings, rate)

    @property
    def score(self) -> float:
        """How much the latest frame differs from the one before."""
        return float(self._detector.score)

    def push(self, frame: Frame) -> list[int]:
        """Numbers of the frames that start a shot, found now: this one or, often, earlier ones."""
        return self._told(frame.number, frame.picture(self._height))

    def repeat(self, number: int, score: float) -> list[int]:
        """What `push` gave for a frame of this score, without its picture."""
        self._detector.known = score
        cuts = self._told(number, None)
        self._detector.known = None
        return cuts

    def look(self, frame: Frame) -> None:
        """See the last repeated frame, so that the next one can be compared with it."""
        self._detector.compare(self._clock, frame.picture(self._height))

    def _told(self, number: int, picture: Any) -> list[int]:
        timecode = type(self._clock)(number, fps=self._clock)
        return [cut.frame_num for cut in self._detector.process_frame(timecode, picture)]


@dataclass(slots=True)
class Reading:
    """What a reading has given so far: the times at which shots start, and all frames' times.

    Cuts are told late, by any number of frames where quick cuts are merged, so all times are
    kept, eight bytes a frame. `scores` and `ends` are of the same frames.
    """

    starts: list[float] = field(default_factory=list)
    times: array[float] = field(default_factory=lambda: array("d"))
    ends: array[float] = field(default_factory=lambda: array("d"))
    scores: array[float] = field(default_factory=lambda: array("d"))

    @property
    def end(self) -> float:
        """When the last frame stops being shown."""
        return self.ends[-1] if self.ends else 0.0

    def note(self, time: float, end: float) -> None:
        """Take the next frame's time, before the detector is asked about it."""
        self.times.append(time)
        self.ends.append(end)
        self.starts = self.starts or [time]

    def cut(self, cuts: list[int], score: float) -> None:
        """Take what the detector said at the latest frame."""
        self.starts += [self.times[cut] for cut in cuts if self.times[cut] > self.starts[-1]]
        self.scores.append(score)


def read_starts(
    film: FilmStream,
    settings: ShotSettings,
    progress: Progress = no_progress,
    *,
    shelf: PartShelf | None = None,
) -> Reading:
    """Read a film for its cuts; go on behind what the shelf holds, and keep every minute there."""
    detector, reading = SceneDetectCuts(settings, film.rate), Reading()
    parts = _repeated(detector, reading, shelf, film) if shelf else 0
    kept = len(reading.times)
    for frame in _watched(_frames_behind(film, reading, detector), film.seconds, progress):
        if shelf and len(reading.times) > kept and frame.time - reading.times[kept] >= _KEEP_EVERY:
            shelf.put(_part(parts), _arrays(reading, kept, film.damage))
            parts, kept = parts + 1, len(reading.times)
        reading.note(frame.time, frame.end)
        reading.cut(detector.push(frame), detector.score)
    return reading


def _repeated(
    detector: SceneDetectCuts, reading: Reading, shelf: PartShelf, film: FilmStream
) -> int:
    """Tell the detector what the shelf holds; return how many parts that are."""
    number, marks = 0, np.empty(0)
    while shelf.has(_part(number)):
        given = shelf.get(_part(number))
        for time, end, score in zip(given["times"], given["ends"], given["scores"], strict=True):
            reading.note(float(time), float(end))
            reading.cut(detector.repeat(len(reading.times) - 1, float(score)), float(score))
        number, marks = number + 1, given["damage"]
    if number:
        # The last frame is read again, and what fails there is noted again.
        again = reading.times[-1] - float(_HAIR)
        film.go_on_from(Damage(marks=[float(mark) for mark in marks if mark < again]))
    return number


def _frames_behind(
    film: FilmStream, reading: Reading, detector: SceneDetectCuts
) -> Iterator[Frame]:
    """The frames behind those of the reading; the last of those is shown to the detector."""
    if not reading.times:
        yield from film.frames()
        return
    last = len(reading.times) - 1
    frames = film.frames(start=Fraction(reading.times[-1]) - _HAIR, first_number=last)
    detector.look(next(frames))
    yield from frames


def _arrays(reading: Reading, first: int, damage: Damage) -> Arrays:
    """The frames of a reading from one on, and where the film was damaged so far."""
    return {
        "times": np.array(reading.times[first:]),
        "ends": np.array(reading.ends[first:]),
        "scores": np.array(reading.scores[first:]),
        "damage": np.array(damage.marks, np.float64),
    }


def _part(number: int) -> Part:
    return Part(number, number * _KEEP_EVERY, (number + 1) * _KEEP_EVERY)


def _watched(frames: Iterator[Frame], seconds: float | None, progress: Progress) -> Iterator[Frame]:
    for frame in frames:
        if seconds and frame.number % _PROGRESS_EVERY == 0:
            progress(min(1.0, max(0.0, frame.time / seconds)))
        yield frame
    progress(1.0)


def _scenedetect_detector(settings: ShotSettings, rate: Fraction) -> Any:
    from scenedetect.detectors import AdaptiveDetector, ContentDetector

    threshold = settings.threshold or _DEFAULT_THRESHOLD[settings.detector]
    shortest = max(1, round(settings.min_seconds * rate))
    if settings.detector == "adaptive":
        adaptive = _remembering(AdaptiveDetector)
        return adaptive(adaptive_threshold=threshold, min_scene_len=shortest)
    return _remembering(ContentDetector)(threshold=threshold, min_scene_len=shortest)


def _remembering(kind: Any) -> Any:
    """A kind of detector that tells the score of each frame, and can be told a `known` one."""
    compare = kind._calculate_frame_score

    class Remembering(kind):
        known: float | None = None
        score = 0.0

        def compare(self, timecode: Any, picture: Any) -> float:
            return float(compare(self, timecode, picture))

        def _calculate_frame_score(self, timecode: Any, picture: Any) -> float:
            known = self.known
            self.score = self.compare(timecode, picture) if known is None else known
            return self.score

    return Remembering
