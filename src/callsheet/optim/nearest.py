"""The nearest assignment that a problem's blocks allow: projection as a tool of its own.

Rounding by annealing sharpens scores and needs them brought back to what is allowed. Soft quotas
count as in the objective, on its scale N · f: the point that minimises ½‖Y − C‖² + their slack.
"""

from __future__ import annotations

import numpy as np

from callsheet.errors import EngineError
from callsheet.optim.desk import Desk, Matrix
from callsheet.optim.problem import Problem


class Nearest:
    """Call it with points (N, labels) for the nearest allowed assignment.

    The multipliers of one call start the next, so a run of nearby points is cheap.
    """

    def __init__(self, problem: Problem) -> None:
        self._desk = Desk.of(problem)

    def __call__(self, points: Matrix) -> Matrix:
        problem = self._desk.problem
        shape = (problem.n_rows, problem.n_labels)
        if points.shape != shape or not np.isfinite(points).all():
            raise EngineError(f"points must be finite and of shape {shape}, got {points.shape}")
        order = problem.layout.order
        visited, found = np.ascontiguousarray(points[order], float), np.empty(shape)
        for chunk in self._desk.chunks:
            for segment in chunk:
                self._desk.project(segment, visited[segment.places], found[segment.places])
        assignment = np.empty(shape)
        assignment[order] = found
        return assignment
