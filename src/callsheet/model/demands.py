"""Bags, background, co-occurrence and pins as the engine's quotas. Rows count from `first`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from callsheet.bags import background_tracks, cooccurring_groups
from callsheet.core import Bag, Vocabulary
from callsheet.model.film_inputs import FilmInputs
from callsheet.optim import AtLeast, AtMost, Block

Array = NDArray[Any]
WeightsOf = Callable[[Bag, Array], Array | None]
Once: TypeAlias = tuple[Array, int]
"""Places of tracks seen together, and a label that one of them at most carries."""


def film_block(
    film: FilmInputs,
    labels: Vocabulary,
    label_of: Callable[[Bag], str | None],
    *,
    bound: float,
    price: float,
    background: float,
    crowd: int,
    once: Iterable[Once] = (),
    weights_of: WeightsOf | None = None,
    first: int = 0,
) -> Block:
    """One film's rows with everything that is known about them.

    `price` is the slack's on the scale of the objective; evidence that is less sure asks for
    less, in proportion. Of each group in `once` at most one track carries the label.
    """
    pins = {place: labels.column(label) for place, label in film.pins.items() if label in labels}
    quotas = [
        *_bag_quotas(film, labels, label_of, bound, price, weights_of, first),
        *_background_quota(film, background, crowd, pins, first),
        *(AtMost(first + group, label, 1.0) for group, label in once),
    ]
    pinned = {first + place: column for place, column in pins.items()}
    return Block(rows=range(first, first + len(film)), quotas=quotas, pinned=pinned)


def _bag_quotas(
    film: FilmInputs,
    labels: Vocabulary,
    label_of: Callable[[Bag], str | None],
    bound: float,
    price: float,
    weights_of: WeightsOf | None,
    first: int,
) -> list[AtLeast]:
    """One quota a bag; equal bags are one quota whose price is the sum of theirs.

    That is the same problem (their slacks are equal), without twins that tell nothing apart.
    """
    demands: dict[tuple[int, bytes, bytes], tuple[Array, Array | None]] = {}
    prices: dict[tuple[int, bytes, bytes], float] = {}
    for bag, places in bag_places(film):
        label = label_of(bag)
        if not len(places) or label is None or label not in labels or bag.confidence <= 0:
            continue
        weights = weights_of(bag, places) if weights_of else None
        told = b"" if weights is None else weights.tobytes()
        key = (labels.column(label), places.tobytes(), told)
        demands[key] = (places, weights)
        prices[key] = prices.get(key, 0.0) + price * bag.confidence
    return [
        AtLeast(first + places, key[0], bound, prices[key], weights)
        for key, (places, weights) in demands.items()
    ]


def bag_places(film: FilmInputs) -> list[tuple[Bag, Array]]:
    """Each bag with the places of its described tracks."""
    if not film.bags:
        return []
    ids = np.concatenate([np.asarray(bag.tracks, np.int64) for bag in film.bags])
    places = film.tracks.places(ids)
    ends = np.cumsum([len(bag.tracks) for bag in film.bags])[:-1]
    return [
        (bag, part[part >= 0]) for bag, part in zip(film.bags, np.split(places, ends), strict=True)
    ]


def _background_quota(
    film: FilmInputs, share: float, crowd: int, pins: Mapping[int, int], first: int
) -> list[AtLeast]:
    """At least `share` of the background set; a person's corrections are not asked again."""
    rows = background_tracks(film.tracks, film.bags, crowd=crowd)
    rows = rows[~np.isin(rows, list(pins))]
    if not share or not len(rows):
        return []
    return [AtLeast(first + rows, 0, share * len(rows))]


def once_demands(film: FilmInputs, labels: Vocabulary) -> list[Once]:
    """Every name once among tracks seen at the same time.

    Where two of them are pinned to one name, the person who pinned them knows better.
    """
    pins = {place: labels.column(label) for place, label in film.pins.items() if label in labels}
    demands = []
    for group in cooccurring_groups(film.tracks):
        pinned = [pins[place] for place in group.tolist() if place in pins]
        demands += [(group, k) for k in range(1, len(labels)) if pinned.count(k) < 2]
    return demands


def broken(demands: Iterable[Once], assignment: Array, *, beyond: float = 1e-9) -> list[int]:
    """Which of the demands an assignment does not keep."""
    return [
        number
        for number, (group, label) in enumerate(demands)
        if assignment[group, label].sum() > 1 + beyond
    ]
