"""How the nearest point of a block moves when the point moves: the projection's derivative.

On its support a row moves with its point, less the mean; active quotas (multiplier not 0) move
their multipliers so that the quota goes on to hold. Exact wherever the projection has a
derivative at all, which is what Newton's method needs.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from callsheet.optim.kernels.quotas import newton_step
from callsheet.optim.layout import AT_MOST, EQUAL, Tables

Floats = NDArray[np.float64]


@njit(cache=True, nogil=True)
def bend(
    moves: Floats,
    rows: Floats,
    offset: int,
    components: tuple[int, int],
    tables: Tables,
    multipliers: Floats,
) -> None:
    """Turn moves of the points into moves of the projected `rows`, in place."""
    for i in range(rows.shape[0]):
        if tables.row_start[offset + i] == tables.row_start[offset + i + 1]:
            _on_support(moves[i], rows[i])
    for component in range(components[0], components[1]):
        _bend_component(moves, rows, offset, component, tables, multipliers)


@njit(cache=True, nogil=True)
def _on_support(move: Floats, row: Floats) -> None:
    total = 0.0
    count = 0
    for k in range(row.size):
        if row[k] > 0.0:
            total += move[k]
            count += 1
    for k in range(row.size):
        move[k] = move[k] - total / count if row[k] > 0.0 else 0.0


@njit(cache=True, nogil=True)
def _bend_component(
    moves: Floats,
    rows: Floats,
    offset: int,
    component: int,
    tables: Tables,
    multipliers: Floats,
) -> None:
    first, last = tables.component_quota[component], tables.component_quota[component + 1]
    start, end = tables.component_start[component], tables.component_start[component + 1]
    kind = tables.kind[first:last]
    signs = np.where(kind == AT_MOST, -1.0, 1.0)
    active = (kind == EQUAL) | (multipliers[first:last] > 0.0)
    lost = np.zeros(last - first)
    for place in tables.component_rows[start:end]:
        _on_support(moves[place - offset], rows[place - offset])
        for e in range(tables.row_start[place], tables.row_start[place + 1]):
            q = tables.row_quota[e]
            change = tables.row_weight[e] * moves[place - offset, tables.label[q]]
            lost[q - first] -= signs[q - first] * change
    if not active.any():
        return
    pushes = newton_step(rows, offset, component, tables, signs, lost, active, 1e-12)
    lift = np.zeros(rows.shape[1])
    for place in tables.component_rows[start:end]:
        lift[:] = 0.0
        for e in range(tables.row_start[place], tables.row_start[place + 1]):
            q = tables.row_quota[e] - first
            lift[tables.label[first + q]] += signs[q] * pushes[q] * tables.row_weight[e]
        _on_support(lift, rows[place - offset])
        moves[place - offset] += lift
