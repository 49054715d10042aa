"""Bring in the files that the paper's authors published, as film folders of ours.

`bags.mat` (`merge_bag`: action 2..14, people 0 or a column of Z, first and last frame;
`tframes_total`; `movie_bag`), `data_block.mat` (`movie_block`; its own bags are an older set and
stay unread), `track_map.mat` (body track -> row of Z, one past the last row: no face) and, where
at hand, `X.mat` or `X.npy` (descriptors) and `Z_total.mat` (name assignments); `X.mat` and
`Z_total.mat` in either form of MATLAB files (`matlab`). Frames become seconds at 24 a second;
the order of instants, and so the content of every bag, stays exact.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.bags.making import make_bags
from callsheet.bags.matlab import RowReader, load_matlab, matrix_reader, wanted
from callsheet.bags.settings import BagSettings
from callsheet.core import ACTIONS, BACKGROUND, Progress, StageResult, no_progress
from callsheet.errors import InputError
from callsheet.store import SCHEMAS, write_matrix, write_table, write_text

Array = NDArray[Any]

FRAMES_A_SECOND = 24.0
SHOT_UNKNOWN = -1


@dataclass(frozen=True, slots=True)
class Released:
    """What the files say; every index counts from 0."""

    frames: Array  # (tracks, 2) first and last frame of every body track
    films: list[Array]  # body tracks of each film
    face: Array  # (tracks,) row of Z; -1: no face
    bag_action: Array  # (bags,) 1 .. 13, as columns of the action vocabulary
    bag_person: Array  # (bags,) column of Z; 0: nobody told
    bag_frames: Array  # (bags, 2)
    film_bags: list[Array]


def import_released(source: Path, folder: Path, progress: Progress = no_progress) -> StageResult:
    """Write one film folder (film-01, ...) for each film of the authors' files, bags included."""
    names = _assignments(source)
    released = read_released(source, faces=None if names is None else len(names))
    rows_of = _descriptor_reader(source, len(released.frames))
    counts = {"films": len(released.films), "tracks": len(released.frames),
              "bags": 0, "name bags": 0, "empty": 0}  # fmt: skip
    digits = max(2, len(str(len(released.films))))  # names sort as the films do
    for film in range(len(released.films)):
        place = folder / f"film-{film + 1:0{digits}d}"
        _write_film(place, film, released, names)
        if rows_of is not None:
            write_matrix(place / "bodies.npy", rows_of(released.films[film]))
        # The authors took every bag as it is; so do we.
        made = make_bags(place, BagSettings(speakers_only=False)).summary
        counts["bags"] += made["action_bags"]
        counts["name bags"] += made["name_bags"]
        counts["empty"] += made["empty"]
        progress((film + 1) / len(released.films))
    return StageResult(counts, tuple(_missing(rows_of, names)))


def read_released(source: Path, *, faces: int | None = None) -> Released:
    """Read bags.mat, data_block.mat and track_map.mat of a folder.

    A body track without a face is marked with the number one past the last of `faces` rows;
    without Z the largest number in the map is taken to be that mark.
    """
    _check_there(source)
    bags = _load(source / "bags.mat", ("merge_bag", "movie_bag", "tframes_total"))
    blocks = _load(source / "data_block.mat", ("movie_block",))
    face = _load(source / "track_map.mat", ("track_map",))["track_map"].ravel().astype(np.int64)
    _check_map(face, len(bags["tframes_total"]), faces)
    merged = np.atleast_1d(bags["merge_bag"])
    return Released(
        frames=bags["tframes_total"].astype(np.int64),
        films=_groups(blocks["movie_block"]),
        face=np.where(face > (face.max() - 1 if faces is None else faces), 0, face) - 1,
        bag_action=np.array([int(bag.action) for bag in merged]) - 1,
        bag_person=np.maximum(np.array([int(bag.people) for bag in merged]) - 1, 0),
        bag_frames=np.array([np.asarray(bag.f, np.int64) for bag in merged]),
        film_bags=_groups(bags["movie_bag"]),
    )


def _check_there(source: Path) -> None:
    needed = ("bags.mat", "data_block.mat", "track_map.mat")
    missing = [name for name in needed if not (source / name).is_file()]
    if missing:
        raise InputError(f"{source} lacks {', '.join(missing)}; the authors' release has them")


def _check_map(face: Array, tracks: int, faces: int | None) -> None:
    if len(face) != tracks:
        raise InputError(f"track_map.mat tells of {len(face)} tracks, bags.mat of {tracks}")
    if faces is not None and face.max() > faces + 1:
        raise InputError(
            f"track_map.mat points at row {face.max()}, Z_total.mat has {faces} rows:"
            " they are not of one release"
        )


def _groups(cells: Array) -> list[Array]:
    return [np.atleast_1d(cell).ravel().astype(np.int64) - 1 for cell in np.atleast_1d(cells)]


def _load(path: Path, names: tuple[str, ...]) -> dict[str, Any]:
    content = load_matlab(path)
    return {name: wanted(content, name, path) for name in names}


def _write_film(folder: Path, film: int, released: Released, names: Array | None) -> None:
    bodies = released.films[film]
    faces = np.unique(released.face[bodies])
    faces = faces[faces >= 0]
    _write(folder, "tracks", _tracks(bodies, faces, released))
    _write(folder, "evidence", _evidence(released, released.film_bags[film]))
    persons = 40 if names is None else names.shape[1]
    vocabulary = [_person(column) for column in range(1, persons)]
    _write(folder, "cast", _cast(vocabulary))
    if names is not None:
        write_matrix(folder / "names.npy", names[faces])
        # The same file that the names stage writes; it tells whose columns names.npy has.
        write_text(folder / "names.json", json.dumps({"labels": [BACKGROUND, *vocabulary]}) + "\n")


def _write(folder: Path, name: str, columns: dict[str, Any]) -> None:
    write_table(folder / f"{name}.parquet", SCHEMAS[name], columns)


def _tracks(bodies: Array, faces: Array, released: Released) -> dict[str, Any]:
    """Bodies first, then faces, each with the span of the first body it belongs to."""
    place = np.searchsorted(faces, released.face[bodies])
    has_face = released.face[bodies] >= 0
    linked = np.where(has_face, len(bodies) + place, -1)
    first = np.full(len(faces), -1)
    holders = np.flatnonzero(has_face)[::-1]
    first[place[holders]] = holders
    frames = released.frames[np.concatenate([bodies, bodies[first]])] / FRAMES_A_SECOND
    linked_to = [None if i < 0 else int(i) for i in np.concatenate([linked, first])]
    return {
        "track": np.arange(len(frames)),
        "kind": ["body"] * len(bodies) + ["face"] * len(faces),
        "shot": np.full(len(frames), SHOT_UNKNOWN),
        "start": frames[:, 0],
        "end": frames[:, 1],
        "best_time": frames.mean(axis=1),
        "quality": np.ones(len(frames)),
        "linked": linked_to,
        "row": np.concatenate([np.arange(len(bodies)), np.arange(len(faces))]),
    }


def _evidence(released: Released, bags: Array) -> dict[str, Any]:
    persons = released.bag_person[bags]
    frames = released.bag_frames[bags] / FRAMES_A_SECOND
    return {
        "evidence": np.arange(len(bags)),
        "kind": ["statement"] * len(bags),
        "start": frames[:, 0],
        "end": frames[:, 1],
        "person": [_person(int(column)) if column else None for column in persons],
        "action": [ACTIONS[column - 1] for column in released.bag_action[bags]],
        "source_line": bags + 1,
        "rule": ["released"] * len(bags),
        "confidence": np.ones(len(bags)),
        "text": [""] * len(bags),
    }


def _person(column: int) -> str:
    return f"PERSON {column + 1}"


def _cast(persons: list[str]) -> dict[str, Any]:
    zeros = np.zeros(len(persons), int)
    return {
        "person": persons,
        "aliases": [[]] * len(persons),
        "actor": [None] * len(persons),
        "background": [False] * len(persons),
        "lines": zeros,
        "words": zeros,
        "mentions": zeros,
    }


def _assignments(source: Path) -> Array | None:
    path = source / "Z_total.mat"
    if not path.exists():
        return None
    loaded = _load(path, ("Z",))["Z"]
    matrix: Array = np.asarray(loaded.toarray() if hasattr(loaded, "toarray") else loaded, float)
    return matrix


def _missing(rows_of: RowReader | None, names: Array | None) -> Iterator[str]:
    if rows_of is None:
        yield "no X.mat or X.npy: there are bags but no descriptors (bodies.npy) to learn from"
    if names is None:
        yield "no Z_total.mat: who a track shows is not known, so person-action bags weigh alike"


def _descriptor_reader(source: Path, tracks: int) -> RowReader | None:
    """How to get the descriptors of some rows, or None where the folder has none."""
    if (source / "X.npy").exists():
        matrix = np.load(source / "X.npy", mmap_mode="r", allow_pickle=False)
        reader: RowReader = lambda rows: np.asarray(matrix[rows], np.float32)  # noqa: E731
        shape = matrix.shape
    elif (source / "X.mat").exists():
        reader, shape = matrix_reader(source / "X.mat", "X")
    else:
        return None
    if len(shape) != 2 or shape[0] != tracks:
        raise InputError(f"{source}/X.* has shape {shape}, expected {tracks} rows")
    return reader
