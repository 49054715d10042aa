"""Whether detectors are quicker on several pictures at once.

    python benchmarks/video/batches.py

Made pictures of 640 x 360. Prints the processor milliseconds a picture, which other work on the
machine changes little, and the milliseconds on the clock.
"""

from __future__ import annotations

import os
import time

import cv2
import numpy as np

from callsheet.video.detection import Detector, face_detector, person_detector
from callsheet.video.settings import TrackSettings

PICTURES, SIZES, ROUNDS = 24, (1, 2, 4, 8), 3


def main() -> None:
    """Time both detectors at every size; the best of the rounds counts."""
    rng = np.random.default_rng(0)
    pictures = [
        np.asarray(cv2.resize(rng.integers(0, 255, (45, 80, 3), dtype=np.uint8), (640, 360)))
        for _ in range(PICTURES)
    ]
    print(f"{PICTURES} made pictures, {cv2.getNumThreads()} threads, {os.cpu_count()} cores")
    settings = TrackSettings()
    for name, detector in (
        ("persons", person_detector(settings)),
        ("faces", face_detector(settings)),
    ):
        for size in SIZES:
            busy, clock = _milliseconds(detector, pictures, size)
            print(f"{name:8} {size} at once: {busy:6.1f} processor ms, {clock:6.1f} ms a picture")


def _milliseconds(detector: Detector, pictures: list[np.ndarray], size: int) -> tuple[float, float]:
    rounds = []
    for _ in range(ROUNDS):
        start, busy = time.perf_counter(), time.process_time()
        for first in range(0, len(pictures), size):
            detector.detect(pictures[first : first + size])
        rounds.append((time.process_time() - busy, time.perf_counter() - start))
    busy_seconds, seconds = (min(column) for column in zip(*rounds, strict=True))
    return 1000 * busy_seconds / len(pictures), 1000 * seconds / len(pictures)


if __name__ == "__main__":
    main()
