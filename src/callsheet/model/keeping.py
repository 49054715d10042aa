"""Quotas that survive rounding: the background share, which is hard, and the bags that were met.

The relaxed assignment keeps every quota, but the best label of each row need not: rows that
lean to a name by a little make a share of background too small, and a bag that was met by many
rows a little each is met by none. Rows of the background set are given to the background, those
that lose least first, until the share holds; then each bag that only rounding left unmet gets
its label on its best row, where that breaks nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.bags import background_tracks
from callsheet.core import Bag
from callsheet.model.classifiers import read_notes
from callsheet.model.deciding import Opinion
from callsheet.model.demands import WeightsOf, bag_places
from callsheet.model.film_inputs import FilmInputs

Array = NDArray[Any]

NEARLY = 1e-2
"""So much may the rows of a bag lack of one and it counts as met: solvers stop at a gap."""


@dataclass(frozen=True, slots=True)
class MetBag:
    """Places of which one must carry the label of `column`."""

    places: Array
    column: int


@dataclass(frozen=True, slots=True)
class Quotas:
    """What a relaxed assignment kept: `least` of the background set's rows are background."""

    background: Array
    least: float
    bags: tuple[MetBag, ...]


NO_QUOTAS = Quotas(np.zeros(0, int), 0.0, ())


def quotas_of(
    folder: Path,
    name: str,
    film: FilmInputs,
    opinion: Opinion,
    label_of: Callable[[Bag], str | None],
    weights_of: WeightsOf | None = None,
) -> Quotas:
    """The quotas that a film's assignment was learned with; none where it was not learned from."""
    learned_with = read_notes(folder, name).get("settings")
    if opinion.assignment is None or learned_with is None:
        return NO_QUOTAS
    rows = background_tracks(film.tracks, film.bags, crowd=learned_with["crowd"])
    pinned = [place for place, label in film.pins.items() if label in opinion.labels]
    rows = rows[~np.isin(rows, pinned)]
    share = float(learned_with["background"])
    met = _met_bags(film, opinion, label_of, weights_of)
    return Quotas(rows, share * len(rows), tuple(met))


def _met_bags(
    film: FilmInputs,
    opinion: Opinion,
    label_of: Callable[[Bag], str | None],
    weights_of: WeightsOf | None,
) -> list[MetBag]:
    met = []
    for bag, places in bag_places(film):
        label = label_of(bag)
        if not len(places) or label is None or label not in opinion.labels:
            continue
        column = opinion.labels.column(label)
        weights = weights_of(bag, places) if weights_of else None
        weights = np.ones(len(places)) if weights is None else weights
        assert opinion.assignment is not None
        if weights @ opinion.assignment[places, column] >= 1 - NEARLY:
            # A statement about somebody is not met by a track that shows somebody else.
            met.append(MetBag(places[weights >= 0.5 * weights.max()], column))
    return met


def keep_quotas(
    columns: Array,
    ranking: Array,
    quotas: Quotas,
    *,
    together: Sequence[Array] = (),
    pinned: Collection[int] = (),
) -> Array:
    """Change as few rounded labels (rows,) as the quotas need; pins and "once a picture" stay."""
    rounding = _Rounding(columns.copy(), ranking, quotas, together, pinned)
    rounding.fill_background()
    # A label that moves may free its place for a bag that was asked before: ask again. Every
    # change meets one more bag and unmeets none, so this ends.
    while any(rounding.meet(bag) for bag in quotas.bags):
        pass
    return rounding.columns


class _Rounding:
    """Labels under change, and what each change would break."""

    def __init__(
        self,
        columns: Array,
        ranking: Array,
        quotas: Quotas,
        together: Sequence[Array],
        pinned: Collection[int],
    ) -> None:
        self.columns = columns
        self._ranking, self._quotas, self._pinned = ranking, quotas, set(pinned)
        self._background = set(quotas.background.tolist())
        self._groups = _by_row(together)
        self._bags = _by_row([bag.places for bag in quotas.bags])
        self._together = together

    def fill_background(self) -> None:
        """Give rows of the background set to it, the cheapest first, until the share holds."""
        rows = [row for row in self._quotas.background.tolist() if row not in self._pinned]
        named = [row for row in rows if self.columns[row] > 0]
        lacking = math.ceil(self._quotas.least - 1e-9) - (len(rows) - len(named))
        for row in sorted(named, key=self._loss)[: max(lacking, 0)]:
            self.columns[row] = 0

    def meet(self, bag: MetBag) -> bool:
        """Label the bag's best row, unless a row has the label or none may take it."""
        if self._is_met(bag):
            return False
        ranked = bag.places[np.argsort(-self._ranking[bag.places, bag.column], kind="stable")]
        for row in ranked.tolist():
            if self._may_take(row, bag.column):
                self.columns[row] = bag.column
                return True
        return False

    def _loss(self, row: int) -> tuple[bool, float]:
        scores = self._ranking[row]
        return self._holds_a_bag(row), float(scores[self.columns[row]] - scores[0])

    def _may_take(self, row: int, column: int) -> bool:
        return (
            row not in self._pinned
            and not self._seen_beside(row, column)
            and not self._holds_a_bag(row)
            and not self._background_needs(row)
        )

    def _seen_beside(self, row: int, column: int) -> bool:
        """Whether a track seen together with this one carries the label."""
        groups = (self._together[group] for group in self._groups.get(row, ()))
        return any(bool(np.any(self.columns[group] == column)) for group in groups)

    def _holds_a_bag(self, row: int) -> bool:
        """Whether some bag is met by this row alone."""
        own = int(self.columns[row])
        bags = (self._quotas.bags[number] for number in self._bags.get(row, ()))
        return any(
            bag.column == own and int((self.columns[bag.places] == own).sum()) == 1 for bag in bags
        )

    def _background_needs(self, row: int) -> bool:
        if row not in self._background or self.columns[row] != 0:
            return False
        here = int((self.columns[self._quotas.background] == 0).sum())
        return here - 1 < self._quotas.least - 1e-9

    def _is_met(self, bag: MetBag) -> bool:
        return bool(np.any(self.columns[bag.places] == bag.column))


def _by_row(sets: Sequence[Array]) -> dict[int, list[int]]:
    """Numbers of the sets that each row is in."""
    inside: dict[int, list[int]] = {}
    for number, rows in enumerate(sets):
        for row in rows.tolist():
            inside.setdefault(row, []).append(number)
    return inside
