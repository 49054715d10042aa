"""Dense trajectories of one shot, fed picture by picture (Wang et al. 2011, 2013).

Points start on a grid inside the people's boxes, follow the flow for `length` pictures, and then
become a descriptor, if they moved at all (camera motion aside) and did not jump. A trajectory is
credited to every track whose box held it at its start, in its middle and at its end, so two
people who hug share the motion between them.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from callsheet.video.trajectories.flow import (
    Flow,
    FlowMeter,
    camera_motion,
    corner_strength,
    without_camera,
)
from callsheet.video.trajectories.kernels import (
    BINS,
    HOF,
    MBHX,
    MBHY,
    add_cells,
    free_points,
    orientation_layers,
    sampled,
)

CHANNELS = {"hof": HOF, "mbhx": MBHX, "mbhy": MBHY}
"""Channel -> its bins among those of a cell."""

_TIME_SLOTS, _CELLS = 3, 4


@dataclass(frozen=True, slots=True)
class TraceRules:
    """How trajectories are made; lengths in pixels of the working picture.

    `still`: the standard deviation that a trajectory's places must exceed in x or y;
    `jump`: the largest share of its path that one step may make;
    `rest`: motion below it counts as rest in HOF; `texture`: share of the picture's best corner.
    """

    length: int = 15
    step: int = 5
    patch: int = 32
    still: float = 0.7
    jump: float = 0.7
    rest: float = 0.4
    texture: float = 0.001


@dataclass(frozen=True, slots=True)
class Boxes:
    """The people in one picture: `tracks` (n,) ids and `corners` (n, 4) x0, y0, x1, y1, pixels
    of the working picture."""

    tracks: NDArray[np.int64]
    corners: NDArray[np.float64]

    def held(self, points: NDArray[np.float32]) -> NDArray[np.bool_]:
        """(points, boxes): which point lies in which box."""
        x, y = points[:, :1], points[:, 1:]
        left, top, right, bottom = self.corners.T
        return np.asarray((x >= left) & (x < right) & (y >= top) & (y < bottom))

    def mask(self, shape: tuple[int, ...]) -> NDArray[np.uint8]:
        """(height, width), 1 where a person is."""
        inside = np.zeros(shape, np.uint8)
        for left, top, right, bottom in np.maximum(np.rint(self.corners), 0).astype(int):
            inside[top:bottom, left:right] = 1
        return inside


@dataclass(frozen=True, slots=True)
class Finished:
    """Trajectories that ended well: the track each is credited to and its descriptor
    (n, 3 slots, 4 cells, BINS), raw sums."""

    tracks: NDArray[np.int64]
    tubes: NDArray[np.float32]


NOTHING = Finished(np.empty(0, np.int64), np.empty((0, _TIME_SLOTS, _CELLS, BINS), np.float32))


class Tracer:
    """Follows points through one shot. Make a new one (or `restart`) at each cut."""

    def __init__(self, rules: TraceRules) -> None:
        if rules.length % _TIME_SLOTS:
            raise ValueError(f"length must be a multiple of {_TIME_SLOTS}, got {rules.length}")
        self._rules = rules
        self._meter = FlowMeter()
        self.restart()

    def restart(self) -> None:
        """Forget all points and the picture before."""
        length = self._rules.length
        self._before: NDArray[np.uint8] | None = None
        self._boxes: deque[Boxes] = deque(maxlen=length + 1)
        self._places = np.empty((0, length + 1, 2), np.float32)
        self._moves = np.empty((0, length, 2), np.float32)
        self._tubes = np.empty((0, _TIME_SLOTS, _CELLS, BINS), np.float32)
        self._ages = np.empty(0, np.int64)

    def step(self, picture: NDArray[np.uint8], boxes: Boxes) -> Finished:
        """Take the shot's next brightness picture and its people; return what ended."""
        finished = NOTHING
        inside = boxes.mask(picture.shape)
        if self._before is not None and len(self._ages):
            self._advance(self._before, picture)
            self._boxes.append(boxes)
            self._drop_outside(inside)
            finished = self._harvest()
        else:
            self._boxes.append(boxes)
        self._start(picture, inside)
        self._before = picture
        return finished

    def _advance(self, before: NDArray[np.uint8], picture: NDArray[np.uint8]) -> None:
        """Describe the motion around each point, then move it."""
        flow = self._meter.between(before, picture)
        people = self._boxes[-1].mask(before.shape)
        own = without_camera(flow, camera_motion(before, flow, people))
        now = np.arange(len(self._ages))
        points = np.ascontiguousarray(self._places[now, self._ages])
        self._describe(points, own)
        self._moves[now, self._ages] = _at(own, points)
        self._ages += 1
        self._places[now, self._ages] = points + _at(flow, points)

    def _describe(self, points: NDArray[np.float32], own: Flow) -> None:
        """Add the cells around the points; only the region they cover is voted."""
        half = self._rules.patch // 2
        height, width = own.u.shape
        left, top = np.maximum(points.min(0).astype(int) - half - 1, 0)
        right, bottom = np.minimum(points.max(0).astype(int) + half + 2, (width, height))
        part = np.s_[top:bottom, left:right]
        u, v = np.ascontiguousarray(own.u[part]), np.ascontiguousarray(own.v[part])
        layers = orientation_layers(u, v, self._rules.rest)
        slots = self._ages // (self._rules.length // _TIME_SLOTS)
        shifted = points - np.array([left, top], np.float32)
        add_cells(shifted, slots, layers, self._rules.patch, self._tubes)

    def _drop_outside(self, inside: NDArray[np.uint8]) -> None:
        height, width = inside.shape
        x, y = np.rint(self._current()).astype(int).T
        within = (x >= 0) & (y >= 0) & (x < width) & (y < height)
        within[within] = inside[y[within], x[within]] > 0
        self._keep(within)

    def _harvest(self) -> Finished:
        """Take out the trajectories that reached full length; return the good ones."""
        done = self._ages == self._rules.length
        if not done.any():
            return NOTHING
        good = done.copy()
        good[done] = self._is_good(self._moves[done])
        finished = self._credited(self._places[good], self._tubes[good])
        self._keep(~done)
        return finished

    def _is_good(self, moves: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Moved by themselves, and not by one jump."""
        path = np.cumsum(moves, axis=1)
        spread = path.std(axis=1).max(axis=1)
        steps = np.linalg.norm(moves, axis=2)
        jumps = steps.max(axis=1) > self._rules.jump * steps.sum(axis=1)
        return np.asarray((spread > self._rules.still) & ~jumps)

    def _credited(self, places: NDArray[np.float32], tubes: NDArray[np.float32]) -> Finished:
        """One row for each trajectory and track that held it all the way."""
        length = self._rules.length
        tracks, rows = [], []
        holders = [_holders(self._boxes[at], places[:, at]) for at in (0, length // 2, length)]
        for track in holders[0].keys() & holders[1].keys() & holders[2].keys():
            held = holders[0][track] & holders[1][track] & holders[2][track]
            rows.append(np.flatnonzero(held))
            tracks.append(np.full(len(rows[-1]), track, np.int64))
        if not rows:
            return NOTHING
        return Finished(np.concatenate(tracks), tubes[np.concatenate(rows)])

    def _start(self, picture: NDArray[np.uint8], inside: NDArray[np.uint8]) -> None:
        """Put points on the grid tiles inside the boxes where none is yet."""
        if not inside.any():
            return
        step = self._rules.step
        taken = np.zeros((inside.shape[0] // step + 1, inside.shape[1] // step + 1), np.uint8)
        column, row = (self._current() / step).astype(int).T
        taken[row, column] = 1
        corners = corner_strength(picture)
        floor = self._rules.texture * float(corners.max())
        self._add(free_points(corners, floor, inside, taken, step))

    def _add(self, points: NDArray[np.float32]) -> None:
        fresh = len(points)
        places = np.zeros((fresh, *self._places.shape[1:]), np.float32)
        places[:, 0] = points
        self._places = np.concatenate([self._places, places])
        self._moves = _longer(self._moves, fresh)
        self._tubes = _longer(self._tubes, fresh)
        self._ages = np.concatenate([self._ages, np.zeros(fresh, np.int64)])

    def _keep(self, which: NDArray[np.bool_]) -> None:
        if not which.all():
            self._places, self._moves = self._places[which], self._moves[which]
            self._tubes, self._ages = self._tubes[which], self._ages[which]

    def _current(self) -> NDArray[np.float32]:
        return self._places[np.arange(len(self._ages)), self._ages]


def descriptors(tubes: NDArray[np.float32], channel: str) -> NDArray[np.float32]:
    """One channel's descriptors (n, 12 x its bins): each made to sum to one, then rooted."""
    raw = tubes[..., CHANNELS[channel]].reshape(len(tubes), descriptor_width(channel))
    # Sums of differences of a summed-area table can fall a hair below zero.
    raw = np.maximum(raw, 0.0)
    total = raw.sum(axis=1, keepdims=True)
    return np.sqrt(raw / np.where(total > 0, total, 1.0)).astype(np.float32)


def descriptor_width(channel: str) -> int:
    """Numbers in one descriptor of a channel."""
    bins = CHANNELS[channel]
    return _TIME_SLOTS * _CELLS * (bins.stop - bins.start)


def _at(flow: Flow, points: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.column_stack([sampled(flow.u, points), sampled(flow.v, points)])


def _holders(boxes: Boxes, points: NDArray[np.float32]) -> dict[int, NDArray[np.bool_]]:
    held = boxes.held(points)
    return {int(track): held[:, n] for n, track in enumerate(boxes.tracks)}


def _longer(rows: NDArray[np.float32], fresh: int) -> NDArray[np.float32]:
    return np.concatenate([rows, np.zeros((fresh, *rows.shape[1:]), np.float32)])
