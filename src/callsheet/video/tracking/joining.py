"""Tracklets of one person joined over gaps: occlusions, turned heads, borders of pieces.

Each tracklet is drawn straight on from its end and straight back from its start; where one
tracklet's end meets another's start in the middle of the gap, in place and size, they are one
person. The best set of joins is found by the Hungarian method.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from callsheet.video.tracking.association import Pairs, best_pairs
from callsheet.video.tracking.tracklet import Numbers, Tracklet, joined

_FIT_SECONDS = 0.6
_DISTANCE = 0.5
_GROWTH = 0.35
"""How far apart (in box heights) and how unlike in size (log) two ends may be: one sigma."""
_LIKENESS = 0.25
"""Least likeness of a join; 1 is a perfect meeting."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of a tracklet: time, centre, size and velocity there."""

    time: float
    centre: Numbers
    size: Numbers
    velocity: Numbers

    def centre_at(self, time: float) -> Numbers:
        return np.asarray(self.centre + self.velocity * (time - self.time))


def join_gaps(tracklets: list[Tracklet], bridge_seconds: float) -> list[Tracklet]:
    """Chain tracklets that show one person over gaps up to the bridge, each used once."""
    following = dict(_joins(tracklets, bridge_seconds))
    later = set(following.values())
    starts = [i for i in range(len(tracklets)) if i not in later]
    return [joined([tracklets[i] for i in _chain(start, following)]) for start in starts]


def _chain(start: int, following: dict[int, int]) -> list[int]:
    chain = [start]
    while chain[-1] in following:
        chain.append(following[chain[-1]])
    return chain


def _joins(tracklets: list[Tracklet], bridge: float) -> Iterator[tuple[int, int]]:
    """(before, after) of largest total likeness, solved group by group of those in reach."""
    ends = [_end(t, last=True) for t in tracklets]
    starts = [_end(t, last=False) for t in tracklets]
    reach = [(i, j) for i, j in _in_reach(ends, starts, bridge)]
    likeness = np.array([_meeting(ends[i], starts[j]) for i, j in reach])
    for group in _groups(reach, len(tracklets)):
        pairs = np.array(reach)[group]
        rows, row_of = np.unique(pairs[:, 0], return_inverse=True)
        columns, column_of = np.unique(pairs[:, 1], return_inverse=True)
        table = np.zeros((len(rows), len(columns)))
        table[row_of, column_of] = likeness[group]
        for row, column in best_pairs(table, _LIKENESS):
            yield int(rows[row]), int(columns[column])


def _in_reach(ends: list[End], starts: list[End], bridge: float) -> Iterator[tuple[int, int]]:
    """Pairs whose gap is positive and at most the bridge."""
    times = np.array([s.time for s in starts])
    order = np.argsort(times, kind="stable")
    for i, end in enumerate(ends):
        first = np.searchsorted(times[order], end.time, side="right")
        last = np.searchsorted(times[order], end.time + bridge, side="right")
        for j in order[first:last]:
            yield i, int(j)


def _groups(reach: Pairs, count: int) -> list[NDArray[np.intp]]:
    """Indices of pairs that compete with each other, directly or through others."""
    if not reach:
        return []
    rows, columns = np.array(reach).T
    graph = coo_array((np.ones(len(reach)), (rows, columns + count)), shape=(2 * count,) * 2)
    group_of = connected_components(graph, directed=False)[1][rows]
    return [np.flatnonzero(group_of == group) for group in np.unique(group_of)]


def _meeting(end: End, start: End) -> float:
    """1 when the drawn ways meet exactly, falling with distance and difference of size."""
    middle = (end.time + start.time) / 2
    height = np.sqrt(end.size[1] * start.size[1])
    far = np.linalg.norm(end.centre_at(middle) - start.centre_at(middle)) / height
    grown = np.abs(np.log(start.size / end.size)).max()
    return float(np.exp(-0.5 * ((far / _DISTANCE) ** 2 + (grown / _GROWTH) ** 2)))


def _end(tracklet: Tracklet, *, last: bool) -> End:
    """Fit a line to the centres near one end; the size is the median there."""
    time = float(tracklet.times[-1 if last else 0])
    near = np.abs(tracklet.times - time) <= _FIT_SECONDS
    boxes = tracklet.boxes[near]
    centres, times = boxes[:, :2] + boxes[:, 2:] / 2, tracklet.times[near] - time
    size = np.maximum(np.median(boxes[:, 2:], axis=0), 1e-6)
    around = times - times.mean()
    spread = float((around**2).sum())
    if spread <= 0:
        return End(time, centres[-1 if last else 0], size, np.zeros(2))
    velocity = around @ centres / spread
    return End(time, centres.mean(axis=0) - velocity * times.mean(), size, velocity)
