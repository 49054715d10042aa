"""Which truth track a predicted track shows: box IoU over time.

The IoU of a pair is the mean, over the pictures in which the predicted track has a box, of the
boxes' IoU (0 where the truth track has none). A predicted track takes the truth track of
the largest mean IoU, if it reaches the threshold: many pieces may show one truth track, so a
tracker that loses people is judged for its labels and not for its cuts. Where both kinds are
known (face or body), only tracks of one kind match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.evaluation.truth import Boxes

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Matching:
    """`truth[i]` is the truth track that predicted track `predicted[i]` shows, with their IoU."""

    predicted: Array
    truth: Array
    overlap: Array
    missed: int  # truth tracks that no predicted track shows


Kinds = Mapping[int, str | None]
"""Track -> face or body; None or no entry: not known."""


def match_tracks(
    predicted: Boxes,
    truth: Boxes,
    *,
    overlap: float = 0.5,
    kinds: tuple[Kinds, Kinds] | None = None,
) -> Matching:
    """Match on one clock; both must count frames, or both seconds (equal to a millisecond).

    `kinds` are those of the predicted and of the truth tracks.
    """
    pairs = _pairs_of_pictures(_ticks(predicted), _ticks(truth))
    iou = box_iou(predicted.corners[pairs[0]], truth.corners[pairs[1]])
    ids, place, lengths = np.unique(predicted.track, return_inverse=True, return_counts=True)
    truth_ids, truth_place = np.unique(truth.track, return_inverse=True)
    table = np.zeros((len(ids), len(truth_ids)))
    if table.size:
        np.add.at(table, (place[pairs[0]], truth_place[pairs[1]]), iou)
        table /= lengths[:, None]
        if kinds is not None:
            table[~_of_one_kind(ids, truth_ids, *kinds)] = 0.0
    best = table.argmax(axis=1) if table.size else np.zeros(0, int)
    value = table[np.arange(len(best)), best]
    found = np.flatnonzero(value >= overlap)
    shown = truth_ids[best[found]] if len(found) else np.zeros(0, np.int64)
    missed = len(truth_ids) - len(np.unique(shown))
    return Matching(ids[found], shown, value[found], missed)


def _of_one_kind(predicted: Array, truth: Array, own: Kinds, true: Kinds) -> NDArray[np.bool_]:
    """Which pairs (predicted, truth) may be of one kind."""
    ours = np.array([own.get(track) or "" for track in predicted.tolist()], dtype=object)[:, None]
    theirs = np.array([true.get(track) or "" for track in truth.tolist()], dtype=object)
    may: NDArray[np.bool_] = (ours == theirs) | (ours == "") | (theirs == "")
    return may


def box_iou(a: Array, b: Array) -> Array:
    """Intersection over union of boxes (n, 4) with boxes (n, 4), row by row."""
    low, high = np.maximum(a[:, :2], b[:, :2]), np.minimum(a[:, 2:], b[:, 2:])
    shared = np.prod(np.maximum(high - low, 0.0), axis=1)
    union = _area(a) + _area(b) - shared
    result: Array = np.divide(shared, union, out=np.zeros(len(a)), where=union > 0)
    return result


def _area(boxes: Array) -> Array:
    area: Array = np.prod(np.maximum(boxes[:, 2:] - boxes[:, :2], 0.0), axis=1)
    return area


def _ticks(boxes: Boxes) -> Array:
    if boxes.clock == "frame":
        return boxes.instant
    milliseconds: Array = np.round(boxes.instant * 1000).astype(np.int64)
    return milliseconds


def _pairs_of_pictures(a: Array, b: Array) -> tuple[Array, Array]:
    """All pairs (i, j) with a[i] == b[j]."""
    order = np.argsort(b, kind="stable")
    low = np.searchsorted(b[order], a, side="left")
    count = np.searchsorted(b[order], a, side="right") - low
    first = np.repeat(np.arange(len(a)), count)
    step = np.arange(len(first)) - np.repeat(np.cumsum(count) - count, count)
    return first, order[np.repeat(low, count) + step]
