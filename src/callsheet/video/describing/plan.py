"""What is to be described in which frame, worked out from the tables before decoding."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import TrackKind
from callsheet.store import SCHEMAS, read_table
from callsheet.video.faces.alignment import is_usable
from callsheet.video.faces.choosing import spread_best
from callsheet.video.settings import FeatureSettings

_MARKS = ("right_eye", "left_eye", "nose", "right_mouth", "left_mouth")


class Rows:
    """Rows of several columns, found by frame. `columns[name]` are arrays of one length."""

    def __init__(self, frames: NDArray[Any], **columns: NDArray[Any]) -> None:
        order = np.argsort(frames, kind="stable")
        self.frames = np.asarray(frames)[order]
        self.columns = {name: values[order] for name, values in columns.items()}

    def __len__(self) -> int:
        return len(self.frames)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.columns[name]

    def at(self, frame: int) -> slice:
        """Where the rows of a frame lie."""
        low, high = np.searchsorted(self.frames, [frame, frame + 1])
        return slice(int(low), int(high))


@dataclass(frozen=True, slots=True)
class Tracks:
    """The film's tracks as arrays, in the order of their table, and their table."""

    table: Any
    ids: NDArray[np.int64]
    is_face: NDArray[np.bool_]
    best_times: NDArray[np.float64]


@dataclass(frozen=True)
class Plan:
    """Rows by frame: `faces` to describe, `mouths` to measure, `bodies` to trace, `looks` at
    bodies, `thumbnails` to keep. Boxes (n, 4) are x, y, w, h, points (n, 5, 2), all in pixels."""

    tracks: Tracks
    boxes: Rows
    landmarks: Rows
    settings: FeatureSettings

    @cached_property
    def faces(self) -> Rows:
        marks = self.landmarks
        usable = np.array([is_usable(points) for points in marks["points"]], dtype=bool)
        chosen = [np.empty(0, np.int64)]
        for rows in by_track(marks["track"], np.flatnonzero(usable)):
            best = spread_best(
                marks["time"][rows], marks["confidence"][rows], self.settings.faces_per_track
            )
            chosen.append(rows[best])
        return _chosen(marks, np.concatenate(chosen))

    @cached_property
    def mouths(self) -> Rows:
        """Every box of a face track with landmarks, its five points carried along with it."""
        if not self.settings.mouths:
            return _chosen(self.boxes, np.empty(0, np.int64))
        marks = {
            int(self.landmarks["track"][rows[0]]): rows
            for rows in by_track(self.landmarks["track"], np.arange(len(self.landmarks)))
        }
        kept, points = [np.empty(0, np.int64)], [np.empty((0, 5, 2))]
        for rows in by_track(self.boxes["track"], np.arange(len(self.boxes))):
            known = marks.get(int(self.boxes["track"][rows[0]]))
            if known is not None:
                kept.append(rows)
                points.append(self._carried(rows, known))
        chosen = np.concatenate(kept)
        return Rows(
            self.boxes.frames[chosen],
            track=self.boxes["track"][chosen],
            points=np.concatenate(points),
        )

    @cached_property
    def bodies(self) -> Rows:
        bodies = self.tracks.ids[~self.tracks.is_face]
        return _chosen(self.boxes, np.flatnonzero(np.isin(self.boxes["track"], bodies)))

    @cached_property
    def looks(self) -> Rows:
        """Bodies at every n-th frame; of a shorter track its middle."""
        chosen = [np.empty(0, np.int64)]
        for rows in by_track(self.bodies["track"], np.arange(len(self.bodies))):
            due = rows[self.bodies.frames[rows] % self.settings.appearance_every == 0]
            chosen.append(due if len(due) else rows[[len(rows) // 2]])
        return _chosen(self.bodies, np.concatenate(chosen))

    @cached_property
    def thumbnails(self) -> Rows:
        """The box of each track at (or nearest to) its best time."""
        if not self.settings.thumbnails:
            return _chosen(self.boxes, np.empty(0, np.int64))
        tracks, times = self.boxes["track"], self.boxes["time"]
        ids, best = self.tracks.ids.tolist(), self.tracks.best_times.tolist()
        best_of = dict(zip(ids, best, strict=True))
        chosen = [
            rows[np.argmin(np.abs(times[rows] - best_of[int(tracks[rows[0]])]))]
            for rows in by_track(tracks, np.arange(len(self.boxes)))
        ]
        return _chosen(self.boxes, np.array(chosen, np.int64))

    def _carried(self, rows: NDArray[np.int64], known: NDArray[np.int64]) -> NDArray[np.float64]:
        """Landmarks at boxes between detections: their places within the box, interpolated."""
        times, boxes = self.boxes["time"][rows], self.boxes["box"][rows]
        known = known[np.argsort(self.landmarks["time"][known], kind="stable")]
        at = self.landmarks["time"][known]
        around = boxes[np.clip(np.searchsorted(times, at), 0, len(times) - 1)]
        size = np.maximum(around[:, None, 2:], 1.0)
        places = (self.landmarks["points"][known] - around[:, None, :2]) / size
        flat = places.reshape(len(known), 10)
        moved = np.column_stack([np.interp(times, at, flat[:, k]) for k in range(10)])
        points = moved.reshape(-1, 5, 2) * boxes[:, None, 2:] + boxes[:, None, :2]
        return np.asarray(points, dtype=np.float64)


def read_plan(folder: Path, settings: FeatureSettings) -> Plan:
    """Read tracks, boxes and landmarks of a film."""
    tracks = read_table(folder / "tracks.parquet", SCHEMAS["tracks"])
    boxes = read_table(folder / "boxes.parquet", SCHEMAS["boxes"])
    marks = read_table(folder / "landmarks.parquet", SCHEMAS["landmarks"])
    kind = np.array(tracks["kind"].to_pylist(), dtype=object)
    return Plan(
        Tracks(tracks, tracks["track"].to_numpy().astype(np.int64), kind == TrackKind.FACE.value,
               tracks["best_time"].to_numpy()),
        _box_rows(boxes),
        _landmark_rows(marks),
        settings,
    )  # fmt: skip


def _box_rows(table: Any) -> Rows:
    sides = [table[name].to_numpy().astype(np.float64) for name in ("x", "y", "w", "h")]
    return Rows(
        table["frame"].to_numpy(),
        track=table["track"].to_numpy().astype(np.int64),
        time=table["time"].to_numpy(),
        box=np.column_stack(sides),
    )


def _landmark_rows(table: Any) -> Rows:
    points = np.stack(
        [np.column_stack([table[f"{mark}_{axis}"].to_numpy() for axis in "xy"]) for mark in _MARKS],
        axis=1,
    )
    return Rows(
        table["frame"].to_numpy(),
        track=table["track"].to_numpy().astype(np.int64),
        time=table["time"].to_numpy(),
        points=points.astype(np.float64),
        confidence=table["confidence"].to_numpy(),
    )


def by_track(tracks: NDArray[Any], rows: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The given rows, a group a track, each group in the rows' order."""
    order = rows[np.argsort(tracks[rows], kind="stable")]
    edges = np.flatnonzero(np.diff(tracks[order])) + 1
    return [group for group in np.split(order, edges) if len(group)]


def _chosen(rows: Rows, which: NDArray[np.int64]) -> Rows:
    columns = {name: values[which] for name, values in rows.columns.items()}
    return Rows(rows.frames[which], **columns)
