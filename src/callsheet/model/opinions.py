"""What the stages wrote of one question, read back: the ranking that all judge and decide by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import InputError
from callsheet.model.classifiers import read_labels_of
from callsheet.model.deciding import Opinion
from callsheet.store import open_matrix

Array = NDArray[Any]

NAME_SHARE, ACTION_SHARE = 0.1, 1.0
"""How much the classifier counts beside the assignment: few bags tell an action, many a name."""

SCORES = {"names": "name_scores", "actions": "action_scores"}
SHARES = {"names": NAME_SHARE, "actions": ACTION_SHARE}


def read_opinion(folder: Path, name: str, rows: int) -> Opinion:
    """Assignment (if the film was learned from) and scores of "names" or "actions".

    `rows` is how many tracks the film has now; matrices of another number are refused.
    """
    labels = read_labels_of(folder, name)
    path = folder / f"{name}.npy"
    assignment = open_matrix(path, columns=len(labels)) if path.exists() else None
    opinion = Opinion(
        labels,
        None if assignment is None else np.array(assignment, float),
        np.array(open_matrix(folder / f"{SCORES[name]}.npy", columns=len(labels)), float),
        SHARES[name],
    )
    for matrix in (opinion.assignment, opinion.scores):
        if matrix is not None and len(matrix) != rows:
            raise InputError(
                f"{folder}: {name} were solved for {len(matrix)} tracks, there are {rows} now;"
                f" run the {name} stage again"
            )
    return opinion
