"""The answer: an assignment, its certificate, and how it was come by."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import EngineError

Matrix = NDArray[np.float64]


class Status(StrEnum):
    """Why a solve ended."""

    TOLERANCE = "tolerance"
    PASS_LIMIT = "pass_limit"
    TIME_LIMIT = "time_limit"
    INTERRUPTED = "interrupted"  # Ctrl-C, or an observer asked
    STALLED = "stalled"  # rounding leaves nothing to gain


@dataclass(frozen=True, slots=True)
class TracePoint:
    """A certificate measured on the way: after so many passes and seconds."""

    passes: float
    seconds: float
    objective: float
    lower_bound: float

    @property
    def gap(self) -> float:
        return relative_gap(self.objective, self.lower_bound)


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """What `solve` found.

    `assignment` (N × K) is the relaxed assignment, `weights` its ridge classifier
    (d × K, one row more where there is a constant column; that row is multiplied by `bias`).
    `objective` and `lower_bound` belong to this very assignment: the least objective lies
    between them. `passes` counts visits to all rows (one X V and one Xᵀ Y each), `seconds` all
    of the solve with its preparation. `oracle` says how vertices and nearest points were found,
    `warnings` what is odd about the statement or was not done exactly.
    """

    assignment: Matrix
    weights: Matrix
    objective: float
    lower_bound: float
    status: Status
    passes: float
    seconds: float
    trace: tuple[TracePoint, ...]
    method: str
    oracle: str
    bias: float = 0.0
    warnings: tuple[str, ...] = ()

    @property
    def gap(self) -> float:
        """(objective − lower_bound) / objective."""
        return relative_gap(self.objective, self.lower_bound)

    @property
    def labels(self) -> NDArray[np.int64]:
        """The label of largest share of each row."""
        best: NDArray[np.int64] = np.argmax(self.assignment, axis=1)
        return best

    def scores(self, features: NDArray[np.floating]) -> Matrix:
        """Apply the classifier to rows of features: rows × K."""
        n_features = len(self.weights) - bool(self.bias)
        if features.ndim != 2 or features.shape[1] != n_features:
            raise EngineError(f"features must have {n_features} columns, as those of the problem,"
                              f" got shape {features.shape}")  # fmt: skip
        scores = np.asarray(features @ self.weights[:n_features], dtype=np.float64)
        return scores + self.bias * self.weights[-1] if self.bias else scores


def relative_gap(objective: float, lower_bound: float) -> float:
    """(objective − lower_bound) / |objective|, 0 where both agree."""
    difference = objective - lower_bound
    if difference <= 0.0:
        return 0.0
    return difference / abs(objective) if objective else float("inf")
