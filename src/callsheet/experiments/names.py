"""Table 1: names against the rivals, on the same tracks and bags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import Vocabulary
from callsheet.evaluation import accuracy, background_ap, multi_class_ap
from callsheet.experiments.outcome import Outcome
from callsheet.experiments.worlds import NAMES_WORLD, faces_of, settings_of, told, world
from callsheet.model import FilmInputs, NameSettings, name_film
from callsheet.model.deciding import Opinion
from callsheet.model.opinions import NAME_SHARE
from callsheet.model.rivals import RIVALS, names_task
from callsheet.theatre.world import WorldSettings

Array = NDArray[Any]
Scores = Callable[[FilmInputs, Vocabulary], Array]

PAPER = {
    "Cour 2009": (0.48, 0.63, None),
    "Sivic 2009": (0.49, 0.63, None),
    "Bojanowski 2013": (0.57, 0.75, 0.51),
    "Parkhi 2015": (0.74, 0.93, 0.75),
    "callsheet": (0.83, 0.94, 0.82),
}
"""Accuracy, multi-class AP, background AP on Casablanca, as the paper prints them."""


def ours(film: FilmInputs, labels: Vocabulary, settings: NameSettings | None = None) -> Array:
    """What our labels rank by, (tracks, persons): the assignment and the classifier's opinion."""
    found = name_film(film, settings, persons=labels)
    return Opinion(found.labels, found.assignment, found.scores, NAME_SHARE).ranking()


def rival(name: str) -> Scores:
    return lambda film, labels: RIVALS[name].score(names_task(film, labels))


METHODS: dict[str, Scores] = {**{name: rival(name) for name in RIVALS}, "callsheet": ours}


def run(settings: WorldSettings = NAMES_WORLD) -> Outcome:
    """Every method on every film of the world; means over the films."""
    with world(settings) as folders:
        films = [faces_of(folder) for folder in folders]
        rows = [_row(name, score, films) for name, score in METHODS.items()]
    best = max(rows, key=lambda row: row["AP"])
    return Outcome(
        "names",
        "Names against rivals (the paper's Table 1)",
        told(settings) + "; the paper's numbers are of Casablanca",
        tuple(rows),
        (f"highest AP: {best['method']} ({best['AP']:.3f})",),
        settings=settings_of(settings),
        bars=("accuracy", "AP", "paper accuracy", "paper AP"),
    )


def measured(score: Array, truth: Array) -> tuple[float, float, float]:
    """Accuracy, multi-class AP and background AP of a score matrix."""
    decided = score.argmax(axis=1)
    return accuracy(truth, decided), multi_class_ap(truth, score), background_ap(truth, score)


def _row(name: str, score: Scores, films: list[tuple[FilmInputs, Vocabulary, Array]]) -> Any:
    numbers = [measured(score(film, labels), truth) for film, labels, truth in films]
    acc, ap, background = (float(v) for v in np.mean(numbers, axis=0))
    knows = name == "callsheet" or RIVALS[name].background
    paper = PAPER.get(name, (None, None, None))
    return {
        "method": name,
        "accuracy": acc,
        "AP": ap,
        "background AP": background if knows else None,
        "paper accuracy": paper[0],
        "paper AP": paper[1],
        "paper background AP": paper[2],
    }
