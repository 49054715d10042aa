"""Films that lack something: no faces, no cast, one track."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from callsheet.bags import make_bags
from callsheet.model import make_actions, make_labels, make_names
from callsheet.store import SCHEMAS, read_rows, write_rows
from callsheet.theatre.world import WorldSettings, make_world


@pytest.fixture
def film(tmp_path: Path) -> Path:
    world = WorldSettings(films=1, tracks=60, dimension=6, face_dimension=5, cast=3, coverage=1.0)
    make_world(tmp_path, world)
    return tmp_path / "film-01"


def _label(film: Path) -> list[dict[str, object]]:
    make_bags(film)
    make_names(film)
    make_actions([film], film.parent)
    make_labels(film)
    return read_rows(film / "labels.parquet", SCHEMAS["labels"])


def test_a_film_without_faces(film: Path) -> None:
    rows = [r | {"linked": None} for r in read_rows(film / "tracks.parquet", SCHEMAS["tracks"])
            if r["kind"] == "body"]  # fmt: skip
    write_rows(film / "tracks.parquet", SCHEMAS["tracks"], rows)
    np.save(film / "faces.npy", np.zeros((0, 5), np.float32))
    labels = _label(film)
    assert len(labels) == 60
    assert all(row["person"] is None for row in labels)
    assert all(row["action"] is not None for row in labels)


def test_a_film_whose_cast_is_nobody(film: Path) -> None:
    write_rows(film / "cast.parquet", SCHEMAS["cast"], [])
    labels = _label(film)
    assert {row["person"] for row in labels} <= {"background", None}


def test_tracks_that_were_not_described(film: Path) -> None:
    rows = read_rows(film / "tracks.parquet", SCHEMAS["tracks"])
    last = max(r["track"] for r in rows if r["kind"] == "body")
    rows = [r | {"row": None} if r["track"] == last else r for r in rows]
    write_rows(film / "tracks.parquet", SCHEMAS["tracks"], rows)
    np.save(film / "bodies.npy", np.load(film / "bodies.npy")[:-1])
    labels = {row["track"]: row for row in _label(film)}
    assert labels[last]["action"] is None
