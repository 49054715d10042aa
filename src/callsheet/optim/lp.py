"""The general linear oracle: any quotas, by HiGHS. The fallback, and the reference in tests."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack, identity, vstack

from callsheet.errors import EngineError
from callsheet.optim.layout import AT_LEAST, AT_MOST, EQUAL, Layout, Tables
from callsheet.optim.segments import Segment

Matrix = NDArray[np.float64]
PRECISE = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
INFEASIBLE = 2


class InfeasibleError(EngineError):
    """No assignment meets the quotas."""


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
    return _solve(cost, allowed, places, quotas, tables, np.zeros(0))[0]


def minimise_with_slack(
    cost: Matrix, layout: Layout, segment: Segment, xi: NDArray[np.float64]
) -> tuple[Matrix, NDArray[np.float64]]:
    """Minimise ⟨cost, Y⟩ + Σ price ξ ζ over Y and slack variables ζ, all quotas in the program.

    The linear oracle of the authors' form, where ξ is part of the iterate. Return Y and ζ.
    """
    table = layout.every
    quotas = np.arange(*segment.quotas)
    soft = np.isfinite(table.price[quotas])
    places = np.arange(segment.start, segment.stop)
    prices = table.price[quotas[soft]] * xi[quotas[soft]]
    rows, zeta = _solve(cost, layout.allowed[places], places, quotas, table, prices)
    slack = np.zeros(quotas.size)
    slack[soft] = zeta
    return rows, slack


def restore(
    rows: Matrix, layout: Layout, places: NDArray[np.int64], quotas: NDArray[np.int64]
) -> Matrix:
    """Return the assignment that meets the hard `quotas` and differs least from `rows`, summed.

    The variables are the entries, and how far each ends above and below `rows`.
    """
    allowed, table = layout.allowed[places], layout.every
    hard = quotas[np.isinf(table.price[quotas])]
    row, label = np.nonzero(allowed)
    size = row.size
    variable = np.full(allowed.shape, -1)
    variable[row, label] = np.arange(size)
    demand = demands(places, hard, table, variable, size)
    sums = csr_matrix((np.ones(size), (row, np.arange(size))), shape=(len(rows), size))
    kind, bound = table.kind[hard], table.bound[hard]
    low, high, exact = kind == AT_LEAST, kind == AT_MOST, kind == EQUAL
    below = vstack([-demand[low], demand[high]])
    equal = vstack([hstack([sums, csr_matrix((len(rows), 2 * size))]),
                    hstack([demand[exact], csr_matrix((int(exact.sum()), 2 * size))]),
                    hstack([identity(size), -identity(size), identity(size)])])  # fmt: skip
    answer = _call(
        np.repeat([0.0, 1.0, 1.0], size),
        hstack([below, csr_matrix((below.shape[0], 2 * size))]),
        np.concatenate([-bound[low], bound[high]]),
        equal,
        np.concatenate([np.ones(len(rows)), bound[exact], rows[row, label]]),
    )
    out = np.zeros_like(rows)
    out[row, label] = np.maximum(answer[:size], 0.0)
    restored: Matrix = out / out.sum(axis=1, keepdims=True)
    return restored


def _solve(
    cost: Matrix,
    allowed: NDArray[np.bool_],
    places: NDArray[np.int64],
    quotas: NDArray[np.int64],
    tables: Tables,
    prices: NDArray[np.float64],
) -> tuple[Matrix, NDArray[np.float64]]:
    """Write the program for HiGHS; slack columns (one a soft quota) exist if they have prices."""
    row, label = np.nonzero(allowed)
    n_slack = prices.size
    variable = np.full(allowed.shape, -1)
    variable[row, label] = np.arange(row.size)
    demand = demands(places, quotas, tables, variable, row.size)
    soft = np.flatnonzero(np.isfinite(tables.price[quotas])) if n_slack else np.zeros(0, np.int64)
    relief = csr_matrix((np.ones(soft.size), (soft, np.arange(soft.size))),
                        shape=(quotas.size, n_slack))  # fmt: skip
    kind, bound = tables.kind[quotas], tables.bound[quotas]
    sums = csr_matrix((np.ones(row.size), (row, np.arange(row.size))),
                      shape=(cost.shape[0], row.size + n_slack))  # fmt: skip
    # A soft equality is two inequalities; a hard one stays what it is.
    is_soft = np.isin(np.arange(quotas.size), soft)
    low = (kind == AT_LEAST) | ((kind == EQUAL) & is_soft)
    high = (kind == AT_MOST) | ((kind == EQUAL) & is_soft)
    exact = (kind == EQUAL) & ~is_soft
    below = vstack([hstack([-demand[low], -relief[low]]), hstack([demand[high], -relief[high]])])
    equal = vstack([sums, hstack([demand[exact], relief[exact]])])
    answer = _call(
        np.concatenate([cost[row, label], prices]),
        below,
        np.concatenate([-bound[low], bound[high]]),
        equal,
        np.concatenate([np.ones(cost.shape[0]), bound[exact]]),
    )
    out = np.zeros_like(cost)
    out[row, label] = np.maximum(answer[: row.size], 0.0)
    return out / out.sum(axis=1, keepdims=True), answer[row.size :]


def _call(
    price: NDArray[np.float64],
    below: csr_matrix,
    below_to: NDArray[np.float64],
    equal: csr_matrix,
    equal_to: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Minimise ⟨price, x⟩, x >= 0, by HiGHS; it measures reduced costs absolutely, so bring the
    prices to the size it expects."""
    from scipy.optimize import linprog  # heavy, and rarely needed

    answer = linprog(
        price / max(float(np.abs(price).max(initial=0.0)), 1e-300),
        A_ub=below if below.shape[0] else None,
        b_ub=below_to if below.shape[0] else None,
        A_eq=equal,
        b_eq=equal_to,
        bounds=(0, None),
        method="highs",
        options=PRECISE,
    )
    if answer.status == INFEASIBLE:
        raise InfeasibleError(f"the LP oracle found no assignment: {answer.message}")
    if answer.x is None:
        raise EngineError(f"the LP oracle failed: {answer.message}")
    found: NDArray[np.float64] = answer.x
    return found


def demands(
    places: NDArray[np.int64],
    quotas: NDArray[np.int64],
    tables: Tables,
    variable: NDArray[np.int64],
    size: int,
) -> csr_matrix:
    """One row a quota: its weights at its variables."""
    first, last = tables.entry_start[quotas], tables.entry_start[quotas + 1]
    number = np.repeat(np.arange(quotas.size), last - first)
    # The entries of a quota lie next to each other: count on from its first one.
    begins = np.cumsum(last - first) - (last - first)
    entry = np.arange(number.size) + np.repeat(first - begins, last - first)
    sorter = np.argsort(places)
    row = sorter[np.searchsorted(places, tables.entry_row[entry], sorter=sorter)]
    column = variable[row, tables.label[quotas[number]]]
    return csr_matrix((tables.entry_weight[entry], (number, column)), shape=(quotas.size, size))
