"""What every rival gets: the same tracks, bags and candidates as our own method.

X: features (N, d), columns 1.. are persons, column 0 background. A row's candidates are the
persons of the bags it lies in.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import EvidenceKind, Vocabulary
from callsheet.model.demands import bag_places
from callsheet.model.film_inputs import FilmInputs

Array = NDArray[Any]

NEVER = -1e6
"""Score of a label that a rival does not know; finite, so that ranks stay defined."""


@dataclass(frozen=True, slots=True)
class TaskBag:
    """Rows of which one (at least) shows the person of `column`; `spoken`: a line's bag."""

    rows: Array
    column: int
    spoken: bool


@dataclass(frozen=True)
class NamesTask:
    """The names problem of one film, as the literature states it."""

    features: Array
    bags: tuple[TaskBag, ...]
    labels: int

    @cached_property
    def candidates(self) -> NDArray[np.bool_]:
        """(N, K): the persons that a row may show; no row for background."""
        mask = np.zeros((len(self.features), self.labels), bool)
        for bag in self.bags:
            mask[bag.rows, bag.column] = True
        return mask

    @cached_property
    def uncovered(self) -> Array:
        """Rows in no bag: mostly people whom the script does not name."""
        uncovered: Array = self.candidates.sum(axis=1) == 0
        return uncovered

    def bags_of(self, column: int) -> list[Array]:
        return [bag.rows for bag in self.bags if bag.column == column]

    def with_constant(self, value: float = 1.0) -> Array:
        """Features with a constant column behind them."""
        constant = np.full((len(self.features), 1), value)
        return np.concatenate([self.features, constant], axis=1)


def names_task(film: FilmInputs, labels: Vocabulary) -> NamesTask:
    """State a film's names problem for the rivals."""
    bags = tuple(
        TaskBag(places, labels.column(bag.person), bag.kind is EvidenceKind.LINE)
        for bag, places in bag_places(film)
        if len(places) and bag.person is not None and bag.person in labels
    )
    return NamesTask(np.asarray(film.descriptors, float), bags, len(labels))
