"""From what the parts gave to the film's files: faces.npy, bodies.npy, mouths, tracks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

from callsheet.store import SCHEMAS, filling_matrix, write_matrix, write_table
from callsheet.video.describing.crew import LOOKED, Crew, motion_channels
from callsheet.video.describing.of_faces import unit
from callsheet.video.describing.parts import FilmParts
from callsheet.video.describing.plan import Plan

_ROWS_AT_ONCE = 2048
Ids = NDArray[np.int64]
BODY_NUMBERS = np.float16
"""Histograms and pooled maps need no more than three digits; half the space."""


def write_faces(folder: Path, plan: Plan, crew: Crew, parts: FilmParts) -> Ids:
    """The mean of each track's described faces, of length one; the tracks in row order."""
    tracks = parts.array("faces.track")
    ids = plan.tracks.ids[plan.tracks.is_face & np.isin(plan.tracks.ids, tracks)]
    sums = np.zeros((len(ids), crew.face_width), np.float32)
    np.add.at(sums, _rows_in(ids, tracks), parts.array("faces.vector"))
    write_matrix(folder / "faces.npy", unit(sums))
    return ids


def write_bodies(folder: Path, plan: Plan, crew: Crew, parts: FilmParts) -> Ids:
    """Channel beside channel, each of length one (or zeros where nothing was seen); the tracks
    in row order."""
    ids = plan.tracks.ids[~plan.tracks.is_face] if crew.widths else np.empty(0, np.int64)
    blocks = {c: _words_of(ids, parts, c, crew.widths[c]) for c in motion_channels(plan.settings)}
    blocks |= {c: _looks_of(ids, parts, c, crew.widths[c]) for c in LOOKED if c in crew.widths}
    shape = (len(ids), sum(crew.widths.values()))
    if 0 in shape:
        write_matrix(folder / "bodies.npy", np.zeros(shape, BODY_NUMBERS))
        return ids
    with filling_matrix(folder / "bodies.npy", shape, BODY_NUMBERS) as matrix:
        for first in range(0, len(ids), _ROWS_AT_ONCE):
            at = slice(first, first + _ROWS_AT_ONCE)
            columns = [_length_one(blocks[channel], channel, at) for channel in crew.widths]
            matrix[at] = np.hstack(columns)
    return ids


def write_mouths(folder: Path, parts: FilmParts, *, measured: bool) -> None:
    """The motion of every mouth; an empty table where mouths are not measured, so that nobody
    takes those of an earlier run for this one's."""
    names = SCHEMAS["mouths"].column_names
    columns: dict[str, Any] = {
        name: parts.array(f"mouths.{name}") if measured else [] for name in names
    }
    write_table(folder / "mouths.parquet", SCHEMAS["mouths"], columns)


def write_tracks(folder: Path, plan: Plan, faces: Ids, bodies: Ids) -> None:
    """The tracks' table again, with `row` filled in."""
    rows = {int(track): row for ids in (faces, bodies) for row, track in enumerate(ids)}
    table = plan.tracks.table
    columns = {name: table[name] for name in table.column_names}
    columns["row"] = pa.array([rows.get(track) for track in plan.tracks.ids.tolist()], pa.int32())
    write_table(folder / "tracks.parquet", SCHEMAS["tracks"], columns)


def _words_of(ids: NDArray[np.int64], parts: FilmParts, channel: str, width: int) -> Any:
    """How often each track has each word: a sparse (tracks, words) matrix."""
    counts = sparse.csr_matrix((len(ids), width), dtype=np.float32)
    # Part by part: a long film has more trajectories than should lie in memory at once.
    for given in parts.each():
        rows, words = _rows_in(ids, given["motion.track"]), given[f"motion.{channel}"]
        ones = np.ones(len(rows), np.float32)
        counts += sparse.coo_matrix((ones, (rows, words)), shape=counts.shape).tocsr()
    return counts


def _looks_of(
    ids: NDArray[np.int64], parts: FilmParts, channel: str, width: int
) -> NDArray[np.float32]:
    """The sum of what a network saw of each track (tracks, width)."""
    sums = np.zeros((len(ids), width), np.float32)
    rows = _rows_in(ids, parts.array(f"{channel}.track"))
    np.add.at(sums, rows, parts.array(f"{channel}.sum"))
    return sums


def _rows_in(ids: NDArray[np.int64], tracks: NDArray[np.int64]) -> NDArray[np.int64]:
    """Place of each track in `ids`, which holds all of them in any order."""
    order = np.argsort(ids)
    return order[np.searchsorted(ids, tracks, sorter=order)]


def _length_one(block: Any, channel: str, at: slice) -> NDArray[np.float32]:
    """Histograms are rooted first (Hellinger), so that frequent words do not drown the rest."""
    rows = block[at]
    return unit(rows) if channel in LOOKED else unit(np.sqrt(rows.toarray()))
