"""Cour, Sapp, Jordan, Taskar: learning from ambiguously labeled images (CVPR 2009).

Convex learning from partial labels: with ψ(u) = max(0, 1 − u)² and S the candidates of a row,

    min_W  Σ_n [ ψ( mean_{a∈S_n} w_a·x_n ) + Σ_{a∉S_n} ψ(−w_a·x_n) ] + λ ‖W‖²

Rows without a candidate are left out of the training; there is no background class.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from callsheet.model.rivals.task import NEVER, NamesTask

Array = NDArray[Any]


def score_names(task: NamesTask, *, ridge: float = 3.0, seed: int = 0) -> Array:
    """Scores (N, K); background is never scored."""
    rows = ~task.uncovered
    features = task.with_constant()
    persons = task.candidates[:, 1:]
    weights = fit_partial_labels(features[rows], persons[rows], ridge=ridge)
    scores = np.full((len(features), task.labels), NEVER)
    scores[:, 1:] = features @ weights
    return scores


def fit_partial_labels(features: Array, candidates: NDArray[np.bool_], *, ridge: float) -> Array:
    """W (d, K) of the convex problem, by L-BFGS."""
    from scipy.optimize import minimize

    shape = (features.shape[1], candidates.shape[1])

    def value(flat: Array) -> tuple[float, Array]:
        loss, gradient = loss_and_gradient(flat.reshape(shape), features, candidates, ridge)
        return loss, gradient.ravel()

    # Hundreds of small products: on a busy machine threads mostly wait for each other.
    with threadpool_limits(1, user_api="blas"):
        found = minimize(value, np.zeros(shape[0] * shape[1]), jac=True, method="L-BFGS-B",
                         options={"maxiter": 500, "ftol": 1e-10, "gtol": 1e-6})  # fmt: skip
    weights: Array = found.x.reshape(shape)
    return weights


def loss_and_gradient(
    weights: Array, features: Array, candidates: NDArray[np.bool_], ridge: float
) -> tuple[float, Array]:
    """The objective and its gradient at W (d, K)."""
    scores = features @ weights
    sizes = np.maximum(candidates.sum(axis=1), 1)
    inside = np.maximum(0.0, 1 - (scores * candidates).sum(axis=1) / sizes)
    outside = np.where(candidates, 0.0, np.maximum(0.0, 1 + scores))
    slopes = 2 * outside - candidates * (2 * inside / sizes)[:, None]
    loss = float((inside**2).sum() + (outside**2).sum() + ridge * (weights**2).sum())
    return loss, features.T @ slopes + 2 * ridge * weights
