"""Bach and Harchaoui: DIFFRAC (NIPS 2007): discriminative clustering without any bag.

    min_M  tr(A M)   over   M ⪰ 0,  diag(M) = 1,  M ≥ 0,  M 1 ≤ n_max 1

with A = (I − Π X (Xᵀ Π X + NλI)⁻¹ Xᵀ Π) Π-centred, so that the clusters are those a linear
classifier tells apart. Solved by ADMM (one eigendecomposition a round) and rounded by k-means
on the leading eigenvectors. N × N matrices: for some hundred rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, eigh
from scipy.optimize import linear_sum_assignment

from callsheet.errors import EngineError
from callsheet.model.rivals.task import NamesTask

Array = NDArray[Any]
MOST_ROWS = 2000


def score_names(
    task: NamesTask, *, ridge: float = 1e-3, largest: float = 0.6, seed: int = 0
) -> Array:
    """Cluster, then give each cluster the person whose bags it fills most (one-to-one)."""
    clusters = cluster(task.features, task.labels, ridge=ridge, largest=largest, seed=seed)
    filled = np.zeros((task.labels, task.labels))
    for bag in task.bags:
        np.add.at(filled[:, bag.column], clusters[bag.rows], 1.0 / len(bag.rows))
    np.add.at(filled[:, 0], clusters[task.uncovered], 0.5)
    _, column_of = linear_sum_assignment(-filled)
    scores: Array = np.eye(task.labels)[column_of[clusters]]
    return scores


def cluster(
    features: Array, count: int, *, ridge: float, largest: float, seed: int = 0
) -> NDArray[np.intp]:
    """Cluster rows into `count`; no cluster holds more than the share `largest`."""
    from sklearn.cluster import KMeans

    if len(features) > MOST_ROWS:
        raise EngineError(f"DIFFRAC takes up to {MOST_ROWS} rows, got {len(features)}")
    count = min(count, len(features))  # a film may have fewer faces than persons
    if count < 2:
        return np.zeros(len(features), np.intp)
    relation = relax(cost_matrix(features, ridge), n_max=largest * len(features))
    values, vectors = eigh(relation, subset_by_index=(len(relation) - count, len(relation) - 1))
    points = vectors * np.sqrt(np.maximum(values, 0.0))
    found: NDArray[np.intp] = KMeans(count, n_init=10, random_state=seed).fit_predict(points)
    return found


def cost_matrix(features: Array, ridge: float) -> Array:
    """A (N, N): tr(A M) is how badly a ridge classifier with free bias explains the clusters."""
    centred = features - features.mean(axis=0)
    gram = centred.T @ centred + len(features) * ridge * np.eye(features.shape[1])
    smoother = centred @ cho_solve(cho_factor(gram), centred.T)
    cost: Array = np.eye(len(features)) - 1 / len(features) - smoother
    return cost


def relax(cost: Array, *, n_max: float, rounds: int = 100, step: float = 1.0) -> Array:
    """Minimise tr(A M) over the relaxation by ADMM between the cone and the linear demands."""
    size = len(cost)
    plain = cone = np.eye(size)
    multiplier = np.zeros_like(cost)
    for _ in range(rounds):
        cone = _nearest_psd(plain - multiplier - cost / step)
        plain = _nearest_relation(cone + multiplier, n_max)
        multiplier += cone - plain
    return plain


def _nearest_psd(matrix: Array) -> Array:
    values, vectors = eigh((matrix + matrix.T) / 2)
    kept = values > 0
    nearest: Array = (vectors[:, kept] * values[kept]) @ vectors[:, kept].T
    return nearest


def _nearest_relation(matrix: Array, n_max: float, sweeps: int = 5) -> Array:
    """Nearest symmetric matrix with entries in 0..1, unit diagonal, row sums at most n_max.

    Dykstra's alternation between the box and the row sums, each of which has a closed form.
    """
    current, correction, other = matrix, np.zeros_like(matrix), np.zeros_like(matrix)
    for _ in range(sweeps):
        boxed = np.clip(current + correction, 0.0, 1.0)
        np.fill_diagonal(boxed, 1.0)
        correction = current + correction - boxed
        current = _nearest_row_sums(boxed + other, n_max)
        other = boxed + other - current
    nearest = np.clip(current, 0.0, 1.0)
    np.fill_diagonal(nearest, 1.0)
    return nearest


def _nearest_row_sums(matrix: Array, n_max: float) -> Array:
    """Exact: M − (u 1ᵀ + 1 uᵀ) with u ≥ 0; u_i = max(0, (r_i − n_max − s) / N), s = Σ u."""
    sums = matrix.sum(axis=1)
    size = len(matrix)
    low, high = 0.0, max(0.0, float(sums.max()) - n_max)
    for _ in range(60):
        middle = (low + high) / 2
        total = np.maximum(0.0, (sums - n_max - middle) / size).sum()
        low, high = (middle, high) if total > middle else (low, middle)
    excess = np.maximum(0.0, (sums - n_max - high) / size)
    nearest: Array = matrix - excess[:, None] - excess[None, :]
    return nearest
