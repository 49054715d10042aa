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

from callsheet.video.settings import TrackSettings
from callsheet.video.shots import make_shots
from callsheet.video.stream import open_film
from callsheet.video.tracks import make_tracks


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
    """Decode, shots, face tracks, body tracks: each timed on its own, in this order."""
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
            "body tracks": lambda: make_tracks(video, folder, replace(settings, faces=False)),
            "face and body tracks": lambda: make_tracks(video, folder, settings),
        }
        for name, stage in stages.items():
            seconds, processor_seconds = _timed(stage)
            yield Speed(name, count, seconds, processor_seconds, _peak_mib())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    start, processor_start = time.perf_counter(), time.process_time()
    work()
    return time.perf_counter() - start, time.process_time() - processor_start


def _peak_mib() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
