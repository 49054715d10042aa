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

Up to KERNEL_ROWS rows the kernel matrix is held; of more rows the kernel is approximated by
random Fourier features, and settings are chosen on a part of them.

X: features (N, d), S: candidates (N, K), Y: assignment (N, K).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import EngineError
from callsheet.model.annealing import (
    AnnealingSettings,
    FeatureRidge,
    KernelRidge,
    anneal,
    project_candidates,
)
from callsheet.model.lifting import Lift

Array = NDArray[Any]
Mask = NDArray[np.bool_]

KERNEL_ROWS = 4000
LIFTED = 2000
RANKED_ROWS = 2000
"""So many rows hold a kernel matrix; features of the lift; rows that settings are chosen on."""

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


class Scorer(Protocol):
    """Scores (M, K) of new rows (M, d)."""

    def __call__(self, features: Array) -> Array: ...


class Machine(Protocol):
    """A ridge classifier of known rows, whose labels are still to be given."""

    def left_out(self, assignment: Array) -> Array: ...

    def scorer(self, assignment: Array) -> Scorer: ...


@dataclass(frozen=True, slots=True)
class KernelScorer:
    rows: Array
    width: float
    scale: float
    dual: Array

    def __call__(self, features: Array) -> Array:
        scores: Array = _kernel(features, self.rows, self.width, self.scale) @ self.dual
        return scores


@dataclass(frozen=True, slots=True)
class LiftedScorer:
    lift: Lift
    weights: Array

    def __call__(self, features: Array) -> Array:
        scores: Array = self.lift(features) @ self.weights
        return scores


@dataclass(frozen=True, slots=True)
class Kernel:
    """exp(−width ‖x − row‖² / scale) of new rows with known ones; scale: their median distance."""

    rows: Array
    width: float
    scale: float

    @classmethod
    def of(cls, rows: Array, width: float) -> Kernel:
        return cls(rows, width, _median_distance(rows))

    def __call__(self, features: Array) -> Array:
        return _kernel(features, self.rows, self.width, self.scale)


def kernel_lift(dimension: int, width: float, scale: float) -> Lift:
    """Random features whose products are near exp(−width ‖x − y‖² / scale)."""
    return Lift(dimension, LIFTED, float(np.sqrt(scale / (2 * width))), seed=0)


def lift_of(rows: Array, width: float) -> Lift:
    """The lift of so many rows that their kernel is not held."""
    return kernel_lift(rows.shape[1], width, _median_distance(rows))


def kernel_told(rows: int) -> str:
    """How the kernel of so many rows is held, for whoever reads the result."""
    if rows <= KERNEL_ROWS:
        return "exact"
    return (
        f"{LIFTED} random Fourier features, for {rows} rows are more than {KERNEL_ROWS};"
        f" settings chosen on {RANKED_ROWS} of them"
    )


class KernelMachine:
    """The exact one: holds a matrix of rows x rows."""

    def __init__(self, rows: Array, settings: CandidateSettings, scale: float) -> None:
        self._place = rows, settings.width, scale
        self._ridge = KernelRidge(_kernel(rows, rows, settings.width, scale), settings.ridge)
        self.left_out = self._ridge.left_out

    def scorer(self, assignment: Array) -> Scorer:
        return KernelScorer(*self._place, self._ridge.dual(assignment))


class LiftedMachine:
    """The same on random Fourier features, for any number of rows."""

    def __init__(self, rows: Array, settings: CandidateSettings, scale: float) -> None:
        self._lift = kernel_lift(rows.shape[1], settings.width, scale)
        self._ridge = FeatureRidge(self._lift(rows), settings.ridge)
        self.left_out = self._ridge.left_out

    def scorer(self, assignment: Array) -> Scorer:
        return LiftedScorer(self._lift, self._ridge.weights(assignment))


@dataclass(frozen=True, slots=True)
class CandidateModel:
    """A fitted classifier: `assignment` decides the training rows, `scores` new ones."""

    settings: CandidateSettings
    assignment: Array  # (N, K)
    _scorer: Scorer

    def scores(self, features: Array) -> Array:
        """Scores (M, K) of new rows."""
        return self._scorer(np.asarray(features, float))

    def predict(self, features: Array) -> NDArray[np.intp]:
        """Label of each new row."""
        best: NDArray[np.intp] = self.scores(features).argmax(axis=1)
        return best


def fit_candidates(
    features: Array, candidates: Mask, settings: CandidateSettings | None = None
) -> CandidateModel:
    """Disambiguate the rows and learn their classifier."""
    (model,) = fit_each(features, candidates, [settings or CandidateSettings()])
    return model


def fit_each(
    features: Array, candidates: Mask, settings: Sequence[CandidateSettings]
) -> Iterator[CandidateModel]:
    """Fit every setting in turn; those of one kernel and ridge share their machine."""
    rows, candidates = _checked(features, candidates)
    scale, machines = _median_distance(rows), dict[tuple[float, float], Machine]()
    build = KernelMachine if len(rows) <= KERNEL_ROWS else LiftedMachine
    for chosen in settings:
        key = chosen.width, chosen.ridge
        if key not in machines:
            machines = {key: build(rows, chosen, scale)}  # one at a time: each is large
        yield _fit(machines[key], candidates, chosen)


def _fit(machine: Machine, candidates: Mask, settings: CandidateSettings) -> CandidateModel:
    assignment = anneal(
        candidates / candidates.sum(axis=1, keepdims=True),
        machine,
        lambda point: project_candidates(point, candidates),
        settings=settings.annealing,
        opinion=lambda y: settings.company * company(candidates, y, settings.company_prior),
    )
    return CandidateModel(settings, assignment, machine.scorer(assignment))


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
    chosen = sorted((s for _, s in ranked[:voters]), key=lambda s: (s.width, s.ridge))
    return CandidateVote(tuple(fit_each(features, candidates, chosen)))


def rank_settings(
    features: Array,
    candidates: Mask,
    grid: Sequence[CandidateSettings] = GRID,
    *,
    folds: int = 5,
    seed: int = 0,
) -> list[tuple[float, CandidateSettings]]:
    """Settings with the share of held-out predictions among the candidates, the best first."""
    order = np.random.default_rng(seed).permutation(len(features))[:RANKED_ROWS]
    hits = np.zeros(len(grid))
    for test in np.array_split(order, folds):
        train = np.setdiff1d(order, test)
        for place, model in enumerate(fit_each(features[train], candidates[train], grid)):
            hits[place] += candidates[test, model.predict(features[test])].sum()
    held = zip((hits / len(order)).tolist(), grid, strict=True)
    return sorted(held, key=lambda pair: -pair[0])


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


def _median_distance(rows: Array) -> float:
    """Median squared distance of the rows, or of a sample of many."""
    few = rows
    if len(rows) > RANKED_ROWS:
        few = rows[np.random.default_rng(0).permutation(len(rows))[:RANKED_ROWS]]
    return float(np.median(_distances(few, few))) or 1.0
