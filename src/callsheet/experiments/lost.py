"""Lost: real faces with the names their script allows (Cour et al.), in the common protocol.

Classes that cover 99 % of the truth, five folds (shuffled, random state 42), features scaled to
0..1 on the training part. Transductive accuracy decides the training faces within their
candidates, test accuracy names new ones. All settings are chosen on candidate sets alone.
Any file of the same form can take the place of Lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.experiments.outcome import Outcome
from callsheet.experiments.partial_labels import PartialLabels, read_partial_labels
from callsheet.model.candidates import (
    KERNEL_ROWS,
    RANKED_ROWS,
    CandidateSettings,
    Kernel,
    fit_candidates,
    fit_vote,
    kernel_told,
    lift_of,
)
from callsheet.model.rivals.cour import fit_partial_labels
from callsheet.optim import Block, Problem, solve

Array = NDArray[Any]
Mask = NDArray[np.bool_]

PUBLISHED = (
    ("CLPL (Cour et al. 2009)", 0.880, 0.726),
    ("SURE", 0.836, 0.775),
    ("M3PL", 0.868, 0.744),
    ("IPAL", 0.757, 0.559),
    ("PALOC", 0.686, 0.547),
    ("PL-SVM", 0.694, 0.516),
    ("PL-kNN", 0.662, 0.432),
    ("PRODEN", 0.896, 0.789),
    ("CC", 0.916, 0.782),
    ("CroSel", 0.917, 0.812),
)
"""Published (method, transductive, test) accuracies on Lost in this protocol; not run here."""

COUR_RIDGES = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)


KEPT_SPECTRUM = 1e-9
"""Directions in which the kernel is this much flatter than in its first are left out."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Scores of the training rows within their candidates, and of new rows."""

    training: Array
    scores: Callable[[Array], Array]


Fit = Callable[[Array, Mask], Fitted]


def run(data: Path) -> Outcome:
    """Measure the vote, its parts and Cour's method; beside them what is published on Lost."""
    faces = read_partial_labels(data)
    ours = {name: np.mean(list(_accuracies(faces, fit)), axis=0) for name, fit in METHODS.items()}
    rows = [(name, *map(float, pair), "here") for name, pair in ours.items()]
    known = PUBLISHED if faces.name == "lost" else ()
    rows += [(name, *pair, "published") for name, *pair in known]
    table = tuple(
        dict(zip(("method", "transductive", "test", "source"), row, strict=True)) for row in rows
    )
    return Outcome(
        "lost" if faces.name == "lost" else f"lost-{faces.name}",
        "Rows with candidate labels: " + faces.name, _made_of(faces), table, _findings(ours, faces),
        settings={"folds": sum(1 for _ in faces.splits()),
                  "own folds": bool(faces.folds), "random_state": 42,
                  "kernel": kernel_told(max(len(train) for train, _ in faces.splits()))},
        bars=("transductive", "test"),
    )  # fmt: skip


def _made_of(faces: PartialLabels) -> str:
    listed = faces.candidates.sum(axis=1).mean()
    what = "faces of Lost" if faces.name == "lost" else "rows"
    return (
        f"real: {len(faces)} {what}, {faces.candidates.shape[1]} labels,"
        f" {listed:.2f} candidates a row"
    )


def _findings(ours: Mapping[str, Array], faces: PartialLabels) -> tuple[str, ...]:
    best = ours[VOTE]
    told = f"transductive {best[0]:.3f}, test {best[1]:.3f}"
    if faces.name != "lost":
        return (told,)
    return (f"{told}; the best published are 0.917 and 0.812",)


def _ours(model: Any) -> Fitted:
    return Fitted(model.assignment, model.scores)


def fit_cour(features: Array, candidates: Mask) -> Fitted:
    """Cour et al. 2009, its ridge chosen like our settings: by held-out candidate sets, on a
    part of many rows."""
    rows = _with_constant(features)
    order = np.random.default_rng(0).permutation(len(rows))[:RANKED_ROWS]
    parts = [(np.setdiff1d(order, test), test) for test in np.array_split(order, 5)]

    def held_out(ridge: float) -> int:
        hits = 0
        for train, test in parts:
            weights = fit_partial_labels(rows[train], candidates[train], ridge=ridge)
            hits += int(candidates[test, (rows[test] @ weights).argmax(axis=1)].sum())
        return hits

    weights = fit_partial_labels(rows, candidates, ridge=max(COUR_RIDGES, key=held_out))
    inside = np.where(candidates, rows @ weights, -np.inf)
    return Fitted(inside, lambda new: _with_constant(new) @ weights)


def fit_relaxed(features: Array, candidates: Mask) -> Fitted:
    """The convex relaxation alone, at the default width and ridge: what annealing starts beside."""
    chosen = CandidateSettings()
    rows, place = _spread(features, chosen.width)
    block = Block(rows=range(len(rows)), allowed=candidates)
    problem = Problem(rows, candidates.shape[1], [block], ridge=chosen.ridge / len(rows))
    solution = solve(problem, tol=1e-3, seed=0)
    return Fitted(np.asarray(solution.assignment), lambda new: place(new) @ solution.weights)


def _spread(features: Array, width: float) -> tuple[Array, Callable[[Array], Array]]:
    """Rows F with FFᵀ = K, and how new ones come to lie beside them: the engine is linear.

    Beyond KERNEL_ROWS they are random features, as those of annealing: to factor K costs the
    third power of the rows.
    """
    if len(features) > KERNEL_ROWS:
        lift = lift_of(features, width)
        return lift(features), lift
    kernel = Kernel.of(features, width)
    values, vectors = np.linalg.eigh(kernel(features))
    kept = values > KEPT_SPECTRUM * values[-1]
    back = vectors[:, kept] / np.sqrt(values[kept])  # F = K back
    return kernel(features) @ back, lambda new: kernel(new) @ back


def _with_constant(features: Array) -> Array:
    return np.concatenate([features, np.ones((len(features), 1))], axis=1)


VOTE = "vote of settings chosen on candidate sets"
METHODS: Mapping[str, Fit] = {
    VOTE: lambda x, s: _ours(fit_vote(x, s)),
    "annealing, default settings": lambda x, s: _ours(fit_candidates(x, s)),
    "annealing without the model of company": lambda x, s: _ours(
        fit_candidates(x, s, CandidateSettings(company=0.0))
    ),
    "relaxation without annealing": fit_relaxed,
    "Cour et al. 2009, our implementation": fit_cour,
}


def _accuracies(faces: PartialLabels, fit: Fit) -> Iterator[tuple[float, float]]:
    for train, test in faces.splits():
        low, high = faces.features[train].min(axis=0), faces.features[train].max(axis=0)
        scaled = (faces.features - low) / np.where(high > low, high - low, 1.0)
        fitted = fit(scaled[train], faces.candidates[train])
        named = fitted.scores(scaled[test]).argmax(axis=1)
        yield (
            float(np.mean(fitted.training.argmax(axis=1) == faces.truth[train])),
            float(np.mean(named == faces.truth[test])),
        )
