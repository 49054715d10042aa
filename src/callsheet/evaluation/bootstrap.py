"""Bootstrap intervals: resample films (or tracks) with replacement and look at the spread.

A resampling is told to the measure as `counts`: how often each row was drawn. Measures that sort
can sort once and weigh, which makes a thousand resamplings as quick as a few dozen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[Any]
Measured = Callable[[Array], float]


@dataclass(frozen=True, slots=True)
class Interval:
    """Where the measure lies in `level` of the resamplings; NaN ends: too little to tell."""

    low: float
    high: float
    level: float
    units: str  # films or tracks
    draws: int


def bootstrap(
    measure: Measured,
    films: ArrayLike,
    *,
    draws: int = 1000,
    level: float = 0.95,
    seed: int = 0,
) -> Interval:
    """Interval of `measure(counts)`; whole films are resampled, or tracks of a single film.

    Tracks of a film resemble each other: resampling them as if they did not would promise a
    certainty that another set of films would not keep.
    """
    names, film = np.unique(np.asarray(films), return_inverse=True)
    units = "films" if len(names) > 1 else "tracks"
    unit = film if units == "films" else np.arange(len(film))
    size = len(names) if units == "films" else len(film)
    rng = np.random.default_rng(seed)
    values = [
        measure(np.bincount(rng.integers(size, size=size), minlength=size)[unit])
        for _ in range(draws if size else 0)
    ]
    known = [value for value in values if np.isfinite(value)]
    if not known:
        return Interval(float("nan"), float("nan"), level, units, draws)
    low, high = np.quantile(known, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, units, draws)


def of_rows(measure: Measured) -> Measured:
    """A measure of drawn rows (repeats included) as one of counts."""
    return lambda counts: measure(np.repeat(np.arange(len(counts)), counts))
