"""Learn motion words from films: short windows spread over each, people found by the detector.

A window is as long as two trajectories. Persons are looked for in its middle picture; their
boxes, somewhat enlarged, hold for the whole window. A window in which there is nobody, or a cut,
gives little and harms nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from callsheet.core import Progress, no_progress
from callsheet.errors import InputError
from callsheet.video.detection import Detector, person_detector
from callsheet.video.settings import FeatureSettings, TrackSettings
from callsheet.video.stream import FilmStream, Frame, open_film
from callsheet.video.trajectories.tracer import (
    CHANNELS,
    NOTHING,
    Boxes,
    Tracer,
    TraceRules,
    descriptors,
)
from callsheet.video.trajectories.words import MotionWords, train_words

_WINDOWS_A_FILM = 200
_MOST_SAMPLES = 200_000
_ENLARGED = 0.2

Tubes = NDArray[np.float32]


def learn_words(
    videos: Sequence[Path],
    count: int,
    settings: FeatureSettings | None = None,
    progress: Progress = no_progress,
    *,
    seed: int = 0,
) -> MotionWords:
    """`count` words a channel from the people of all the videos."""
    settings = settings or FeatureSettings()
    detector = person_detector(TrackSettings())
    rng = np.random.default_rng(seed)
    tubes = []
    for place, video in enumerate(videos):
        film = open_film(video)
        found = [NOTHING.tubes]
        for share, window in _windows(film, detector, settings):
            found.append(window)
            progress((place + share) / len(videos))
        tubes.append(_drawn(np.concatenate(found), _MOST_SAMPLES // len(videos), rng))
    every = np.concatenate(tubes)
    if not len(every):
        raise InputError("no moving person was found in the films; give others to learn from")
    return train_words({c: descriptors(every, c) for c in CHANNELS}, count, seed=seed)


def _windows(
    film: FilmStream, detector: Detector, settings: FeatureSettings
) -> Iterator[tuple[float, Tubes]]:
    """The share of the film that is done, and the raw descriptors of each window."""
    rules = TraceRules(step=settings.point_step)
    height = min(settings.motion_height, film.height)
    length = 2 * rules.length + 1
    every = max(length, round(_frames_of(film) / _WINDOWS_A_FILM))
    frames = film.frames()
    windows = range(0, _frames_of(film), every)
    for number, _ in enumerate(windows, 1):
        window = list(islice(frames, length))
        found = _traced(window, detector, rules, height=height, scale=height / film.height)
        yield number / len(windows), found
        next(islice(frames, every - length, every - length), None)


def _traced(
    window: list[Frame], detector: Detector, rules: TraceRules, *, height: int, scale: float
) -> Tubes:
    if not window:
        return NOTHING.tubes
    found = detector.detect([window[len(window) // 2].picture()])[0].boxes * scale
    if not len(found):
        return NOTHING.tubes
    margin = _ENLARGED * found[:, 2:]
    corners = np.hstack([found[:, :2] - margin, found[:, :2] + found[:, 2:] + margin])
    boxes = Boxes(np.arange(len(found)), corners)
    tracer = Tracer(rules)
    return np.concatenate([tracer.step(frame.gray(height), boxes).tubes for frame in window])


def _frames_of(film: FilmStream) -> int:
    return max(1, round((film.seconds or 600) * film.rate))


def _drawn(tubes: Tubes, most: int, rng: np.random.Generator) -> Tubes:
    """At most so many, drawn evenly, in their order."""
    if len(tubes) <= most:
        return tubes
    return tubes[np.sort(rng.choice(len(tubes), most, replace=False))]
