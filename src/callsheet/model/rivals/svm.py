"""Multiple-instance SVMs: Parkhi et al. (FG 2015) and mi-SVM (Andrews et al., NIPS 2003).

Both learn a linear SVM a person from bags. MIL-SVM keeps the best instance of each positive bag
and starts again until the choice stands; mi-SVM imputes a label for every instance, with at
least one positive in each bag. Negatives of a person are the faces that the script gives to
others; faces in no bag may be anybody. Parkhi et al. add a classifier of the background, trained
on those faces that the script does not account for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.model.rivals.task import NEVER, NamesTask

Array = NDArray[Any]
ROUNDS = 10


def score_names_parkhi(task: NamesTask, *, cost: float = 0.01, seed: int = 0) -> Array:
    """MIL-SVM a person and a background SVM; scores (N, K)."""
    scores = _per_person(task, lambda bags, rest: mil_svm(task, bags, rest, cost, seed))
    unexplained = task.uncovered
    if unexplained.any() and not unexplained.all():
        scores[:, 0] = _linear_svm(task.features, unexplained, cost, seed)
    return scores


def score_names_misvm(task: NamesTask, *, cost: float = 0.01, seed: int = 0) -> Array:
    """mi-SVM a person; background is nobody's positive (score 0)."""
    scores = _per_person(task, lambda bags, rest: mi_svm(task, bags, rest, cost, seed))
    scores[:, 0] = 0.0
    return scores


def _per_person(task: NamesTask, score: Callable[[list[Array], Array], Array]) -> Array:
    scores = np.full((len(task.features), task.labels), NEVER)
    for column in range(1, task.labels):
        bags = task.bags_of(column)
        rest = np.flatnonzero(~task.candidates[:, column] & ~task.uncovered)
        if bags and len(rest):
            scores[:, column] = score(bags, rest)
    return scores


def mil_svm(task: NamesTask, bags: list[Array], rest: Array, cost: float, seed: int) -> Array:
    """Scores (N,) of the person of these bags; `rest` are rows outside all of them."""
    chosen = np.unique(np.concatenate(bags))
    scores = np.zeros(len(task.features))
    for _ in range(ROUNDS):
        scores = _against(task.features, chosen, rest, cost, seed)
        best = np.unique([bag[scores[bag].argmax()] for bag in bags])
        if np.array_equal(best, chosen):
            break
        chosen = best
    return scores


def mi_svm(task: NamesTask, bags: list[Array], rest: Array, cost: float, seed: int) -> Array:
    """Scores (N,); every row of a bag is labelled, one of each bag positive at least."""
    members = np.unique(np.concatenate(bags))
    positive = members
    scores = np.zeros(len(task.features))
    for _ in range(ROUNDS):
        negative = np.union1d(rest, np.setdiff1d(members, positive))
        scores = _against(task.features, positive, negative, cost, seed)
        best = [bag[scores[bag].argmax()] for bag in bags]
        relabelled = np.union1d(members[scores[members] > 0], best)
        if np.array_equal(relabelled, positive):
            break
        positive = relabelled
    return scores


def _against(features: Array, positive: Array, negative: Array, cost: float, seed: int) -> Array:
    """Train on two sets of rows, score all rows."""
    rows = np.concatenate([positive, negative])
    target = np.arange(len(rows)) < len(positive)
    machine = _machine(cost, seed).fit(features[rows], target)
    scores: Array = machine.decision_function(features)
    return scores


def _linear_svm(features: Array, target: NDArray[np.bool_], cost: float, seed: int) -> Array:
    return _against(features, np.flatnonzero(target), np.flatnonzero(~target), cost, seed)


def _machine(cost: float, seed: int) -> Any:
    from sklearn.svm import LinearSVC

    return LinearSVC(C=cost, class_weight="balanced", random_state=seed, max_iter=5000)
