"""Learning from candidate sets: every row comes with the few labels it may have.

Faces of a series with the names its script allows at that moment are such a set. Three parts:

- an RBF kernel ridge classifier (its width in units of the median distance);
- rounding by annealing within the candidate sets;
- a model of how candidates come about: besides its true label k, a row lists label j with
  probability q_kj, because k and j share scenes. Who stands beside whom is itself evidence
  (a name that hardly ever appears as a bystander is the likelier owner of the face):
  log P(candidates | k) is added to the scores with weight `company`.

Settings are chosen by cross-validation on candidate sets alone: the share of held-out rows
whose predicted label is among their candidates. No true label is ever looked at. That share
is a noisy judge of a single setting, so the few best ones vote together (`CandidateVote`).

X: features (N, d), S: candidates (N, K), Y: assignment (N, K).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import EngineError
from callsheet.model.annealing import AnnealingSettings, KernelRidge, anneal, project_candidates

Array = NDArray[Any]
Mask = NDArray[np.bool_]

_RAREST = 1e-3
"""No candidate is taken for impossible or certain beside a label."""


@dataclass(frozen=True, slots=True)
class CandidateSettings:
    """How candidate sets are disambiguated."""

    width: float = 0.5  # RBF exponent at the median squared distance
    ridge: float = 0.03  # λ
    company: float = 0.06  # weight of log P(candidates | label); 0: not used
    company_prior: float = 5.0  # rows' worth of belief that company does not depend on the label
    annealing: AnnealingSettings = field(default_factory=AnnealingSettings)


GRID = tuple(
    CandidateSettings(width, ridge, company)
    for width, ridge, company in product(
        (0.25, 0.5, 1.0), (0.03, 0.1, 0.3), (0.0, 0.06, 0.12, 0.18)
    )
)
"""The settings that cross-validation chooses from."""


@dataclass(frozen=True, slots=True)
class CandidateModel:
    """A fitted classifier: `assignment` decides the training rows, `scores` new ones."""

    settings: CandidateSettings
    assignment: Array  # (N, K)
    _rows: Array
    _scale: float
    _dual: Array

    def scores(self, features: Array) -> Array:
        """Scores (M, K) of new rows."""
        kernel = _kernel(np.asarray(features, float), self._rows, self.settings.width, self._scale)
        scores: Array = kernel @ self._dual
        return scores

    def predict(self, features: Array) -> NDArray[np.intp]:
        """Label of each new row."""
        best: NDArray[np.intp] = self.scores(features).argmax(axis=1)
        return best


def fit_candidates(
    features: Array, candidates: Mask, settings: CandidateSettings | None = None
) -> CandidateModel:
    """Disambiguate the rows and learn their classifier."""
    settings = settings or CandidateSettings()
    rows, candidates = _checked(features, candidates)
    scale = float(np.median(_distances(rows, rows))) or 1.0
    ridge = KernelRidge(_kernel(rows, rows, settings.width, scale), settings.ridge)
    assignment = anneal(
        candidates / candidates.sum(axis=1, keepdims=True),
        ridge,
        lambda point: project_candidates(point, candidates),
        settings=settings.annealing,
        opinion=lambda y: settings.company * company(candidates, y, settings.company_prior),
    )
    return CandidateModel(settings, assignment, rows, scale, ridge.dual(assignment))


def company(candidates: Mask, assignment: Array, prior: float) -> Array:
    """log P(the other candidates of a row | its label is k), for every row and k (N, K).

    q_kj is estimated from the present assignment; `prior` rows' worth of belief pulls it to how
    often j is listed without being the label.
    """
    listed = candidates.astype(float)
    owners = assignment.sum(axis=0)
    bystander = (listed.sum(axis=0) - owners + 1) / (len(listed) - owners + 2)
    beside = (assignment.T @ listed + prior * bystander) / (owners[:, None] + prior)
    beside = np.clip(beside, _RAREST, 1 - _RAREST)
    np.fill_diagonal(beside, 1 - _RAREST)  # its own label is listed with every row
    logs: Array = listed @ np.log(beside).T + (1 - listed) @ np.log(1 - beside).T
    return logs


@dataclass(frozen=True, slots=True)
class CandidateVote:
    """Several fitted models that vote with their scores."""

    models: tuple[CandidateModel, ...]

    @property
    def assignment(self) -> Array:
        """Mean assignment of the training rows (N, K)."""
        mean: Array = np.mean([model.assignment for model in self.models], axis=0)
        return mean

    def scores(self, features: Array) -> Array:
        """Mean scores (M, K) of new rows."""
        mean: Array = np.mean([model.scores(features) for model in self.models], axis=0)
        return mean

    def predict(self, features: Array) -> NDArray[np.intp]:
        best: NDArray[np.intp] = self.scores(features).argmax(axis=1)
        return best


def fit_vote(
    features: Array,
    candidates: Mask,
    grid: Sequence[CandidateSettings] = GRID,
    *,
    voters: int = 8,
    folds: int = 5,
    seed: int = 0,
) -> CandidateVote:
    """Fit the settings of `grid` that do best on held-out candidate sets."""
    ranked = rank_settings(features, candidates, grid, folds=folds, seed=seed)
    chosen = [settings for _, settings in ranked[:voters]]
    return CandidateVote(tuple(fit_candidates(features, candidates, s) for s in chosen))


def rank_settings(
    features: Array,
    candidates: Mask,
    grid: Sequence[CandidateSettings] = GRID,
    *,
    folds: int = 5,
    seed: int = 0,
) -> list[tuple[float, CandidateSettings]]:
    """Settings with the share of held-out predictions among the candidates, the best first."""
    parts = list(_folds(len(features), folds, seed))
    held = [(_held_out_share(features, candidates, settings, parts), settings) for settings in grid]
    return sorted(held, key=lambda pair: -pair[0])


def _held_out_share(
    features: Array, candidates: Mask, settings: CandidateSettings, parts: list[tuple[Array, Array]]
) -> float:
    hits = 0
    for train, test in parts:
        model = fit_candidates(features[train], candidates[train], settings)
        hits += int(candidates[test, model.predict(features[test])].sum())
    return hits / len(features)


def _folds(count: int, folds: int, seed: int) -> Iterator[tuple[Array, Array]]:
    order = np.random.default_rng(seed).permutation(count)
    for test in np.array_split(order, folds):
        yield np.setdiff1d(order, test), test


def _checked(features: Array, candidates: Mask) -> tuple[Array, Mask]:
    rows, mask = np.asarray(features, float), np.asarray(candidates, bool)
    if rows.ndim != 2 or mask.ndim != 2 or len(rows) != len(mask):
        raise EngineError(
            f"features and candidates need as many rows, got {rows.shape} and {mask.shape}"
        )
    if not np.isfinite(rows).all():
        row, column = np.argwhere(~np.isfinite(rows))[0]
        raise EngineError(f"features must be finite, got {rows[row, column]} at ({row}, {column})")
    empty = np.flatnonzero(~mask.any(axis=1))
    if len(empty):
        raise EngineError(f"row {empty[0]} has no candidate label; leave it out or allow all")
    return rows, mask


def _kernel(left: Array, right: Array, width: float, scale: float) -> Array:
    kernel: Array = np.exp(-width * _distances(left, right) / scale)
    return kernel


def _distances(left: Array, right: Array) -> Array:
    squares = (left**2).sum(axis=1)[:, None] + (right**2).sum(axis=1)
    distances: Array = np.maximum(squares - 2 * left @ right.T, 0.0)
    return distances
