"""What the model reads of one film: described tracks, bags, cast, pins, descriptors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.bags import FilmTracks, read_bags, read_tracks
from callsheet.core import BACKGROUND, Bag, TrackKind, Vocabulary
from callsheet.errors import InputError
from callsheet.store import SCHEMAS, open_matrix, read_rows

Array = NDArray[Any]

MATRIX = {TrackKind.FACE: "faces.npy", TrackKind.BODY: "bodies.npy"}


@dataclass(frozen=True, slots=True)
class FilmInputs:
    """Tracks of one kind, row i of `descriptors` being track i; their bags and pins.

    `bags` are those of this kind's question: persons for faces, actions for bodies. A pin is
    a label that a person gave to a track.
    """

    tracks: FilmTracks
    descriptors: Array
    bags: tuple[Bag, ...]
    pins: Mapping[int, str]  # place of the track -> label
    warnings: tuple[str, ...] = ()  # what was left out on the way

    def __post_init__(self) -> None:
        if len(self.tracks) != len(self.descriptors):
            raise InputError(
                f"{len(self.tracks)} tracks for {len(self.descriptors)} descriptors;"
                " run the features stage again"
            )

    def __len__(self) -> int:
        return len(self.tracks)


def read_film(folder: Path, kind: TrackKind) -> FilmInputs:
    """Read the tracks of a kind that have a descriptor, with what is known about them."""
    every = read_tracks(folder)
    matrix = open_matrix(folder / MATRIX[kind])
    tracks = every.of_kind(kind).described()
    _check_rows(folder / MATRIX[kind], tracks, len(matrix))
    question = "person" if kind is TrackKind.FACE else "action"
    has_bags = (folder / "bags.parquet").exists()
    bags = [b for b in read_bags(folder) if (b.action is None) == (question == "person")] \
        if has_bags else []  # fmt: skip
    said, warnings = _corrections(folder, every, question)
    return FilmInputs(tracks, matrix, tuple(bags), _pins(every, tracks, said), warnings)


def read_pins(folder: Path, every: FilmTracks, question: str) -> dict[int, str]:
    """Track id -> what a person said of it, or of the track that it is linked with."""
    said, _ = _corrections(folder, every, question)
    return {int(every.track[place]): label for place, label in _pins(every, every, said).items()}


def unknown_pins(film: FilmInputs, labels: Vocabulary) -> tuple[str, ...]:
    """A warning for pins whose label is in no vocabulary: nothing can be made of them."""
    strange = sorted({label for label in film.pins.values() if label not in labels})
    if not strange:
        return ()
    count = sum(label not in labels for label in film.pins.values())
    return (
        f"{_counted(count, 'pin')} not kept: {_few(strange)} is no label here;"
        f" the labels are {_few(labels.names)}",
    )


def read_persons(folder: Path) -> Vocabulary:
    """Background and everyone of the cast who is not an extra."""
    cast = read_rows(folder / "cast.parquet", SCHEMAS["cast"])
    return Vocabulary.of(member["person"] for member in cast if not member["background"])


def action_vocabulary(known: Vocabulary, films: Sequence[FilmInputs]) -> Vocabulary:
    """The known actions, then whatever else the bags and pins tell of."""
    told = {bag.action for film in films for bag in film.bags if bag.action}
    told |= {label for film in films for label in film.pins.values()}
    return Vocabulary((*known, *sorted(told - set(known))))


def _check_rows(path: Path, tracks: FilmTracks, rows: int) -> None:
    if not np.array_equal(tracks.row, np.arange(rows)):
        raise InputError(
            f"{path} has {rows} rows, and the tracks table does not name each of them once;"
            " run the features stage again"
        )


def _corrections(
    folder: Path, every: FilmTracks, question: str
) -> tuple[dict[int, str], tuple[str, ...]]:
    """Track -> label of the pins that answer this question, and a warning for those of no track."""
    path = folder / "pins.parquet"
    if not path.exists():
        return {}, ()
    said = {pin["track"]: pin[question] for pin in read_rows(path, SCHEMAS["pins"])}
    extras = _extras(folder) if question == "person" else frozenset()
    said = {
        track: BACKGROUND if label in extras else label
        for track, label in said.items()
        if label is not None
    }
    ids = np.array(list(said), dtype=np.int64)
    gone = ids[every.places(ids) < 0].tolist()
    warnings = (
        f"{_counted(len(gone), 'pin')} not kept: the film has no track {_few(map(str, gone))};"
        " were its tracks made anew? Pin them again",
    ) if gone else ()  # fmt: skip
    return {track: label for track, label in said.items() if track not in set(gone)}, warnings


def _extras(folder: Path) -> frozenset[str]:
    """People of the cast whom nobody asks for by name: to pin one says background."""
    path = folder / "cast.parquet"
    if not path.exists():
        return frozenset()
    cast = read_rows(path, SCHEMAS["cast"])
    return frozenset(member["person"] for member in cast if member["background"])


def _pins(every: FilmTracks, tracks: FilmTracks, said: Mapping[int, str]) -> dict[int, str]:
    """Corrections of these tracks; one of the linked track counts too, one's own comes first."""
    ids = np.array(list(said), dtype=np.int64)
    links = every.linked[every.places(ids)] if len(ids) else ids
    own = tracks.places(ids)
    others = tracks.places(links)
    pins = {int(p): label for p, label in zip(others, said.values(), strict=True) if p >= 0}
    return pins | {int(p): label for p, label in zip(own, said.values(), strict=True) if p >= 0}


def _counted(count: int, what: str) -> str:
    return f"{count} {what} is" if count == 1 else f"{count} {what}s are"


def _few(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:5]) + (", ..." if len(listed) > 5 else "")
