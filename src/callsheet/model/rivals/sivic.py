"""Sivic, Everingham, Zisserman: "Who are you?" (CVPR 2009).

Faces that are seen to speak a line are exemplars of its speaker; a kernel SVM for each person
is trained on them against the others' and scores every face. Persons without an exemplar are
never named; there is no background class.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.model.rivals.task import NEVER, NamesTask

Array = NDArray[Any]


def exemplars(task: NamesTask) -> tuple[Array, Array]:
    """Rows whose speaker is known (a line's bag of one face), and their columns.

    A face that two lines give to different persons is no exemplar.
    """
    said: dict[int, set[int]] = {}
    for bag in task.bags:
        if bag.spoken and len(bag.rows) == 1:
            said.setdefault(int(bag.rows[0]), set()).add(bag.column)
    sure = {row: columns.pop() for row, columns in said.items() if len(columns) == 1}
    return np.array(list(sure), int), np.array(list(sure.values()), int)


def score_names(task: NamesTask, *, cost: float = 0.3, seed: int = 0) -> Array:
    """Scores (N, K) by one-against-rest RBF machines trained on the exemplars."""
    from sklearn.svm import SVC

    rows, columns = exemplars(task)
    scores = np.full((len(task.features), task.labels), NEVER)
    known = np.unique(columns)
    if len(known) == 1:
        scores[:, known[0]] = 0.0
    for column in known if len(known) > 1 else ():
        machine = SVC(C=cost, kernel="rbf", gamma="scale", class_weight="balanced")
        machine.fit(task.features[rows], columns == column)
        scores[:, column] = machine.decision_function(task.features)
    return scores
