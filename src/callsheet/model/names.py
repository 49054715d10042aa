"""Who each face track shows, film by film.

X: face descriptors (tracks, d), Z: assignment (tracks, persons), α: share of the background set,
α₁: lower bound of a bag, κ: price of its slack, λ: ridge. The problem is the paper's for names,
with "nobody is twice in one picture" and a person's pins added.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from callsheet.core import (
    Bag,
    Progress,
    StageResult,
    TrackKind,
    Vocabulary,
    no_progress,
)
from callsheet.model.classifiers import Classifier, write_classifier
from callsheet.model.crossfitting import crossfit_scores, fit_ridge, time_folds
from callsheet.model.demands import broken, film_block, once_demands
from callsheet.model.film_inputs import FilmInputs, read_film, read_persons, unknown_pins
from callsheet.model.lifting import Lift, fit_lift
from callsheet.model.settings import NameSettings
from callsheet.model.sharpening import sharpen
from callsheet.optim import Problem, Solution, solve
from callsheet.store import write_matrix

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class FilmNames:
    """Names of the face tracks of one film; row i is row i of faces.npy.

    `notes` speak of the relaxed problem; `assignment` is its solution, sharpened.
    """

    labels: Vocabulary
    assignment: Array  # (tracks, persons)
    scores: Array  # (tracks, persons), by a classifier of the rest of the film
    classifier: Classifier
    notes: Mapping[str, Any]  # gap, passes, seconds, status, bags
    warnings: tuple[str, ...] = ()


def name_film(
    film: Path | FilmInputs,
    settings: NameSettings | None = None,
    *,
    persons: Vocabulary | None = None,
    progress: Progress = no_progress,
) -> FilmNames:
    """Solve for the names of one film: a folder, or its inputs and the persons to tell apart."""
    settings = settings or NameSettings()
    if isinstance(film, Path):
        persons = persons or read_persons(film)
        film = read_film(film, TrackKind.FACE)
    labels = persons or Vocabulary.of(sorted({b.person for b in film.bags if b.person}))
    lift = fit_lift(film.descriptors, settings.lift, settings.lift_width, seed=settings.seed)
    if not len(film):
        return _nobody(film, labels, settings)
    task = _Task(film, lift(film.descriptors), labels, settings)
    # Hundreds of small factorisations: threads that wait for each other's turn on a busy machine
    # made each of them a hundred times slower.
    with threadpool_limits(1, user_api="blas"):
        solution = _relax(task)
        progress(0.7)
        assignment = _sharpen(task, solution.assignment)
        progress(0.8)
        scores, classifier = _learn(task, assignment, lift)
    return FilmNames(
        labels, assignment, scores, classifier, solution_notes(solution),
        _warnings(film, labels),
    )  # fmt: skip


def _learn(task: _Task, assignment: Array, lift: Lift) -> tuple[Array, Classifier]:
    """Cross-fitted scores and the classifier, both of the sharpened names.

    What is predicted elsewhere must not fall behind what is shown here.
    """
    film, features, chosen = task.film, task.features, task.settings
    scores = crossfit_scores(
        features, assignment, time_folds(film.tracks.start, chosen.folds),
        ridge=chosen.ridge, bias=chosen.bias,
    )  # fmt: skip
    weights = fit_ridge(features, assignment, ridge=chosen.ridge, bias=chosen.bias)
    return scores, Classifier(task.labels, weights, chosen.bias, lift)


def make_names(
    folder: Path, settings: NameSettings | None = None, progress: Progress = no_progress
) -> StageResult:
    """Name the faces of a film folder; write names.npy, name_scores.npy and the classifier."""
    settings = settings or NameSettings()
    names = name_film(folder, settings, progress=progress)
    write_matrix(folder / "names.npy", names.assignment)
    write_matrix(folder / "name_scores.npy", names.scores)
    (folder / "name_trials.npy").unlink(missing_ok=True)  # of a teacher it has no more
    notes = {**names.notes, "settings": asdict(settings)}
    write_classifier(folder, "names", names.classifier, notes)
    progress(1.0)
    summary = {"faces": len(names.assignment), "persons": len(names.labels) - 1, **names.notes}
    return StageResult(summary, names.warnings)


class _Task:
    """One film's problem, with those of the "nobody is twice" quotas that were ever broken.

    Of thousands of such quotas a handful binds; with those alone the optimum is that of all.
    """

    def __init__(
        self, film: FilmInputs, features: Array, labels: Vocabulary, settings: NameSettings
    ) -> None:
        self.film, self.features, self.labels, self.settings = film, features, labels, settings
        self._demands = once_demands(film, labels) if settings.nobody_twice else []
        self._wanted: set[int] = set()

    def problem(self) -> Problem:
        chosen = self.settings
        block = film_block(
            self.film, self.labels, _person, bound=chosen.bound,
            price=chosen.slack / len(self.film), background=chosen.background, crowd=chosen.crowd,
            once=[self._demands[number] for number in sorted(self._wanted)],
        )  # fmt: skip
        return Problem(
            self.features, len(self.labels), [block], ridge=chosen.ridge, bias=chosen.bias
        )

    def want_broken(self, assignment: Array) -> bool:
        """Add the quotas that an assignment breaks; false: it breaks none."""
        missing = set(broken(self._demands, assignment)) - self._wanted
        self._wanted |= missing
        return bool(missing)


def _relax(task: _Task) -> Solution:
    """Solve, and again from there, until nobody is twice in one picture."""
    chosen = task.settings
    solution: Solution | None = None
    while solution is None or task.want_broken(solution.assignment):
        solution = solve(task.problem(), tol=chosen.tolerance, seed=chosen.seed,
                         max_passes=chosen.passes, start=solution)  # fmt: skip
    return solution


def _sharpen(task: _Task, relaxed: Array) -> Array:
    """Sharpen, and again with what that broke, until nobody is twice in one picture."""
    while True:
        assignment = sharpen(task.problem(), relaxed, task.settings.annealing_rounds)
        if not task.want_broken(assignment):
            return assignment


def solution_notes(solution: Any) -> dict[str, Any]:
    """What a manifest should know of a solution."""
    return {
        "gap": float(solution.gap),
        "objective": float(solution.objective),
        "passes": int(solution.passes),
        "status": str(getattr(solution.status, "value", solution.status)),
    }


def _person(bag: Bag) -> str | None:
    return bag.person


def _nobody(film: FilmInputs, labels: Vocabulary, settings: NameSettings) -> FilmNames:
    """A film without faces has no names to tell; its classifier says nothing."""
    width = film.descriptors.shape[1]
    lift = fit_lift(film.descriptors, 0, 1.0, seed=settings.seed)
    empty = np.zeros((0, len(labels)))
    classifier = Classifier(labels, np.zeros((width, len(labels))), 0.0, lift)
    return FilmNames(
        labels, empty, empty, classifier, {"status": "no faces"}, ("the film has no face tracks",)
    )


def _warnings(film: FilmInputs, labels: Vocabulary) -> tuple[str, ...]:
    named = {bag.person for bag in film.bags if bag.tracks}
    unseen = [person for person in labels.names[1:] if person not in named]
    told = [*film.warnings, *unknown_pins(film, labels)]
    if not named:
        told.append("no bag tells a name: every face is left to the background")
    elif unseen:
        few = ", ".join(unseen[:5]) + (", ..." if len(unseen) > 5 else "")
        told.append(f"{len(unseen)} of {len(labels) - 1} persons are in no bag and will hardly be"
                    f" named: {few}")  # fmt: skip
    return tuple(told)
