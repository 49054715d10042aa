"""Bojanowski et al.: finding actors and actions in movies (ICCV 2013).

The same discriminative clustering with "at least one" bags and exclusive labels, but without a
demand on the background, solved by Frank-Wolfe over the whole set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from callsheet.model.rivals.task import NamesTask

if TYPE_CHECKING:
    from callsheet.optim import Problem

Array = NDArray[Any]


def score_names(
    task: NamesTask,
    *,
    ridge: float = 1e-3,
    slack: float = 0.2,
    bias: float = 10.0,
    passes: int = 300,
    seed: int = 0,
) -> Array:
    """Relaxed assignment (N, K) as scores."""
    from callsheet.optim import solve

    problem = statement(task, ridge=ridge, slack=slack, bias=bias)
    solution = solve(problem, tol=1e-2, seed=seed, method="fw", max_passes=passes)
    return np.asarray(solution.assignment)


def statement(
    task: NamesTask, *, ridge: float = 1e-3, slack: float = 0.2, bias: float = 10.0
) -> Problem:
    """The problem that their paper solves."""
    from callsheet.optim import AtLeast, Block, Problem

    count = len(task.features)
    quotas = [AtLeast(bag.rows, bag.column, 1.0, slack / count) for bag in task.bags]
    block = Block(rows=range(count), quotas=quotas)
    return Problem(task.features, task.labels, [block], ridge=ridge, bias=bias)
