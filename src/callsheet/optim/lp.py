"""The general linear oracle: any quotas, by HiGHS. The fallback, and the reference in tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from callsheet.errors import EngineError
from callsheet.optim.layout import AT_LEAST, AT_MOST, EQUAL, Layout, Tables
from callsheet.optim.segments import Segment

Matrix = NDArray[np.float64]
PRECISE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


def meet_joint_quotas(cost: Matrix, layout: Layout, segment: Segment, out: Matrix) -> None:
    """Solve the components with several hard quotas, all in one program, and write their rows."""
    table = layout.hard
    joint = [c for c in range(*segment.hard_components)
             if table.component_quota[c + 1] - table.component_quota[c] > 1]  # fmt: skip
    places = np.concatenate([_span(table.component_start, table.component_rows, c) for c in joint])
    quotas = np.concatenate([np.arange(*table.component_quota[c : c + 2]) for c in joint])
    rows = places - segment.start
    out[rows] = minimise(cost[rows], layout.allowed[places], places, quotas, table)


def _span(start: NDArray[np.int64], values: NDArray[np.int64], c: int) -> NDArray[np.int64]:
    return values[start[c] : start[c + 1]]


def minimise(
    cost: Matrix,
    allowed: NDArray[np.bool_],
    places: NDArray[np.int64],
    quotas: NDArray[np.int64],
    tables: Tables,
) -> Matrix:
    """Minimise ⟨cost, Y⟩ over rows on the allowed simplex that meet `quotas`."""
    from scipy.optimize import linprog  # heavy, and rarely needed

    row, label = np.nonzero(allowed)
    variable = np.full(allowed.shape, -1)
    variable[row, label] = np.arange(row.size)
    demands = _demands(places, quotas, tables, variable, row.size)
    kind, bound = tables.kind[quotas], tables.bound[quotas]
    sums = csr_matrix((np.ones(row.size), (row, np.arange(row.size))),
                      shape=(cost.shape[0], row.size))  # fmt: skip
    equal = _stack([sums, demands[kind == EQUAL]])
    below = _stack([-demands[kind == AT_LEAST], demands[kind == AT_MOST]])
    limits = np.concatenate([-bound[kind == AT_LEAST], bound[kind == AT_MOST]])
    answer = linprog(
        cost[row, label],
        A_ub=below if below.shape[0] else None,
        b_ub=limits if below.shape[0] else None,
        A_eq=equal,
        b_eq=np.concatenate([np.ones(cost.shape[0]), bound[kind == EQUAL]]),
        bounds=(0, None),
        method="highs",
        options=PRECISE,
    )
    if answer.x is None:
        raise EngineError(f"the LP oracle found no assignment: {answer.message}")
    out = np.zeros_like(cost)
    out[row, label] = np.maximum(answer.x, 0.0)
    return out / out.sum(axis=1, keepdims=True)


def _stack(parts: list[csr_matrix]) -> csr_matrix:
    from scipy.sparse import vstack

    return vstack(parts, format="csr")


def _demands(
    places: NDArray[np.int64],
    quotas: NDArray[np.int64],
    tables: Tables,
    variable: NDArray[np.int64],
    size: int,
) -> csr_matrix:
    """One row a quota: its weights at its variables."""
    where = {int(place): index for index, place in enumerate(places)}
    demand, column, weight = [], [], []
    for index, quota in enumerate(quotas):
        for e in range(tables.entry_start[quota], tables.entry_start[quota + 1]):
            demand.append(index)
            column.append(variable[where[int(tables.entry_row[e])], tables.label[quota]])
            weight.append(tables.entry_weight[e])
    return csr_matrix((weight, (demand, column)), shape=(len(quotas), size))
