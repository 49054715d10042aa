"""The rival: SORT (Bewley et al., 2016), from the idea of the paper.

A Kalman filter with constant velocity per target over centre, area and aspect of its box; the
predicted boxes and the detections matched by the Hungarian method on IoU; a target is reported
after three hits in a row and forgotten after one miss, the settings of the paper.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from callsheet.video.geometry import Boxes, as_boxes, pairwise_iou
from callsheet.video.tracking.association import best_pairs

_MOST_MISSES, _LEAST_HITS, _LEAST_IOU = 1, 3, 0.3
_STEP = np.eye(7)
_STEP[[0, 1, 2], [4, 5, 6]] = 1
_SEEN = np.eye(4, 7)
_DRIFT = np.diag([1, 1, 1, 1, 0.01, 0.01, 0.0001])
_NOISE = np.diag([1, 1, 10, 10])
_DOUBT = np.diag([10, 10, 10, 10, 10_000, 10_000, 10_000])


class _Target:
    def __init__(self, number: int, box: NDArray[np.float64]) -> None:
        self.number, self.hits, self.misses = number, 0, 0
        self.state = np.concatenate([_measured(box), np.zeros(3)])
        self.doubt = _DOUBT.astype(float)

    def predict(self) -> NDArray[np.float64]:
        if self.state[2] + self.state[6] <= 0:
            self.state[6] = 0
        self.state = _STEP @ self.state
        self.doubt = _STEP @ self.doubt @ _STEP.T + _DRIFT
        return self.box()

    def update(self, box: NDArray[np.float64]) -> None:
        self.hits, self.misses = self.hits + 1, 0
        surprise = _measured(box) - _SEEN @ self.state
        gain = self.doubt @ _SEEN.T @ np.linalg.inv(_SEEN @ self.doubt @ _SEEN.T + _NOISE)
        self.state = self.state + gain @ surprise
        self.doubt = (np.eye(7) - gain @ _SEEN) @ self.doubt

    def miss(self) -> None:
        self.hits, self.misses = 0, self.misses + 1

    def box(self) -> NDArray[np.float64]:
        area, aspect = max(self.state[2], 1e-6), max(self.state[3], 1e-6)
        width = np.sqrt(area * aspect)
        height = area / width
        return np.array([self.state[0] - width / 2, self.state[1] - height / 2, width, height])


def sort_tracks(frames: Iterable[tuple[int, Boxes]]) -> NDArray[np.float64]:
    """Rows of frame, id, x, y, w, h from each frame's detected boxes."""
    targets: list[_Target] = []
    rows: list[list[float]] = []
    born = 0
    for age, (frame, boxes) in enumerate(frames, 1):
        pairs = dict(best_pairs(pairwise_iou(as_boxes([t.predict() for t in targets]), boxes),
                                _LEAST_IOU))  # fmt: skip
        for i, target in enumerate(targets):
            if i in pairs:
                target.update(boxes[pairs[i]])
            else:
                target.miss()
        for column in set(range(len(boxes))) - set(pairs.values()):
            targets.append(_Target(born, boxes[column]))
            born += 1
        rows += [
            [frame, t.number, *t.box()]
            for t in targets
            if t.misses == 0 and (t.hits >= _LEAST_HITS or age <= _LEAST_HITS)
        ]
        targets = [t for t in targets if t.misses <= _MOST_MISSES]
    return np.array(rows).reshape(-1, 6)


def _measured(box: NDArray[np.float64]) -> NDArray[np.float64]:
    x, y, w, h = box
    return np.array([x + w / 2, y + h / 2, w * h, w / max(h, 1e-6)])
