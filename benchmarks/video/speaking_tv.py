"""Which statistic of mouth motion tells the speaker among the faces on screen?

Run: python benchmarks/video/speaking_tv.py ../shared/data/tv
Data: lip motion, faces' names and cues' speakers of four labelled TV episodes (Tapaswi et al.).
The lip motion is theirs; only our way of summing it up over a cue is measured here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.io import loadmat

from callsheet.video.speaking import strength

EPISODES = ("bbt_s01e01", "bbt_s01e02", "bbt_s01e03", "buffy_s05e01")


class Face(NamedTuple):
    """A face during a cue: does it speak, its lip motion, the share of the cue it is seen in."""

    cue: tuple[str, int]
    speaks: bool
    lips: Any
    share: float


def faces_in_cues(folder: Path, episode: str) -> Iterator[Face]:
    tracks = _read(folder, episode, "facetracks")["FaceTracks"]
    for number, cue in enumerate(_read(folder, episode, "subtt_trans_align")["AllTextStruct"]):
        speakers = set(np.atleast_1d(cue.groundTruthIdentity).tolist())
        for track in tracks if len(speakers) == 1 else ():
            times, lips = np.atleast_1d(track.timestamps), np.atleast_1d(track.lip_diff)
            if len(times) != len(lips):
                continue
            within = (times >= cue.starttime) & (times < cue.endtime)
            lips = np.abs(lips.astype(float)[within])
            lips = lips[np.isfinite(lips)]
            if len(lips) >= 5:
                share = within.sum() / 25 / max(cue.endtime - cue.starttime, 0.04)
                yield Face((episode, number), track.groundTruthIdentity in speakers, lips, share)


def share_right(faces: list[Face], value: Callable[[Face], float]) -> tuple[float, int]:
    """Of the cues with a speaking and a silent face: how often the highest value speaks (ties
    are drawn by lot)."""
    cues: dict[tuple[str, int], list[tuple[float, bool]]] = {}
    for face in faces:
        cues.setdefault(face.cue, []).append((value(face), face.speaks))
    open_cues = [c for c in cues.values() if 0 < sum(s for _, s in c) < len(c)]
    best = [[speaks for v, speaks in c if v == max(c)[0]] for c in open_cues]
    return float(np.mean([np.mean(speak) for speak in best])), len(open_cues)


def area(faces: list[Face], value: Callable[[Face], float]) -> float:
    """Area under the ROC curve over all faces and cues."""
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score([f.speaks for f in faces], [value(f) for f in faces]))


def main(folder: Path) -> None:
    faces = [face for episode in EPISODES for face in faces_in_cues(folder, episode)]
    rivals: dict[str, Callable[[Face], float]] = {
        "drawn by lot": lambda _: 0.0,
        "seen longest": lambda f: f.share,
        "mean motion": lambda f: float(np.mean(f.lips)),
        "median motion": lambda f: float(np.median(f.lips)),
        "upper decile": lambda f: float(np.quantile(f.lips, 0.9)),
        "deviation": lambda f: float(np.std(f.lips)),
        "strength (ours)": lambda f: strength(f.lips, f.share),
    }
    print(f"{len(faces)} faces during cues of {', '.join(EPISODES)}")
    for name, value in rivals.items():
        right, cues = share_right(faces, value)
        print(f"{name:16} area {area(faces, value):.3f}  right {right:.3f} of {cues} cues")


def _read(folder: Path, episode: str, name: str) -> Any:
    path = folder / episode / f"{episode}.{name}.mat"
    return loadmat(path, squeeze_me=True, struct_as_record=False)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
