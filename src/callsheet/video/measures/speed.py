"""Frames of film per second of each stage of the picture wing, on a given video."""

from __future__ import annotations

import resource
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from callsheet.video.describing import make_features
from callsheet.video.settings import FeatureSettings, TrackSettings
from callsheet.video.shots import make_shots
from callsheet.video.stream import open_film
from callsheet.video.tracks import make_tracks

_FACES = ("shots", "face tracks", "face descriptors")
_EVERYTHING = ("shots", "face and body tracks", "all descriptors")


@dataclass(frozen=True, slots=True)
class Speed:
    """One stage: frames of the film, seconds on the clock and of processors, most memory of the
    process so far. Processor seconds stay true on a machine that others use too."""

    stage: str
    frames: int
    seconds: float
    processor_seconds: float
    peak_mib: float

    @property
    def frames_per_second(self) -> float:
        return self.frames / max(self.seconds, 1e-9)


def measure(video: Path, settings: TrackSettings) -> Iterator[Speed]:
    """Decoding, shots, tracks, descriptors: each timed on its own; then what they take together,
    for faces alone and for everything."""
    film = open_film(video)
    count = 0

    def decode() -> None:
        nonlocal count
        count = sum(1 for _ in film.frames())

    folder = Path(tempfile.mkdtemp(prefix="callsheet-bench-"))
    try:
        stages: dict[str, Callable[[], object]] = {
            "decoding alone": decode,
            "shots": lambda: make_shots(video, folder),
            "face tracks": lambda: make_tracks(video, folder, replace(settings, bodies=False)),
            "face descriptors": lambda: make_features(video, folder, FeatureSettings(channels=())),
            "body tracks": lambda: make_tracks(video, folder, replace(settings, faces=False)),
            "face and body tracks": lambda: make_tracks(video, folder, settings),
            "all descriptors": lambda: make_features(video, folder),
        }
        done = {}
        for name, stage in stages.items():
            seconds, processor_seconds = _timed(stage)
            done[name] = Speed(name, count, seconds, processor_seconds, _peak_mib())
            yield done[name]
        yield _together("faces, from video", [done[name] for name in _FACES])
        yield _together("all, from video", [done[name] for name in _EVERYTHING])
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _together(name: str, stages: list[Speed]) -> Speed:
    """Stages that run one after the other, as one."""
    return Speed(
        name, stages[0].frames, sum(s.seconds for s in stages),
        sum(s.processor_seconds for s in stages), max(s.peak_mib for s in stages),
    )  # fmt: skip


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    start, processor_start = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - processor_start


def _peak_mib() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
