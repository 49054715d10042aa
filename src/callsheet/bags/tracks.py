"""A film's tracks as arrays, and which of them a span touches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import TrackKind
from callsheet.errors import InputError
from callsheet.store import SCHEMAS, read_table

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class FilmTracks:
    """Columns of the tracks table, in its order; -1 stands for null."""

    track: Array  # ids
    is_face: Array  # bool
    shot: Array  # -1: the shot is not known
    start: Array  # seconds
    end: Array
    linked: Array  # id of the same person's track of the other kind
    row: Array  # row in faces.npy or bodies.npy

    def __len__(self) -> int:
        return len(self.track)

    def of_kind(self, kind: TrackKind | str) -> FilmTracks:
        """Only the faces or only the bodies."""
        return self.take(self.is_face == (TrackKind(kind) is TrackKind.FACE))

    def described(self) -> FilmTracks:
        """Only tracks with a descriptor, in the order of its rows."""
        rows = np.flatnonzero(self.row >= 0)
        return self.take(rows[np.argsort(self.row[rows], kind="stable")])

    def take(self, which: Array) -> FilmTracks:
        return FilmTracks(*(getattr(self, field.name)[which] for field in fields(self)))

    def places(self, ids: Array) -> Array:
        """Where the tracks with these ids stand; -1 for an id that is not here."""
        order = np.argsort(self.track)
        found = np.minimum(np.searchsorted(self.track[order], ids), max(len(order) - 1, 0))
        if not len(order):
            return np.full(len(ids), -1)
        places = order[found]
        return np.where(self.track[places] == ids, places, -1)


def read_tracks(folder: Path) -> FilmTracks:
    """Read tracks.parquet of a film folder."""
    path = folder / "tracks.parquet"
    table = read_table(path, SCHEMAS["tracks"])
    tracks = FilmTracks(
        track=_ids(table, "track"),
        is_face=np.array(table.column("kind").to_pylist(), dtype=object) == TrackKind.FACE.value,
        shot=_ids(table, "shot"),
        start=table.column("start").to_numpy(),
        end=table.column("end").to_numpy(),
        linked=_ids(table, "linked"),
        row=_ids(table, "row"),
    )
    if len(np.unique(tracks.track)) != len(tracks):
        raise InputError(f"{path} holds a track id twice; run the tracks stage again")
    return tracks


def tracks_in_spans(tracks: FilmTracks, starts: Array, ends: Array) -> Iterator[Array]:
    """Places of the tracks that share an instant with each span [start, end), ids ascending."""
    order = np.argsort(tracks.start, kind="stable")
    begins, finishes = tracks.start[order], tracks.end[order]
    longest = float(np.max(finishes - begins, initial=0.0))
    for start, end in zip(starts, ends, strict=True):
        low = np.searchsorted(begins, start - longest, side="left")
        high = np.searchsorted(begins, end, side="left")
        touched = order[low:high][finishes[low:high] > start]
        yield touched[np.argsort(tracks.track[touched])]


def _ids(table: Any, name: str) -> Array:
    column: Array = table.column(name).fill_null(-1).to_numpy().astype(np.int64)
    return column
