"""From scores to one label a track, keeping what holds for labels: once a picture, and pins.

Rows decide in the order of how sure they are, so that where two tracks seen at the same time
want one name, the surer keeps it and the other takes its next best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def round_labels(
    scores: Array,
    *,
    together: Sequence[Array] = (),
    pins: Mapping[int, int] | None = None,
) -> Array:
    """Column of each row, (rows,); rows of one group of `together` share no column but 0."""
    pins = pins or {}
    columns = scores.argmax(axis=1) if scores.size else np.zeros(len(scores), int)
    for place, column in pins.items():
        columns[place] = column
    crowd = np.unique(np.concatenate([np.zeros(0, int), *together])).astype(int)
    groups_of: dict[int, list[int]] = {int(place): [] for place in crowd}
    for number, group in enumerate(together):
        for place in group.tolist():
            groups_of[place].append(number)
    taken: list[set[int]] = [set() for _ in together]
    surest_first = crowd[np.argsort(-_margins(scores[crowd]), kind="stable")]
    # What a person pinned is decided before anything else.
    for place in sorted(surest_first.tolist(), key=lambda p: p not in pins):
        columns[place] = _choose(scores[place], groups_of[place], taken, pins.get(place))
    return columns


def margins(scores: Array, columns: Array) -> Array:
    """Score of each row's column minus the best other score, (rows,)."""
    if scores.shape[1] < 2:
        return np.zeros(len(scores))
    own = scores[np.arange(len(scores)), columns]
    others = scores.copy()
    others[np.arange(len(scores)), columns] = -np.inf
    result: Array = own - others.max(axis=1)
    return result


def _margins(scores: Array) -> Array:
    return margins(scores, scores.argmax(axis=1)) if len(scores) else np.zeros(0)


def _choose(row: Array, groups: list[int], taken: list[set[int]], pinned: int | None) -> int:
    barred = set().union(*(taken[group] for group in groups))
    order = np.argsort(-row, kind="stable").tolist()
    column = pinned if pinned is not None else next(c for c in order if c == 0 or c not in barred)
    if column:
        for group in groups:
            taken[group].add(column)
    return int(column)
