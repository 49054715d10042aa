"""Names: quotas hold, truth is found where it can be, pins are kept, nobody is twice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from callsheet.bags import FilmTracks, background_tracks, cooccurring_groups, make_bags
from callsheet.core import Bag, EvidenceKind, TrackKind, Vocabulary
from callsheet.errors import InputError, SettingsError, StoreError
from callsheet.model import (
    FilmInputs,
    NameSettings,
    make_labels,
    make_names,
    name_film,
    read_classifier,
    read_film,
)
from callsheet.model.demands import broken, once_demands
from callsheet.store import SCHEMAS, open_matrix, read_rows, write_rows
from callsheet.theatre.world import WorldSettings, film_folders, make_world

PERSONS = Vocabulary.of(["RICK", "ILSA"])
EASY = WorldSettings(films=1, tracks=400, face_dimension=32, dimension=8, cast=4,
                     name_separation=14.0, wrong_names=0.0, wrong_mouths=0.0,
                     name_coverage=1.0)  # fmt: skip


def film_of(persons: list[int], bags: list[tuple[str, list[int]]], *, together: bool = False,
            pins: dict[int, str] | None = None, seed: int = 0) -> FilmInputs:  # fmt: skip
    """Faces of `persons` (0 nobody) with clear descriptors; all at once if `together`."""
    n = len(persons)
    rng = np.random.default_rng(seed)
    descriptors = 3.0 * np.eye(3)[persons] + 0.05 * rng.normal(size=(n, 3))
    start = np.zeros(n) if together else np.arange(n) * 10.0
    tracks = FilmTracks(np.arange(n), np.ones(n, bool), np.zeros(n, int), start, start + 5,
                        np.full(n, -1), np.arange(n))  # fmt: skip
    made = [Bag(i, i, EvidenceKind.MENTION, person, None, tuple(rows))
            for i, (person, rows) in enumerate(bags)]  # fmt: skip
    return FilmInputs(tracks, descriptors, tuple(made), pins or {})


def test_names_spread_from_bags_to_those_who_look_alike() -> None:
    persons = [1, 2, 0, 0] * 6
    film = film_of(persons, [("RICK", [0, 1]), ("ILSA", [1, 2]), ("RICK", [4, 6]),
                             ("ILSA", [5, 7]), ("RICK", [8]), ("ILSA", [9])])  # fmt: skip
    names = name_film(film, NameSettings(slack=5.0, background=0.5), persons=PERSONS)
    assert names.assignment.argmax(axis=1).tolist() == persons
    assert names.notes["gap"] <= 1e-3


def test_quotas_hold_exactly_where_they_are_hard() -> None:
    film = film_of([1, 2, 0, 0] * 5, [("RICK", [0]), ("ILSA", [1])], pins={2: "ILSA"})
    names = name_film(film, NameSettings(background=0.8), persons=PERSONS)
    np.testing.assert_allclose(names.assignment.sum(axis=1), 1, atol=1e-9)
    rows = np.setdiff1d(background_tracks(film.tracks, film.bags), [2])
    assert names.assignment[rows, 0].sum() >= 0.8 * len(rows) - 1e-9
    np.testing.assert_allclose(names.assignment[2], [0, 0, 1], atol=1e-12)


def test_nobody_is_twice_in_one_picture() -> None:
    film = film_of([1, 1, 1, 1], [("RICK", [0, 1, 2, 3])], together=True)
    assert len(cooccurring_groups(film.tracks)) == 1
    once = name_film(film, NameSettings(bound=4.0, slack=50.0, nobody_twice=True), persons=PERSONS)
    free = name_film(film, NameSettings(bound=4.0, slack=50.0, nobody_twice=False), persons=PERSONS)
    assert once.assignment[:, 1].sum() <= 1 + 1e-9
    assert free.assignment[:, 1].sum() > 1.5


def test_pins_that_break_a_quota_win_over_it() -> None:
    film = film_of([1, 1, 0], [], together=True, pins={0: "RICK", 1: "RICK"})
    names = name_film(film, NameSettings(background=1.0), persons=PERSONS)
    assert names.assignment.argmax(axis=1).tolist()[:2] == [1, 1]


def test_unsure_evidence_asks_for_less() -> None:
    film = film_of([0, 0, 0, 0], [("RICK", [0])])
    doubtful = replace(film.bags[0], confidence=0.01)
    settings = NameSettings(background=0.0)
    sure = name_film(film, settings, persons=PERSONS).assignment[0, 1]
    unsure = name_film(
        FilmInputs(film.tracks, film.descriptors, (doubtful,), {}), settings, persons=PERSONS
    ).assignment[0, 1]
    assert unsure < sure


def test_a_film_without_faces_or_bags_is_no_failure() -> None:
    nobody = film_of([], [])
    empty = FilmInputs(nobody.tracks, np.zeros((0, 3)), (), {})
    assert name_film(empty, persons=PERSONS).assignment.shape == (0, 3)
    untold = name_film(film_of([1, 2, 0], []), persons=PERSONS)
    assert "no bag" in untold.warnings[0]


def test_lifting_keeps_names_and_the_classifier_applies_it() -> None:
    persons = [1, 2, 0, 0] * 6
    film = film_of(persons, [("RICK", [0]), ("ILSA", [1]), ("RICK", [4]), ("ILSA", [5])])
    names = name_film(film, NameSettings(lift=64, slack=5.0, background=0.5), persons=PERSONS)
    assert names.classifier.weights.shape == (65, 3)
    assert names.classifier.scores(film.descriptors).argmax(axis=1).tolist() == persons
    with pytest.raises(InputError, match="columns"):
        names.classifier.scores(np.zeros((2, 5)))


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    make_world(folder, EASY)
    make_bags(film_folders(folder, EASY)[0])
    return film_folders(folder, EASY)[0]


def test_an_easy_world_is_named(world: Path) -> None:
    result = make_names(world, NameSettings(slack=0.5))
    classifier = read_classifier(world, "names")
    truth = [r["person"] for r in read_rows(world / "truth.parquet", SCHEMAS["truth"])
             if r["kind"] == "face"]  # fmt: skip
    said = [classifier.labels.names[c]
            for c in open_matrix(world / "names.npy").argmax(axis=1)]  # fmt: skip
    assert np.mean([a == b for a, b in zip(said, truth, strict=True)]) > 0.85
    assert result.summary["faces"] == len(truth)


def test_sharpened_names_keep_every_quota_too(world: Path) -> None:
    film = read_film(world, TrackKind.FACE)
    settings = NameSettings(annealing_rounds=5)
    names = name_film(world, settings)
    relaxed = name_film(world, replace(settings, annealing_rounds=0))
    once = once_demands(film, names.labels)
    assert len(once) > 100
    unseen = background_tracks(film.tracks, film.bags, crowd=settings.crowd)
    for found in (names, relaxed):
        np.testing.assert_allclose(found.assignment.sum(axis=1), 1, atol=1e-9)
        assert broken(once, found.assignment, beyond=1e-7) == []
        assert found.assignment[unseen, 0].sum() >= settings.background * len(unseen) - 1e-7
    assert names.assignment.max(axis=1).mean() > relaxed.assignment.max(axis=1).mean()


def test_pins_of_a_linked_body_count_for_its_face(world: Path) -> None:
    film = read_film(world, TrackKind.FACE)
    place = int(np.flatnonzero(film.tracks.linked >= 0)[0])
    body = int(film.tracks.linked[place])
    path = world / "pins.parquet"
    write_rows(path, SCHEMAS["pins"], [{"track": body, "person": "background", "action": None}])
    try:
        assert read_film(world, TrackKind.FACE).pins == {place: "background"}
        assert read_film(world, TrackKind.BODY).pins == {}
    finally:
        path.unlink()


def test_pins_of_tracks_that_are_gone_and_of_nobody_known_are_told(world: Path) -> None:
    film = read_film(world, TrackKind.FACE)
    path = world / "pins.parquet"
    gone = int(film.tracks.track.max()) + 1000
    write_rows(path, SCHEMAS["pins"], [
        {"track": gone, "person": "background", "action": None},
        {"track": int(film.tracks.track[0]), "person": "NOBODY KNOWN", "action": None},
    ])  # fmt: skip
    try:
        assert read_film(world, TrackKind.FACE).pins == {0: "NOBODY KNOWN"}
        for result in (make_names(world), make_labels(world)):
            told = " ".join(result.warnings)
            assert f"the film has no track {gone}" in told
            assert "NOBODY KNOWN is no label here" in told
    finally:
        path.unlink()


def test_a_pin_of_an_extra_of_the_cast_is_the_background(world: Path) -> None:
    cast = read_rows(world / "cast.parquet", SCHEMAS["cast"])
    extra = next(member["person"] for member in cast if member["background"])
    film = read_film(world, TrackKind.FACE)
    path = world / "pins.parquet"
    write_rows(path, SCHEMAS["pins"], [
        {"track": int(film.tracks.track[0]), "person": extra, "action": None}
    ])  # fmt: skip
    try:
        assert read_film(world, TrackKind.FACE).pins == {0: "background"}
        assert not any("not kept" in told for told in make_names(world).warnings)
    finally:
        path.unlink()


def test_the_classifier_is_that_of_the_sharpened_names(world: Path) -> None:
    film = read_film(world, TrackKind.FACE)
    names = name_film(world)
    rows = np.c_[np.asarray(film.descriptors, float), np.full(len(film), 10.0)]
    ridge = NameSettings().ridge * len(film)
    weights = np.linalg.solve(rows.T @ rows + ridge * np.eye(rows.shape[1]),
                              rows.T @ names.assignment)  # fmt: skip
    np.testing.assert_allclose(names.classifier.weights, weights, atol=1e-3)


def test_what_is_missing_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not exist"):
        make_names(tmp_path)
    with pytest.raises(SettingsError, match="background"):
        NameSettings(background=1.5)
    with pytest.raises(SettingsError, match="ridge"):
        NameSettings(ridge=0.0)
