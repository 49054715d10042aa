"""Simulated films for the experiments: a world on disk, its bags, and its truth in row order."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.bags import make_bags
from callsheet.core import ACTION_VOCABULARY, TrackKind, Vocabulary
from callsheet.model import FilmInputs, read_film, read_persons
from callsheet.store import SCHEMAS, read_rows
from callsheet.theatre.world import WorldSettings, film_folders, make_world

Array = NDArray[Any]

NAMES_WORLD = WorldSettings(films=3, tracks=2400, name_separation=7.0)
"""Three films for the experiments on names."""

ACTIONS_WORLD = WorldSettings(films=66, tracks=66_000, action_separation=3.15)
"""Films for the experiments on actions; the first five are judged, as in the paper.

As many films as the paper's, a third of their tracks; actions lie so far apart that a classifier
of four films' truth scores about what the paper's did (mAP .093).
"""

JUDGED = 5


@contextmanager
def world(settings: WorldSettings) -> Iterator[list[Path]]:
    """Make a world in a temporary folder and its bags; yield its film folders."""
    with tempfile.TemporaryDirectory(prefix="callsheet-world-") as name:
        make_world(Path(name), settings)
        folders = film_folders(Path(name), settings)
        for folder in folders:
            make_bags(folder)
        yield folders


def faces_of(folder: Path) -> tuple[FilmInputs, Vocabulary, Array]:
    """A film's faces, its persons, and the true column of each face."""
    film, labels = read_film(folder, TrackKind.FACE), read_persons(folder)
    return film, labels, _truth(folder, film, labels, "person")


def bodies_of(folder: Path) -> tuple[FilmInputs, Array]:
    """A film's bodies, and the true action column of each."""
    film = read_film(folder, TrackKind.BODY)
    return film, _truth(folder, film, ACTION_VOCABULARY, "action")


def _truth(folder: Path, film: FilmInputs, labels: Vocabulary, question: str) -> Array:
    said = {r["track"]: r[question] for r in read_rows(folder / "truth.parquet", SCHEMAS["truth"])}
    names = (said.get(track, labels.names[0]) for track in film.tracks.track.tolist())
    return np.array([labels.column(n) if n in labels else 0 for n in names], int)


def told(settings: WorldSettings) -> str:
    """How an outcome names a world."""
    return f"simulated world: {settings.films} films, {settings.tracks} body tracks"


def settings_of(settings: WorldSettings) -> dict[str, Any]:
    return asdict(settings)
