"""Trials for the calibration: labels that the evidence can contradict.

A trial is a track that some bag speaks of and that the (cross-fitted) classifier gives a name.
It agrees as far as the track's bags have that label. By chance alone a track agrees as often
as bags of that label are; agreement beyond chance is what counts. Bags of one track that agree
with each other tell, apart from any classifier, how often evidence is true.

For labels without bags of one track there are decoys instead (`calibration`): every track that
the classifier gives a label stands within a bag of that label or outside of all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import Bag, Vocabulary
from callsheet.model.demands import bag_places
from callsheet.model.film_inputs import FilmInputs
from callsheet.model.rounding import margins

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Trials:
    """One entry a trial; see `calibration.choose_threshold`."""

    margin: Array
    agrees: Array  # share of the track's bags that say its label, chance taken off
    certain: Array  # bool: a pin
    twice: Array  # how often two bags of the track agree; NaN where there is but one

    def as_matrix(self) -> Array:
        """(trials, 4), to be stored."""
        return np.stack([self.margin, self.agrees, self.certain.astype(float), self.twice], axis=1)

    @classmethod
    def of_matrix(cls, matrix: Array) -> Trials:
        margin, agrees, certain, twice = np.asarray(matrix, float).T
        return cls(margin, agrees, certain > 0, twice)


@dataclass(frozen=True, slots=True)
class Decoys:
    """One entry a labelled track; see `calibration.choose_beyond_decoys`."""

    margin: Array
    value: Array
    target: Array

    def as_matrix(self) -> Array:
        """(tracks, 3), to be stored."""
        return np.stack([self.margin, self.value, self.target], axis=1)

    @classmethod
    def of_matrix(cls, matrix: Array) -> Decoys:
        return cls(*np.asarray(matrix, float).T)


def hold_decoys(told: Array, scores: Array) -> Decoys:
    """Compare tracks within and outside the bags of each label; both (tracks, labels)."""
    columns = scores.argmax(axis=1) if scores.size else np.zeros(len(scores), int)
    inside = told.sum(axis=0)
    odds = inside / np.maximum(len(told) - inside, 1)
    rows = np.flatnonzero((columns > 0) & (inside[columns] > 0))
    target = told[rows, columns[rows]].astype(float)
    value = np.where(target > 0, 1.0, -odds[columns[rows]])
    return Decoys(margins(scores, columns)[rows], value, target)


def told_labels(
    film: FilmInputs, labels: Vocabulary, label_of: Callable[[Bag], str | None]
) -> NDArray[np.bool_]:
    """Whether a bag tells a label of a track, (tracks, labels)."""
    told = np.zeros((len(film), len(labels)), bool)
    for bag, places in bag_places(film):
        label = label_of(bag)
        if label is not None and label in labels:
            told[places, labels.column(label)] = True
    return told


def hold_trials(
    film: FilmInputs,
    labels: Vocabulary,
    label_of: Callable[[Bag], str | None],
    scores: Array,
    *,
    largest: int,
) -> Trials:
    """Try the classifier's labels on the bags of at most `largest` tracks, and on the pins."""
    told = _told(film, labels, label_of, largest)
    pins = {place: labels.column(name) for place, name in film.pins.items() if name in labels}
    columns = scores.argmax(axis=1) if scores.size else np.zeros(len(scores), int)
    margin = margins(scores, columns)
    rows = [row for row in sorted({*told, *pins}) if columns[row] > 0]
    chance = _chance(told, len(labels))
    agrees = [
        float(pins[row] == columns[row]) if row in pins
        else _beyond(_share_of(columns[row], told[row]), chance[columns[row]])
        for row in rows
    ]  # fmt: skip
    places = np.array(rows, int)
    twice = np.array([_agreeing_pairs(told.get(row, Counter())) for row in rows], float)
    return Trials(margin[places], np.array(agrees, float), np.isin(places, list(pins)), twice)


def _told(
    film: FilmInputs,
    labels: Vocabulary,
    label_of: Callable[[Bag], str | None],
    largest: int,
) -> Mapping[int, Counter[int]]:
    """How many bags tell each label of each track."""
    told: dict[int, Counter[int]] = {}
    for bag, places in bag_places(film):
        label = label_of(bag)
        if label is not None and label in labels and 0 < len(places) <= largest:
            for place in places.tolist():
                told.setdefault(place, Counter())[labels.column(label)] += 1
    return told


def _share_of(column: int, told: Counter[int]) -> float:
    return told[column] / told.total()


def _agreeing_pairs(told: Counter[int]) -> float:
    """Share of the pairs of a track's bags that tell the same label; NaN for a single bag."""
    bags = told.total()
    if bags < 2:
        return float("nan")
    return sum(n * (n - 1) for n in told.values()) / (bags * (bags - 1))


def _chance(told: Mapping[int, Counter[int]], n_labels: int) -> Array:
    """How large a share of its bags tells a track each label, on average."""
    shares = np.zeros(n_labels)
    for counts in told.values():
        for column in counts:
            shares[column] += _share_of(column, counts)
    return shares / max(len(told), 1)


def _beyond(agrees: float, chance: float) -> float:
    return (agrees - chance) / (1 - chance) if chance < 1 else 0.0
