"""What each body track does, all films together.

X: body descriptors (tracks of all films, d), T: assignment (tracks, actions), Z: the names of the
linked faces, β: share of the background set, α₂: lower bound of a bag, κ: price of its slack,
λ: ridge. Person-action bags weigh each track by Z of its face; a body without a face weighs
`faceless` for every person. A film without bags teaches nothing but is scored like the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.bags import FilmTracks, read_tracks
from callsheet.core import (
    ACTION_VOCABULARY,
    Bag,
    Progress,
    StageResult,
    TrackKind,
    Vocabulary,
    no_progress,
)
from callsheet.errors import InputError
from callsheet.model.classifiers import (
    Classifier,
    read_labels_of,
    read_notes,
    write_classifier,
    write_notes,
)
from callsheet.model.crossfitting import crossfit_scores, fit_ridge
from callsheet.model.demands import WeightsOf, film_block
from callsheet.model.film_inputs import FilmInputs, action_vocabulary, read_film, read_pins
from callsheet.model.lifting import Lift, fit_lift
from callsheet.model.names import solution_notes
from callsheet.model.settings import ActionSettings
from callsheet.model.sharpening import sharpen
from callsheet.model.stacked import StackedMatrices
from callsheet.model.trials import Decoys, hold_decoys, told_labels
from callsheet.optim import Problem, solve
from callsheet.store import open_matrix, write_matrix

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class FaceNames:
    """Name assignment seen from the bodies of a film."""

    labels: Vocabulary
    assignment: Array  # (faces and pins, persons)
    face: Array  # (bodies,) row of the linked face, or of who a person said it is; -1: not seen


@dataclass(frozen=True, slots=True)
class ActionFilm:
    """One film of the joint problem."""

    inputs: FilmInputs
    names: FaceNames | None = None


@dataclass(frozen=True, slots=True)
class FilmsActions:
    """Relaxed actions of all films; rows of film i are `rows[i]`."""

    labels: Vocabulary
    assignment: Array  # (tracks of films with bags, actions)
    scores: Array  # (tracks of films with bags, actions), by classifiers of other films
    rows: tuple[range, ...]
    classifier: Classifier
    decoys: Decoys  # what the bags say of the scores, for the calibration
    notes: Mapping[str, Any]


def label_actions(
    films: Sequence[ActionFilm],
    settings: ActionSettings | None = None,
    *,
    labels: Vocabulary | None = None,
    progress: Progress = no_progress,
) -> FilmsActions:
    """Solve for the actions of films that have bags."""
    settings = settings or ActionSettings()
    if not any(len(film.inputs) for film in films):
        raise InputError("no film has both action bags and described body tracks to learn from")
    labels = labels or action_vocabulary(ACTION_VOCABULARY, [film.inputs for film in films])
    stacked = StackedMatrices([film.inputs.descriptors for film in films])
    lift = fit_lift(_sample(stacked), settings.lift, settings.lift_width, seed=settings.seed)
    features: Any = LiftedRows(stacked, lift) if settings.lift else stacked
    rows = tuple(stacked.film_rows(i) for i in range(len(films)))
    price = settings.slack / len(stacked)
    blocks = [
        film_block(
            film.inputs, labels, _action, bound=settings.bound, price=price,
            background=settings.background, crowd=settings.crowd,
            weights_of=_name_weights(film.names, settings), first=own.start,
        )
        for film, own in zip(films, rows, strict=True)
    ]  # fmt: skip
    problem = Problem(features, len(labels), blocks, ridge=settings.ridge, bias=settings.bias)
    progress(0.1)
    solution = solve(problem, tol=settings.tolerance, seed=settings.seed,
                     max_passes=settings.passes, workers=settings.workers or None)  # fmt: skip
    progress(0.7)
    assignment, weights = solution.assignment, solution.weights
    if settings.annealing_rounds:
        assignment = sharpen(problem, assignment, settings.annealing_rounds)
        weights = fit_ridge(features, assignment, ridge=settings.ridge, bias=settings.bias)
    scores = crossfit_scores(
        features, assignment, _film_folds(films, rows, settings.folds),
        ridge=settings.ridge, bias=settings.bias,
    )  # fmt: skip
    classifier = Classifier(labels, weights, settings.bias, lift)
    told = np.concatenate([told_labels(film.inputs, labels, _action) for film in films])
    return FilmsActions(
        labels, assignment, scores, rows, classifier, hold_decoys(told, scores),
        solution_notes(solution),
    )  # fmt: skip


def make_actions(
    folders: Sequence[Path],
    shared: Path,
    settings: ActionSettings | None = None,
    progress: Progress = no_progress,
) -> StageResult:
    """Label the actions of film folders together.

    Writes actions.npy (films with bags), action_scores.npy and actions.json (all films) into
    each folder, the classifier into `shared`.
    """
    settings = settings or ActionSettings()
    films, warnings = _read_films(folders, settings)
    learners = {f: film for f, film in films.items() if film.inputs.bags and len(film.inputs)}
    if not learners:
        return StageResult(
            {"films": 0}, (*warnings, "no film has action bags: no actions are learned")
        )
    result = label_actions(list(learners.values()), settings, progress=progress)
    notes = {**result.notes, "films": [folder.name for folder in learners],
             "settings": asdict(settings)}  # fmt: skip
    write_classifier(shared, "actions", result.classifier, notes)
    write_matrix(shared / "actions_trials.npy", result.decoys.as_matrix())
    rows = dict(zip(learners, result.rows, strict=True))
    for folder, film in films.items():
        _write_film(folder, film, rows.get(folder), result, notes)
    progress(1.0)
    bags = sum(len(film.inputs.bags) for film in learners.values())
    summary = {"films": len(learners), "bodies": len(result.assignment), "bags": bags,
               **result.notes}  # fmt: skip
    return StageResult(summary, tuple(warnings))


class LiftedRows:
    """Rows lifted as they are read."""

    def __init__(self, source: StackedMatrices, lift: Lift) -> None:
        self._source, self._lift = source, lift
        self.shape = (source.shape[0], lift.features)
        self.dtype = np.dtype(np.float32)

    def __getitem__(self, rows: slice) -> Array:
        return self._lift(self._source[rows])


def _action(bag: Bag) -> str | None:
    return bag.action


def _name_weights(names: FaceNames | None, settings: ActionSettings) -> WeightsOf | None:
    """How much each track of a person-action bag counts: how likely it shows that person."""
    if names is None or not settings.joint:
        return None
    assignment = names.assignment if settings.soft_names else _rounded(names.assignment)

    def weights_of(bag: Bag, places: Array) -> Array | None:
        if bag.person is None or bag.person not in names.labels:
            return None
        faces = names.face[places]
        known: Array = np.full(len(places), settings.faceless)
        column = names.labels.column(bag.person)
        known[faces >= 0] = np.clip(assignment[faces[faces >= 0], column], 0.0, 1.0)
        return known

    return weights_of


def _rounded(assignment: Array) -> Array:
    rounded: Array = np.eye(assignment.shape[1])[assignment.argmax(axis=1)]
    return rounded


def _sample(stacked: StackedMatrices, most: int = 4000) -> Array:
    """Rows spread over all films, enough to see how far descriptors lie apart."""
    starts = np.linspace(0, max(len(stacked) - 100, 0), max(most // 100, 1)).astype(int)
    return np.concatenate([stacked[s : s + 100] for s in np.unique(starts)])


def _film_folds(films: Sequence[ActionFilm], rows: Sequence[range], folds: int) -> list[Array]:
    """Whole films to folds of about equal size; the parts of a single film, to runs of time."""
    if len(films) < folds:
        parts = -(-folds // len(films))
        return [
            own.start + part
            for film, own in zip(films, rows, strict=True)
            for part in _runs_of_time(film.inputs.tracks.start, parts)
        ]
    sizes, members = np.zeros(folds), [[] for _ in range(folds)]  # type: ignore[var-annotated]
    for film in sorted(range(len(films)), key=lambda i: -len(rows[i])):
        fold = int(np.argmin(sizes))
        sizes[fold] += len(rows[film])
        members[fold].append(film)
    return [np.concatenate([np.arange(rows[f].start, rows[f].stop) for f in sorted(group)])
            for group in members]  # fmt: skip


def _runs_of_time(starts: Array, parts: int) -> list[Array]:
    order = np.argsort(starts, kind="stable")
    return [np.sort(part) for part in np.array_split(order, parts) if len(part)]


def _read_films(
    folders: Sequence[Path], settings: ActionSettings
) -> tuple[dict[Path, ActionFilm], list[str]]:
    films: dict[Path, ActionFilm] = {}
    unnamed, warnings = [], []
    for folder in folders:
        inputs = read_film(folder, TrackKind.BODY)
        names = read_face_names(folder, inputs) if settings.joint else None
        films[folder] = ActionFilm(inputs, names)
        warnings += [f"{folder.name}: {warning}" for warning in inputs.warnings]
        if settings.joint and names is None and any(bag.person for bag in inputs.bags):
            unnamed.append(folder.name)
    warnings += [f"{name}: names.npy is missing, so bags of a person and an action count all"
                " their tracks alike; run the names stage first" for name in unnamed]  # fmt: skip
    return films, warnings


def read_face_names(folder: Path, bodies: FilmInputs) -> FaceNames | None:
    """Names of the faces linked to bodies, or None where the film has none."""
    if not (folder / "names.npy").exists():
        return None
    labels = read_labels_of(folder, "names")
    assignment = open_matrix(folder / "names.npy", columns=len(labels))
    tracks = read_tracks(folder)
    faces = tracks.of_kind(TrackKind.FACE)
    place = faces.places(bodies.tracks.linked)
    row = np.where(place >= 0, faces.row[place], -1) if len(faces) else place
    row = np.where(row < len(assignment), row, -1)
    return _with_pins(FaceNames(labels, assignment, row), tracks, folder, bodies)


def _with_pins(names: FaceNames, tracks: FilmTracks, folder: Path, bodies: FilmInputs) -> FaceNames:
    """Who a body without a face is, where a person said it: one more row of the assignment."""
    said = read_pins(folder, tracks, "person")
    ids = enumerate(bodies.tracks.track.tolist())
    pins = {body: said[track] for body, track in ids if track in said and names.face[body] < 0}
    pins = {body: label for body, label in pins.items() if label in names.labels}
    if not pins:
        return names
    columns = [names.labels.column(label) for label in pins.values()]
    face = names.face.copy()
    face[list(pins)] = len(names.assignment) + np.arange(len(pins))
    sure = np.eye(len(names.labels))[columns]
    return FaceNames(names.labels, np.concatenate([names.assignment, sure]), face)


def read_name_weights(folder: Path, bodies: FilmInputs) -> WeightsOf | None:
    """How much each track of a person-action bag counted when the film's actions were learned."""
    learned_with = read_notes(folder, "actions").get("settings")
    if learned_with is None:
        return None
    known = {name: learned_with[name] for name in ("joint", "faceless", "soft_names")}
    return _name_weights(read_face_names(folder, bodies), ActionSettings(**known))


def _write_film(
    folder: Path,
    film: ActionFilm,
    rows: range | None,
    result: FilmsActions,
    notes: Mapping[str, Any],
) -> None:
    """Scores of other films' classifiers where the film taught, else of the whole one's."""
    if rows is None:
        write_matrix(
            folder / "action_scores.npy", result.classifier.scores(film.inputs.descriptors)
        )
        (folder / "actions.npy").unlink(missing_ok=True)
    else:
        own = slice(rows.start, rows.stop)
        write_matrix(folder / "actions.npy", result.assignment[own])
        write_matrix(folder / "action_scores.npy", result.scores[own])
    write_matrix(folder / "action_trials.npy", result.decoys.as_matrix())
    write_notes(folder, "actions", result.labels, notes)
