"""Bootstrap intervals: resample films (or tracks) with replacement and look at the spread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the measure lies in `level` of the resamplings; NaN ends: too little to tell."""

    low: float
    high: float
    level: float
    units: str  # films or tracks
    draws: int


def bootstrap(
    measure: Callable[[NDArray[Any]], float],
    films: ArrayLike,
    *,
    draws: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Interval of `measure(rows)`; whole films are resampled, or tracks where there is one film.

    Tracks of a film resemble each other: resampling them as if they did not would promise a
    certainty that another set of films would not keep.
    """
    groups = _groups(np.asarray(films))
    units = "films" if len(groups) > 1 else "tracks"
    if len(groups) == 1:
        groups = [np.array([row]) for row in groups[0]]
    rng = np.random.default_rng(seed)
    values = [_one_draw(measure, groups, rng) for _ in range(draws if groups else 0)]
    known = [value for value in values if np.isfinite(value)]
    if not known:
        return Interval(float("nan"), float("nan"), level, units, draws)
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, units, draws)


def _one_draw(
    measure: Callable[[NDArray[Any]], float],
    groups: list[NDArray[Any]],
    rng: np.random.Generator,
) -> float:
    chosen = rng.integers(len(groups), size=len(groups))
    return measure(np.concatenate([groups[i] for i in chosen]))


def _groups(films: NDArray[Any]) -> list[NDArray[Any]]:
    if not len(films):
        return []
    _, group = np.unique(films, return_inverse=True)
    order = np.argsort(group, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(group[order])) + 1)
