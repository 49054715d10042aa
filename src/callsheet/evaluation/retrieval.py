"""Retrieval: which of all items a query finds first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from callsheet.errors import InputError


@dataclass(frozen=True, slots=True)
class RetrievalScore:
    """Share of queries whose item is among the first 1, 5, 10, and the median rank (from 1)."""

    recall_at_1: float
    recall_at_5: float
    recall_at_10: float
    median_rank: float


def ranks(similarity: ArrayLike) -> NDArray[Any]:
    """Rank (from 1) of item i for query i in a square matrix (queries, items).

    An item tied with the right one counts as half before it, so that a constant matrix earns
    the rank of chance.
    """
    matrix = np.asarray(similarity, float)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InputError(f"similarity must be square (query i, item i), got {matrix.shape}")
    own = np.diagonal(matrix)[:, None]
    ties = (matrix == own).sum(axis=1) - 1
    result: NDArray[Any] = 1 + (matrix > own).sum(axis=1) + 0.5 * ties
    return result


def retrieval_score(similarity: ArrayLike) -> RetrievalScore:
    """R@1, R@5, R@10 and median rank of a square similarity matrix."""
    found = ranks(similarity)
    if not len(found):
        raise InputError("retrieval needs at least one query")
    at = {k: float(np.mean(found <= k)) for k in (1, 5, 10)}
    return RetrievalScore(at[1], at[5], at[10], float(np.median(found)))
