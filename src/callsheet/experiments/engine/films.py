"""Bags to measure on: those of the paper's 66 films, or made ones of the same statistics.

A `Film` is a run of tracks in time with its bags, each a run of tracks and an action (column 1
to 13). Features are simulated: a direction for each action, planted in one track of each of
its bags (and nowhere else), under noise of length 1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import ACTIONS
from callsheet.errors import InputError
from callsheet.optim import AtLeast, Block, Problem
from callsheet.store import filling_matrix, open_matrix

Rows = NDArray[np.int64]
ACTION_COUNTS = (237, 85, 146, 46, 49, 70, 81, 244, 44, 99, 156, 208, 169)
"""Bags of each action in the paper's 66 films, in the order of `ACTIONS`."""

TRACKS_A_FILM, BAGS_A_FILM, TRACKS_A_BAG = 3059, 24.8, 13.0
SIGNAL = 0.3
"""Length of an action's direction, the noise being 1: the least assignment ranks some two thirds
of the planted tracks right, so that worse ones can be told from it."""


@dataclass(frozen=True, slots=True)
class Film:
    """Rows of one film and its bags (action column, rows)."""

    rows: Rows
    bags: tuple[tuple[int, Rows], ...]


@dataclass(frozen=True, slots=True)
class Planted:
    """A statement without features: films, the planted truth, and what it was made of."""

    films: tuple[Film, ...]
    truth: Rows
    source: str

    @property
    def n_rows(self) -> int:
        return int(self.truth.size)

    @property
    def slug(self) -> str:
        """The source as a part of file names."""
        return re.sub(r"[^a-z0-9]+", "-", self.source.lower()).strip("-")


def authors_films(folder: Path, seed: int, n_films: int | None = None) -> Planted:
    """Read the authors' release: a track is in a bag if it is of its film, ends after the bag's
    start and starts before its end."""
    bags, blocks = _load(folder / "bags.mat"), _load(folder / "data_block.mat")
    frames = bags["tframes_total"].astype(np.int64)
    films = []
    for tracks, numbers in zip(blocks["movie_block"], bags["movie_bag"], strict=True):
        rows = np.atleast_1d(tracks).astype(np.int64) - 1
        mine = [bags["merge_bag"][n - 1] for n in np.atleast_1d(numbers).astype(np.int64)]
        films.append(Film(rows, tuple(_bag(bag, rows, frames) for bag in mine)))
    kept = tuple(films[:n_films])
    return _planted(kept, seed, f"miech66 ({len(kept)} films)")


def _load(path: Path) -> dict[str, Any]:
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    if not path.is_file():
        raise InputError(f"{path.parent} does not hold {path.name} of the authors' release;"
                         " leave --data out to measure on made films")  # fmt: skip
    try:
        content: dict[str, Any] = loadmat(path, squeeze_me=True)
    except (MatReadError, ValueError, TypeError, NotImplementedError, OSError) as error:
        raise InputError(f"{path} is truncated or no MATLAB file: {error}") from error
    return content


def _bag(bag: Any, rows: Rows, frames: Rows) -> tuple[int, Rows]:
    start, end = np.asarray(bag["f"]).astype(np.int64)
    inside = (frames[rows, 1] > start) & (frames[rows, 0] < end)
    return int(bag["action"]) - 1, rows[inside]


def made_films(n_films: int, seed: int, *, tracks: int = TRACKS_A_FILM) -> Planted:
    """Make films like them: film sizes vary, a fifth of the bags overlap the one before."""
    rng = np.random.default_rng([seed, 1])
    shares = np.array(ACTION_COUNTS) / sum(ACTION_COUNTS)
    films, start = [], 0
    for _ in range(n_films):
        size = max(60, int(tracks * rng.lognormal(-0.08, 0.4)))
        bags: list[tuple[int, Rows]] = []
        place = 0
        for _ in range(rng.poisson(BAGS_A_FILM)):
            length = min(1 + int(rng.geometric(1 / TRACKS_A_BAG)), size // 2)
            near = rng.random() < 0.2 and bags
            place = place + int(rng.integers(0, length)) if near else int(rng.integers(size))
            place = min(place, size - length)
            action = 1 + int(rng.choice(len(ACTIONS), p=shares))
            bags.append((action, np.arange(start + place, start + place + length)))
        films.append(Film(np.arange(start, start + size), tuple(bags)))
        start += size
    return _planted(tuple(films), seed, f"made ({n_films} films)")


def _planted(films: tuple[Film, ...], seed: int, source: str) -> Planted:
    rng = np.random.default_rng([seed, 2])
    truth = np.zeros(sum(film.rows.size for film in films), dtype=np.int64)
    for film in films:
        for action, rows in film.bags:
            if rows.size:
                truth[rng.choice(rows)] = action
    return Planted(films, truth, source)


def feature_parts(
    planted: Planted, n_features: int, seed: int, *, part: int = 4096, signal: float = SIGNAL
) -> Iterator[tuple[slice, NDArray[np.float32]]]:
    """Simulate the features part by part, so that they never need to fit in memory."""
    rng = np.random.default_rng([seed, 3])
    scale = np.float32(1 / np.sqrt(n_features))
    centres = rng.standard_normal((len(ACTIONS) + 1, n_features), dtype=np.float32)
    centres *= np.float32(scale * signal)
    centres[0] = 0
    for start in range(0, planted.n_rows, part):
        labels = planted.truth[start : start + part]
        rows = rng.standard_normal((labels.size, n_features), dtype=np.float32)
        rows *= scale
        rows[labels > 0] += centres[labels[labels > 0]]
        yield slice(start, start + labels.size), rows


def simulated_features(
    planted: Planted, n_features: int, seed: int, *, signal: float = SIGNAL
) -> NDArray[np.float32]:
    """All features in memory."""
    features = np.empty((planted.n_rows, n_features), dtype=np.float32)
    for rows, part in feature_parts(planted, n_features, seed, signal=signal):
        features[rows] = part
    return features


def mapped_features(
    planted: Planted, n_features: int, seed: int, path: Path, *, dtype: str
) -> NDArray[Any]:
    """All features in a memory-mapped file; one that is there already is used again.

    The file takes its name when it is whole, so that one cut short is never taken for it.
    """
    shape = (planted.n_rows, n_features)
    if path.exists():
        found = open_matrix(path)
        if found.shape == shape and found.dtype == np.dtype(dtype):
            return found
    with filling_matrix(path, shape, dtype) as out:
        for rows, part in feature_parts(planted, n_features, seed):
            out[rows] = part
    return open_matrix(path)


def statement(planted: Planted, features: Any, *, ridge: float = 1e-6) -> Problem:
    """The authors' settings for actions: λ = κ = 1e-6, α = 2, β = 0.4, a constant column."""
    blocks = [_block(film) for film in planted.films]
    return Problem(features, len(ACTIONS) + 1, blocks, ridge=ridge, bias=100.0)


def _block(film: Film) -> Block:
    quotas = [AtLeast(rows, action, 2.0, slack=1e-6) for action, rows in film.bags]
    bagged = np.concatenate([np.empty(0, np.int64), *(rows for _, rows in film.bags)])
    free = np.setdiff1d(film.rows, bagged)
    return Block(film.rows, [*quotas, AtLeast(free, 0, 0.4 * free.size)])


def mean_average_precision(planted: Planted, scores: NDArray[np.float64]) -> float:
    """Mean over the planted actions of the average precision of their scores."""
    found = []
    for action in range(1, len(ACTIONS) + 1):
        right = planted.truth[np.argsort(-scores[:, action], kind="stable")] == action
        if right.any():
            ranks = np.flatnonzero(right) + 1
            found.append(float(np.mean(np.arange(1, ranks.size + 1) / ranks)))
    return float(np.mean(found)) if found else 0.0
