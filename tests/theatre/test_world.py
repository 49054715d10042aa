"""The world keeps what its dials promise, and its tables fit together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from callsheet.bags import audit_bags, cooccurring_groups, make_bags, read_tracks
from callsheet.core import ACTIONS, BACKGROUND
from callsheet.errors import SettingsError
from callsheet.store import SCHEMAS, open_matrix, read_rows, read_table
from callsheet.theatre.world import PAPER_WORLD, WorldSettings, film_folders, make_world

SMALL = WorldSettings(films=2, tracks=400, dimension=8, face_dimension=6, cast=5)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("world")
    make_world(folder, SMALL)
    return folder


def test_every_track_has_a_descriptor_and_a_truth(small: Path) -> None:
    bodies = 0
    for film in film_folders(small, SMALL):
        tracks = read_tracks(film)
        truth = read_table(film / "truth.parquet", SCHEMAS["truth"])
        assert truth.column("track").to_pylist() == tracks.track.tolist()
        for kind, width in (("face", 6), ("body", 8)):
            of_kind = tracks.of_kind(kind)
            matrix = open_matrix(film / {"face": "faces.npy", "body": "bodies.npy"}[kind])
            assert matrix.shape == (len(of_kind), width)
            assert np.array_equal(of_kind.row, np.arange(len(of_kind)))
            np.testing.assert_allclose(np.linalg.norm(matrix, axis=1), 1, atol=1e-5)
        bodies += len(tracks.of_kind("body"))
    assert bodies == SMALL.tracks


def test_links_go_both_ways_to_the_same_person_and_time(small: Path) -> None:
    for film in film_folders(small, SMALL):
        tracks = read_tracks(film)
        truth = read_rows(film / "truth.parquet", SCHEMAS["truth"])
        linked = np.flatnonzero(tracks.linked >= 0)
        assert np.array_equal(tracks.linked[tracks.linked[linked]], tracks.track[linked])
        for track in linked:
            other = tracks.linked[track]
            assert truth[track]["person"] == truth[other]["person"]
            assert tracks.is_face[track] != tracks.is_face[other]
            assert tracks.start[track] < tracks.end[other]
            assert tracks.start[other] < tracks.end[track]


def test_nobody_named_is_twice_in_one_picture(small: Path) -> None:
    for film in film_folders(small, SMALL):
        faces = read_tracks(film).of_kind("face")
        persons = {r["track"]: r["person"] for r in
                   read_rows(film / "truth.parquet", SCHEMAS["truth"])}  # fmt: skip
        for group in cooccurring_groups(faces, shortest=0.0):
            named = [persons[t] for t in faces.track[group] if persons[t] != BACKGROUND]
            assert len(set(named)) == len(named)


def test_same_seed_same_world_and_another_seed_another(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        make_world(tmp_path / name, replace(SMALL, films=1, tracks=60, seed=seed))
    files = {n: (tmp_path / n / "film-01" / "faces.npy").read_bytes() for n in "abc"}
    assert files["a"] == files["b"] != files["c"]


def test_statistics_are_those_of_the_papers_bags(tmp_path: Path) -> None:
    settings = replace(PAPER_WORLD, dimension=1, face_dimension=1)
    make_world(tmp_path, settings)
    folders = film_folders(tmp_path, settings)
    for folder in folders:
        make_bags(folder)
    actions = audit_bags(folders).actions
    assert actions.tracks == 201_874
    assert abs(actions.bags - 1634) < 100
    assert 8 <= actions.median <= 10
    assert 0.89 < actions.uncovered_share < 0.93
    assert 0.28 < actions.with_person / actions.bags < 0.38
    assert set(actions.labels) == set(ACTIONS)


def _agreement(folder: Path, settings: WorldSettings) -> float:
    """Share of statements with a true doer in their span."""
    make_world(folder, settings)
    hits = []
    for film in film_folders(folder, settings):
        truth = read_rows(film / "truth.parquet", SCHEMAS["truth"])
        for row in read_rows(film / "evidence.parquet", SCHEMAS["evidence"]):
            if row["action"]:
                hits.append(any(t["action"] == row["action"] and t["kind"] == "body"
                                and t["start"] < row["end"] and row["start"] < t["end"]
                                for t in truth))  # fmt: skip
    return float(np.mean(hits))


def test_wrong_evidence_is_as_wrong_as_asked(tmp_path: Path) -> None:
    base = replace(SMALL, tracks=3000, coverage=0.8)
    assert _agreement(tmp_path / "true", replace(base, wrong=0.0)) > 0.9
    assert _agreement(tmp_path / "wrong", replace(base, wrong=1.0)) < 0.35


def test_separation_is_what_tells_faces_apart(tmp_path: Path) -> None:
    def nearest_is_right(separation: float) -> float:
        settings = replace(SMALL, films=1, tracks=400, face_dimension=64, extras=0.0,
                           name_separation=separation)  # fmt: skip
        film = tmp_path / str(separation) / "film-01"
        make_world(film.parent, settings)
        faces = np.asarray(open_matrix(film / "faces.npy"))
        person = np.array([r["person"] for r in
                           read_rows(film / "truth.parquet", SCHEMAS["truth"])
                           if r["kind"] == "face"])  # fmt: skip
        likeness = faces @ faces.T
        np.fill_diagonal(likeness, -2)
        named = person != BACKGROUND
        return float(np.mean(person[likeness.argmax(axis=1)][named] == person[named]))

    assert nearest_is_right(20.0) > 0.97
    assert nearest_is_right(0.0) < 0.75  # what a shared scene still gives away


@pytest.mark.parametrize(
    "wrong", [{"films": 0}, {"extras": 1.5}, {"dtype": "int8"}, {"tracks": 10}, {"wrong": -0.1}]
)
def test_dials_out_of_range_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        WorldSettings(**wrong)  # type: ignore[arg-type]
