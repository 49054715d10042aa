"""Lost: real faces with the names their script allows (Cour et al.), in the common protocol.

Classes that cover 99 % of the truth, five folds (shuffled, random state 42), features scaled to
0..1 on the training part. Transductive accuracy decides the training faces within their
candidates, test accuracy names new ones. All settings are chosen on candidate sets alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import InputError
from callsheet.experiments.outcome import Outcome
from callsheet.model.candidates import CandidateSettings, fit_candidates, fit_vote

Array = NDArray[Any]

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
"""Published (method, transductive, test) accuracies in this protocol; not run here."""


@dataclass(frozen=True, slots=True)
class Faces:
    """Features (N, d), candidates (N, K), true label (N,)."""

    features: Array
    candidates: NDArray[np.bool_]
    truth: Array


def read_lost(path: Path) -> Faces:
    """Read `lost.mat` and keep the classes that cover 99 % of the truth."""
    from scipy.io import loadmat

    if not path.is_file():
        raise InputError(f"{path} is not there; give the folder that holds lost.mat with --data")
    content = loadmat(path)
    candidates, target = (_dense(content[key]).T for key in ("partial_target", "target"))
    counts = target.sum(axis=0)
    order = np.argsort(-counts)
    covered = np.cumsum(counts[order]) / counts.sum()
    kept = np.sort(order[: np.searchsorted(covered, 0.99) + 1])
    rows = target[:, kept].sum(axis=1) > 0
    return Faces(
        _dense(content["data"])[rows],
        candidates[rows][:, kept] > 0,
        target[rows][:, kept].argmax(axis=1),
    )


def run(data: Path) -> Outcome:
    """Measure the vote and its parts beside the published methods."""
    faces = read_lost(data / "lost.mat")
    ours = {name: np.mean(list(_accuracies(faces, fit)), axis=0) for name, fit in VARIANTS.items()}
    rows = [(name, *map(float, pair), "here") for name, pair in ours.items()]
    rows += [(name, *pair, "published") for name, *pair in PUBLISHED]
    table = tuple(
        dict(zip(("method", "transductive", "test", "source"), row, strict=True)) for row in rows
    )
    best = ours["vote of settings chosen on candidate sets"]
    finding = (
        f"transductive {best[0]:.3f}, test {best[1]:.3f}; the best published are 0.917 and 0.812"
    )
    made_of = f"real: {len(faces.truth)} faces of Lost, {faces.candidates.shape[1]} names"
    return Outcome("lost", "Faces of Lost with candidate names", made_of, table, (finding,),
                   settings={"folds": 5, "random_state": 42})  # fmt: skip


def _vote(features: Array, candidates: NDArray[np.bool_]) -> Any:
    return fit_vote(features, candidates)


def _without_company(features: Array, candidates: NDArray[np.bool_]) -> Any:
    return fit_candidates(features, candidates, CandidateSettings(company=0.0))


def _default(features: Array, candidates: NDArray[np.bool_]) -> Any:
    return fit_candidates(features, candidates)


VARIANTS = {
    "vote of settings chosen on candidate sets": _vote,
    "annealing, default settings": _default,
    "annealing without the model of company": _without_company,
}


def _accuracies(faces: Faces, fit: Any) -> Iterator[tuple[float, float]]:
    for train, test in _folds(len(faces.truth)):
        low, high = faces.features[train].min(axis=0), faces.features[train].max(axis=0)
        scaled = (faces.features - low) / np.where(high > low, high - low, 1.0)
        model = fit(scaled[train], faces.candidates[train])
        decided = model.assignment.argmax(axis=1)
        yield (
            float(np.mean(decided == faces.truth[train])),
            float(np.mean(model.predict(scaled[test]) == faces.truth[test])),
        )


def _folds(count: int) -> Iterator[tuple[Array, Array]]:
    from sklearn.model_selection import KFold

    yield from KFold(5, shuffle=True, random_state=42).split(np.zeros(count))


def _dense(matrix: Any) -> Array:
    dense: Array = np.asarray(matrix.todense() if hasattr(matrix, "todense") else matrix)
    return dense
