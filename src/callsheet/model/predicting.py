"""Label a film that has no script, with classifiers learned from films that have one."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from callsheet.core import Progress, StageResult, TrackKind, no_progress
from callsheet.errors import InputError
from callsheet.model.classifiers import read_classifier, write_notes
from callsheet.model.film_inputs import MATRIX, read_film
from callsheet.model.labels import make_labels
from callsheet.model.opinions import read_opinion
from callsheet.model.settings import LabelSettings
from callsheet.model.trials import hold_trials
from callsheet.store import open_matrix, write_matrix


def predict(
    folder: Path,
    *,
    actions: Path | None = None,
    names: Path | None = None,
    settings: LabelSettings | None = None,
    progress: Progress = no_progress,
) -> StageResult:
    """Score the tracks of `folder` and write its labels.

    `actions` and `names` are folders that hold the classifiers (actions: of a library; names:
    of a film with the same cast). A question without a classifier is answered only if the
    film was learned from itself. Where `settings` ask for a precision, the trials of the
    classifier's own films say from which margin on labels are given.
    """
    if actions is None and names is None:
        raise InputError("nothing to predict with: give a folder of an actions or names classifier")
    if actions is not None:
        _score(folder, actions, "actions", "action_scores", TrackKind.BODY)
        _bring_trials(actions / "actions_trials.npy", folder / "action_trials.npy")
    progress(0.3)
    if names is not None:
        _score(folder, names, "names", "name_scores", TrackKind.FACE)
        _try_names(names, folder / "name_trials.npy")
    progress(0.6)
    return make_labels(folder, settings)


def _score(folder: Path, source: Path, name: str, scores: str, kind: TrackKind) -> None:
    """Write scores of a foreign classifier; an assignment of the film's own is dropped."""
    if source.resolve() == folder.resolve():
        raise InputError(f"{folder} cannot be predicted from itself; run its {name} stage")
    classifier = read_classifier(source, name)
    descriptors = np.asarray(open_matrix(folder / MATRIX[kind]))
    write_matrix(folder / f"{scores}.npy", classifier.scores(descriptors))
    write_notes(folder, name, classifier.labels, {"predicted": True})
    (folder / f"{name}.npy").unlink(missing_ok=True)


def _bring_trials(source: Path, place: Path) -> None:
    """The trials of the classifier's own films; those of another one do not speak of it."""
    if source.exists():
        write_matrix(place, np.array(open_matrix(source)))
    else:
        place.unlink(missing_ok=True)


def _try_names(source: Path, place: Path) -> None:
    """Trials of the film that a names classifier was learned on, by its bags and pins."""
    if not (source / "name_scores.npy").exists() or not (source / "bags.parquet").exists():
        place.unlink(missing_ok=True)
        return
    film = read_film(source, TrackKind.FACE)
    opinion = read_opinion(source, "names", len(film))
    trials = hold_trials(film, opinion.labels, lambda bag: bag.person, opinion.scores, largest=1)
    write_matrix(place, trials.as_matrix())
