"""From tables to labels: actions over films, reasons, abstention, prediction, evaluation."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from callsheet.bags import FilmTracks, background_tracks, make_bags, read_bags
from callsheet.core import ACTION_VOCABULARY, Bag, EvidenceKind, TrackKind, Vocabulary
from callsheet.errors import InputError, StoreError
from callsheet.evaluation import EvaluationSettings, evaluate_films, make_evaluation
from callsheet.model import (
    ActionFilm,
    ActionSettings,
    FilmInputs,
    LabelSettings,
    NameSettings,
    label_actions,
    make_actions,
    make_labels,
    make_names,
    predict,
    read_film,
)
from callsheet.model.actions import FaceNames, read_face_names
from callsheet.store import SCHEMAS, open_matrix, read_rows, write_rows
from callsheet.theatre.world import WorldSettings, film_folders, make_world

WORLD = WorldSettings(films=3, tracks=900, dimension=24, face_dimension=24, cast=5,
                      name_separation=12.0, action_separation=12.0, coverage=0.6, wrong=0.05,
                      wrong_names=0.02, wrong_mouths=0.0, name_coverage=0.9,
                      film_style=0.5)  # fmt: skip
EASY = WorldSettings(films=1, tracks=500, dimension=4, face_dimension=32, cast=4,
                     name_separation=14.0, wrong_names=0.0, wrong_mouths=0.0,
                     name_coverage=1.0)  # fmt: skip
ACTIONS = ActionSettings(ridge=1e-3, slack=1.0, tolerance=1e-2, passes=200)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two films learned from, a third without a script."""
    folder = tmp_path_factory.mktemp("library")
    make_world(folder, WORLD)
    *scripted, silent = film_folders(folder, WORLD)
    for film in scripted:
        make_bags(film)
        make_names(film, NameSettings())
    for table in ("evidence", "cues", "speaking"):
        (silent / f"{table}.parquet").unlink()
    result = make_actions([*scripted, silent], folder, ACTIONS)
    assert result.summary["films"] == 2
    for film in scripted:
        make_labels(film)
    return folder


def rows(film: Path, table: str) -> list[dict[str, Any]]:
    return read_rows(film / f"{table}.parquet", SCHEMAS[table])


def test_linked_tracks_share_their_answers(library: Path) -> None:
    film = library / "film-01"
    labels = {row["track"]: row for row in rows(film, "labels")}
    for track in rows(film, "tracks"):
        own, linked = labels[track["track"]], labels.get(track["linked"])
        if linked:
            assert (own["person"], own["action"]) == (linked["person"], linked["action"])
        elif track["kind"] == "body":
            assert own["person"] is None
            assert own["action"] is not None


def test_reasons_are_evidence_for_that_very_label(library: Path) -> None:
    film = library / "film-01"
    evidence = {row["evidence"]: row for row in rows(film, "evidence")}
    tracks = {row["track"]: row for row in rows(film, "tracks")}
    reasoned = 0
    for row in rows(film, "labels"):
        for question in ("person", "action"):
            for reason in row[f"{question}_reasons"]:
                told = evidence[reason]
                assert told[question] == row[question]
                own = tracks[row["track"]]
                other = tracks.get(own["linked"], own)
                assert any(t["start"] < told["end"] and told["start"] < t["end"]
                           for t in (own, other))  # fmt: skip
                reasoned += 1
    assert reasoned > 20


def test_scores_hold_every_label_of_every_described_track(library: Path) -> None:
    film = library / "film-01"
    scores = rows(film, "scores")
    kinds = {row["track"]: row["kind"] for row in rows(film, "tracks")}
    assert {(kinds[s["track"]], s["kind"]) for s in scores} == {("face", "person"),
                                                                ("body", "action")}  # fmt: skip
    actions = [s for s in scores if s["kind"] == "action"]
    assert len(actions) == len(ACTION_VOCABULARY) * sum(k == "body" for k in kinds.values())


def test_the_world_is_labelled_far_above_chance(library: Path) -> None:
    films = [library / "film-01", library / "film-02"]
    result = evaluate_films(films, films, EvaluationSettings(draws=20))
    assert result.value("name accuracy") > 0.8
    assert result.value("name multi-class AP") > 0.8
    assert result.value("action mAP") > 0.2  # chance: 0.01
    for measure in result.measures:
        assert "tracks:" in measure.signature
        assert "callsheet:" in measure.signature
    make_evaluation(films[0], settings=EvaluationSettings(draws=5))
    assert (films[0] / "evaluation.json").exists()


def test_abstention_raises_precision(library: Path, tmp_path: Path) -> None:
    film = tmp_path / "film"
    shutil.copytree(library / "film-01", film)
    few = EvaluationSettings(draws=0)
    before = evaluate_films([film], [film], few)
    make_labels(film, LabelSettings(precision=0.97))
    after = evaluate_films([film], [film], few)
    assert after.value("name precision") >= before.value("name precision")
    abstained = [row for row in rows(film, "labels") if row["person_score"] is not None
                 and row["person"] is None]  # fmt: skip
    assert abstained
    assert all(not row["person_reasons"] for row in abstained)


def test_a_correction_is_kept(library: Path, tmp_path: Path) -> None:
    film = tmp_path / "film"
    shutil.copytree(library / "film-01", film)
    face = next(row for row in rows(film, "tracks") if row["kind"] == "face")["track"]
    person = rows(film, "cast")[1]["person"]
    write_rows(film / "pins.parquet", SCHEMAS["pins"],
               [{"track": face, "person": person, "action": None}])  # fmt: skip
    make_names(film)
    make_labels(film, LabelSettings(precision=0.99))
    labels = {row["track"]: row for row in rows(film, "labels")}
    assert labels[face]["person"] == person


def test_a_correction_of_a_body_whose_face_is_not_seen_is_kept(
    library: Path, tmp_path: Path
) -> None:
    """No face is asked who it is: what a person said is the label, and weighs its bags."""
    film = tmp_path / "film"
    shutil.copytree(library / "film-01", film)
    unseen = [row["track"] for row in rows(film, "tracks")
              if row["kind"] == "body" and row["linked"] is None]  # fmt: skip
    body, other = unseen[:2]
    person = rows(film, "cast")[1]["person"]
    write_rows(film / "pins.parquet", SCHEMAS["pins"],
               [{"track": body, "person": person, "action": None},
                {"track": other, "person": "NOBODY KNOWN", "action": None}])  # fmt: skip
    make_labels(film)
    labels = {row["track"]: row for row in rows(film, "labels")}
    assert (labels[body]["person"], labels[body]["person_score"]) == (person, 1.0)
    assert labels[other]["person"] is None
    inputs = read_film(film, TrackKind.BODY)
    names = read_face_names(film, inputs)
    assert names is not None
    row = int(names.face[inputs.tracks.places(np.array([body]))[0]])
    assert names.assignment[row].argmax() == names.labels.column(person)
    assert names.assignment[row].sum() == 1
    evidence = {row["evidence"]: row for row in rows(film, "evidence")}
    assert all(evidence[reason]["person"] in (None, person)
               for reason in labels[body]["action_reasons"])  # fmt: skip


def test_a_film_without_a_script_is_predicted(library: Path, tmp_path: Path) -> None:
    film = tmp_path / "film"
    shutil.copytree(library / "film-03", film)
    result = predict(film, actions=library)
    truth = {row["track"]: row["action"] for row in rows(film, "truth") if row["kind"] == "body"}
    labels = {row["track"]: row for row in rows(film, "labels")}
    assert result.summary["action_tracks"] == len(truth)
    assert all(row["person"] is None for row in labels.values())
    right = [labels[t]["action"] == a for t, a in truth.items() if a != "background"]
    assert np.mean(right) > 0.2
    with pytest.raises(InputError, match="nothing to predict with"):
        predict(film)
    with pytest.raises(InputError, match="cannot be predicted from itself"):
        predict(library / "film-01", names=library / "film-01")


def test_faces_are_named_by_a_film_of_the_same_cast(tmp_path: Path) -> None:
    """The second half of a film, without its script, by the classifier of the first."""
    make_world(tmp_path, EASY)
    (film,) = film_folders(tmp_path, EASY)
    first, second = (tmp_path / name for name in ("first", "second"))
    for half, part in enumerate((first, second)):
        shutil.copytree(film, part)
        keep_half(part, half)
    make_bags(first)
    make_names(first)
    (second / "evidence.parquet").unlink()
    result = predict(second, names=first)
    assert not (second / "names.npy").exists()
    assert result.summary["person_tracks"] > 80
    assert share_right(second) > 0.9
    strict = predict(second, names=first, settings=LabelSettings(precision=0.9))
    assert strict.summary["person_named"] > 20
    assert "pieces of evidence" in strict.summary["person_threshold"]
    (first / "bags.parquet").unlink()
    untried = predict(second, names=first, settings=LabelSettings(precision=0.9))
    assert untried.summary["person_named"] == 0  # trials of before are gone
    assert "0 trials are too few" in untried.summary["person_threshold"]


def share_right(film: Path) -> float:
    labels = {row["track"]: row["person"] for row in rows(film, "labels")}
    truth = {r["track"]: r["person"] for r in rows(film, "truth") if r["kind"] == "face"}
    return float(np.mean([label == truth[track] for track, label in labels.items()]))


def keep_half(film: Path, half: int) -> None:
    """Keep the faces of one half of a film's time."""
    tracks = [row for row in rows(film, "tracks") if row["kind"] == "face"]
    middle = float(np.median([row["start"] for row in tracks]))
    kept = [row for row in tracks if (row["start"] >= middle) == bool(half)]
    faces = np.load(film / "faces.npy")[[row["row"] for row in kept]]
    np.save(film / "faces.npy", faces)
    write_rows(film / "tracks.parquet", SCHEMAS["tracks"],
               [row | {"row": i, "linked": None} for i, row in enumerate(kept)])  # fmt: skip


def test_a_predicted_film_is_withheld_by_the_trials_of_its_classifier(
    library: Path, tmp_path: Path
) -> None:
    film, taught = tmp_path / "film", tmp_path / "taught"
    shutil.copytree(library / "film-03", film)
    np.save(film / "action_trials.npy", np.ones((50, 3)))  # of another classifier
    taught.mkdir()
    for name in ("actions.json", "actions_weights.npy"):
        shutil.copy(library / name, taught / name)
    settings = LabelSettings(precision=0.8)
    unknown = predict(film, actions=taught, settings=settings)
    assert not (film / "action_trials.npy").exists()
    assert unknown.summary["action_named"] == 0
    assert "0 trials are too few" in unknown.summary["action_threshold"]
    margin = np.linspace(0, 1, 60)
    trials = np.c_[margin, np.where(margin > 0.05, 1.0, -9.0), np.ones(60)]
    np.save(taught / "actions_trials.npy", trials)
    result = predict(film, actions=taught, settings=settings)
    assert np.array_equal(open_matrix(film / "action_trials.npy"), trials)
    assert result.summary["action_named"] > 0
    assert result.summary["action_abstained"] > 0
    outside = np.c_[margin, np.zeros(60), np.zeros(60)]  # as many labels that no bag tells
    np.save(taught / "actions_trials.npy", np.concatenate([trials, outside]))
    assert predict(film, actions=taught, settings=settings).summary["action_named"] == 0
    assert open_matrix(library / "actions_trials.npy", columns=3).size  # what make_actions leaves


def test_rounding_leaves_fewer_met_bags_unmet(library: Path, tmp_path: Path) -> None:
    film = tmp_path / "film"
    shutil.copytree(library / "film-01", film)
    unmet = {}
    for keep in (False, True):
        make_labels(film, LabelSettings(keep_quotas=keep))
        said = {row["track"]: row["action"] for row in rows(film, "labels")}
        bags = [bag for bag in read_bags(film) if bag.action and bag.tracks]
        unmet[keep] = sum(bag.action not in {said[t] for t in bag.tracks} for bag in bags)
    assert unmet[True] < unmet[False]


def test_films_without_bags_are_scored_but_teach_nothing(library: Path) -> None:
    silent = library / "film-03"
    assert not (silent / "actions.npy").exists()
    scores = open_matrix(silent / "action_scores.npy")
    assert scores.shape[1] == len(ACTION_VOCABULARY)


def test_old_names_are_found_out(library: Path, tmp_path: Path) -> None:
    film = tmp_path / "film"
    shutil.copytree(library / "film-01", film)
    np.save(film / "names.npy", np.zeros((3, 6)))
    with pytest.raises(InputError, match="run the names stage again"):
        make_labels(film)
    with pytest.raises(InputError, match="neither names nor actions"):
        (film / "name_scores.npy").unlink()
        (film / "action_scores.npy").unlink()
        make_labels(film)


def bodies(count: int, bags: list[Bag]) -> FilmInputs:
    tracks = FilmTracks(np.arange(count), np.zeros(count, bool), np.zeros(count, int),
                        np.arange(count) * 9.0, np.arange(count) * 9.0 + 5,
                        np.full(count, -1), np.arange(count))  # fmt: skip
    # All look alike: only what is known of the names can tell who acts.
    return FilmInputs(tracks, np.ones((count, 2)), tuple(bags), {})


def test_names_tell_which_track_of_a_bag_acts() -> None:
    bag = Bag(0, 0, EvidenceKind.STATEMENT, "RICK", "Run", (0, 1, 2))
    names = FaceNames(Vocabulary.of(["RICK", "ILSA"]),
                      np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
                      np.array([0, 1, -1]))  # fmt: skip
    film = ActionFilm(bodies(3, [bag]), names)
    settings = ActionSettings(slack=2.0, bound=1.0, background=0.0, ridge=1.0)
    run = ACTION_VOCABULARY.column("Run")
    joint = label_actions([film], settings).assignment[:, run]
    assert joint[0] > joint[2] > joint[1]
    apart = label_actions(
        [film], ActionSettings(slack=2.0, bound=1.0, background=0.0, ridge=1.0, joint=False)
    ).assignment[:, run]
    np.testing.assert_allclose(apart, apart[0], atol=1e-3)


def test_sharpened_actions_are_surer_and_keep_the_background(library: Path) -> None:
    films = [
        ActionFilm(read_film(library / name, TrackKind.BODY)) for name in ("film-01", "film-02")
    ]
    relaxed = label_actions(films, ACTIONS)
    sharp = label_actions(films, replace(ACTIONS, annealing_rounds=4))
    assert sharp.assignment.max(axis=1).mean() > relaxed.assignment.max(axis=1).mean()
    for film, own in zip(films, sharp.rows, strict=True):
        unseen = background_tracks(film.inputs.tracks, film.inputs.bags)
        found = sharp.assignment[own.start : own.stop][unseen, 0].sum()
        assert found >= ACTIONS.background * len(unseen) - 1e-7
    assert np.abs(sharp.classifier.weights - relaxed.classifier.weights).max() > 0


def test_actions_of_the_users_own_get_a_column() -> None:
    bag = Bag(0, 0, EvidenceKind.STATEMENT, None, "Dance", (0,))
    result = label_actions([ActionFilm(bodies(4, [bag]))], ActionSettings(ridge=1.0))
    assert result.labels.names[-1] == "Dance"
    assert result.assignment.shape == (4, len(ACTION_VOCABULARY) + 1)


def test_no_bags_at_all_is_said(tmp_path: Path) -> None:
    make_world(tmp_path, WorldSettings(films=1, tracks=40, dimension=4, face_dimension=4))
    film = tmp_path / "film-01"
    result = make_actions([film], tmp_path)
    assert "no film has action bags" in result.warnings[-1]
    assert not (tmp_path / "actions.json").exists()
    make_bags(film)
    assert read_bags(film)


def test_a_film_is_not_taken_for_the_folder_of_the_classifier(library: Path) -> None:
    first, _, silent = film_folders(library, WORLD)
    with pytest.raises(StoreError, match="holds actions of a film, but no classifier"):
        predict(silent, actions=first)
