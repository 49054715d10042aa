"""Finished work kept on the way: every half minute of film as files in a partial folder.

After a kill, what lies there is read back and following goes on behind it. The folder names the
work it belongs to (video, settings, shots); work of another kind is thrown away.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from callsheet.core import TrackKind
from callsheet.store import Column, Schema, read_table, write_table, write_text
from callsheet.video.stream_decoding import Damage
from callsheet.video.tracking.pieces import Followed, Piece
from callsheet.video.tracking.tracklet import Tracklet

_DAMAGE = "damage.json"
_CLOCK = Schema(
    "partial_clock",
    1,
    "frames that were followed",
    (
        Column("piece", pa.int32(), "index of the piece"),
        Column("frame", pa.int64(), "number"),
        Column("time", pa.float64(), "seconds"),
    ),
)
_ROWS = Schema(
    "partial_rows",
    1,
    "tracklets, one row a frame",
    (
        Column("piece", pa.int32(), "index of the piece"),
        Column("kind", pa.string(), "face or body"),
        Column("tracklet", pa.int32(), "number within the piece and kind"),
        Column("frame", pa.int64(), "number"),
        Column("time", pa.float64(), "seconds"),
        *(Column(name, pa.float64(), "pixels") for name in ("x", "y", "w", "h")),
        Column("confidence", pa.float64(), "of the detector"),
        Column("detected", pa.bool_(), "whether the detector saw it"),
        Column("landmarks", pa.list_(pa.float64()), "x and y of five points", True),
        Column("sharpness", pa.float64(), "0 to 1", True),
    ),
)


@dataclass(frozen=True, slots=True)
class Chunks:
    """The partial folder of one film."""

    folder: Path
    pieces: tuple[Piece, ...]

    def open(self, work: str) -> int:
        """Prepare the folder for this work (a fingerprint); return how many pieces are done."""
        name = self.folder / "work"
        if not name.exists() or name.read_text(encoding="utf-8") != work:
            self.remove()
            write_text(name, work)
        return max((end for _, end in self._ranges()), default=0)

    def damage(self) -> Damage:
        """What could not be decoded of the pieces that are done."""
        if not (self.folder / _DAMAGE).exists():
            return Damage()
        marks, end = json.loads((self.folder / _DAMAGE).read_text(encoding="utf-8"))
        if end is not None:
            return Damage(marks=marks, last_end=end, finished=True)
        _, last = self.last_frame() or (0, 0.0)
        # Errors behind the last piece are met again.
        return Damage(marks=[mark for mark in marks if mark <= last])

    def last_frame(self) -> tuple[int, float] | None:
        """Number and time of the last frame that was followed."""
        for first, end in reversed(self._ranges()):
            clock = read_table(self._path("clock", first, end), _CLOCK)
            if len(clock):
                return clock["frame"][-1].as_py(), clock["time"][-1].as_py()
        return None

    def write(self, first: int, followed: Sequence[Followed], damage: Damage) -> None:
        """Keep consecutive pieces; the clock last, so that it always has its rows."""
        end = first + len(followed)
        noted = [damage.marks, damage.last_end if damage.finished else None]
        write_text(self.folder / _DAMAGE, json.dumps(noted))
        numbered = list(enumerate(followed, first))
        write_table(self._path("rows", first, end), _ROWS, _row_columns(numbered))
        clock = {
            "piece": np.concatenate([np.full(len(f.frames), i) for i, f in numbered]),
            "frame": np.concatenate([f.frames for _, f in numbered]),
            "time": np.concatenate([f.times for _, f in numbered]),
        }
        write_table(self._path("clock", first, end), _CLOCK, clock)

    def read(self) -> Iterator[Followed]:
        """All pieces in order, one chunk in memory at a time."""
        for first, end in self._ranges():
            clock = read_table(self._path("clock", first, end), _CLOCK).to_pydict()
            rows = read_table(self._path("rows", first, end), _ROWS)
            piece_of = np.array(clock["piece"], dtype=int)
            frames, times = np.array(clock["frame"], np.int64), np.array(clock["time"], float)
            tracklets = _tracklets(rows)
            for i in range(first, end):
                mine = piece_of == i
                yield Followed(self.pieces[i], frames[mine], times[mine], tracklets.get(i, {}))

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _ranges(self) -> list[tuple[int, int]]:
        names = [p.stem.split("-") for p in self.folder.glob("clock-*.parquet")]
        return sorted((int(first), int(end)) for _, first, end in names)

    def _path(self, what: str, first: int, end: int) -> Path:
        return self.folder / f"{what}-{first:07d}-{end:07d}.parquet"


def _row_columns(numbered: Sequence[tuple[int, Followed]]) -> dict[str, Any]:
    flat = [
        (i, kind, n, tracklet)
        for i, followed in numbered
        for kind, tracklets in followed.tracklets.items()
        for n, tracklet in enumerate(tracklets)
    ]

    def column(of: Any, empty: Any = float) -> Any:
        arrays = [np.asarray(of(*item)) for item in flat]
        return np.concatenate(arrays) if arrays else np.empty(0, empty)

    boxes = column(lambda _i, _k, _n, t: t.boxes).reshape(-1, 4)
    return {
        "piece": column(lambda i, _k, _n, t: np.full(len(t), i)),
        "kind": [kind.value for _, kind, _, t in flat for _ in range(len(t))],
        "tracklet": column(lambda _i, _k, n, t: np.full(len(t), n)),
        "frame": column(lambda _i, _k, _n, t: t.frames),
        "time": column(lambda _i, _k, _n, t: t.times),
        **dict(zip("xywh", boxes.T, strict=True)),
        "confidence": column(lambda _i, _k, _n, t: t.confidences),
        "detected": column(lambda _i, _k, _n, t: t.detected, bool),
        "landmarks": [
            row.ravel() if seen else None
            for _, _, _, t in flat
            for row, seen in zip(t.landmarks, t.detected, strict=True)
        ],
        "sharpness": column(lambda _i, _k, _n, t: t.sharpness),
    }


def _tracklets(rows: Any) -> dict[int, dict[TrackKind, list[Tracklet]]]:
    """Piece -> kind -> tracklets, from the rows of one chunk."""
    table = {name: rows[name].to_numpy() for name in rows.column_names}
    keys = list(zip(table["piece"], table["kind"], table["tracklet"], strict=True))
    edges = [i for i in range(len(keys)) if i == 0 or keys[i] != keys[i - 1]] + [len(keys)]
    found: dict[int, dict[TrackKind, list[Tracklet]]] = {}
    for a, b in pairwise(edges):
        kinds = found.setdefault(int(keys[a][0]), {})
        part = {name: column[a:b] for name, column in table.items()}
        kinds.setdefault(TrackKind(keys[a][1]), []).append(_tracklet(part))
    return found


def _tracklet(columns: dict[str, Any]) -> Tracklet:
    landmarks = [
        np.full((5, 2), np.nan) if points is None else np.asarray(points).reshape(5, 2)
        for points in columns["landmarks"]
    ]
    return Tracklet(
        columns["frame"], columns["time"], np.stack([columns[c] for c in "xywh"], axis=1),
        columns["confidence"], columns["detected"].astype(bool), np.array(landmarks),
        columns["sharpness"].astype(float),
    )  # fmt: skip
