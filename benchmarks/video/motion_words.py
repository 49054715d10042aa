"""Do the shipped motion words, learnt from puppets, fit real people?

Run: python benchmarks/video/motion_words.py ../shared/data/mot/TUD-Campus
Data: trajectories in the true boxes of the MOT15 sequence TUD-Campus, words tried on the second
half of it. Prints the mean squared distance of a descriptor to its nearest word (descriptors have
length one): of the shipped words, of as many learnt on the first half of the same sequence (more
than any fixed set can hope for), and of a single word (their mean).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from callsheet.video.settings import FeatureSettings
from callsheet.video.trajectories.tracer import CHANNELS, Boxes, Tracer, TraceRules, descriptors
from callsheet.video.trajectories.words import MotionWords, load_words, train_words


def tubes_of(folder: Path) -> list[Any]:
    """Finished trajectories of each frame, pictures shrunk to the working height."""
    truth = np.loadtxt(folder / "gt" / "gt.txt", delimiter=",")
    height = FeatureSettings().motion_height
    tracer, found = Tracer(TraceRules()), []
    for number, path in enumerate(sorted((folder / "img1").glob("*.jpg")), 1):
        gray = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        scale = height / gray.shape[0]
        small = cv2.resize(gray, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        rows = truth[truth[:, 0] == number]
        corners = np.hstack([rows[:, 2:4], rows[:, 2:4] + rows[:, 4:6]]) * scale
        found.append(tracer.step(small, Boxes(rows[:, 1].astype(np.int64), corners)).tubes)
    return found


def distance(words: MotionWords, tubes: Any, channel: str) -> float:
    rows = descriptors(tubes, channel)
    nearest = words.words[channel][words.nearest(channel, rows)]
    return float(((rows - nearest) ** 2).sum(axis=1).mean())


def main(folder: Path) -> None:
    found = tubes_of(folder)
    first, second = (np.concatenate(half) for half in (found[: len(found) // 2],
                                                       found[len(found) // 2 :]))  # fmt: skip
    known = {c: descriptors(first, c) for c in CHANNELS}
    count = min(512, len(first) // 2)
    print(f"{len(first)} trajectories to learn from, {len(second)} to try")
    rivals = {
        "shipped (512, puppets)": load_words(),
        f"learnt here ({count})": train_words(known, count),
        "one word": MotionWords({c: rows.mean(axis=0)[None] for c, rows in known.items()}),
    }
    for name, words in rivals.items():
        values = "  ".join(f"{c} {distance(words, second, c):.3f}" for c in CHANNELS)
        print(f"{name:24} {values}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
