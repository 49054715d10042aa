"""The linear minimiser of a block: cheapest label a row, then one hard quota by exchange.

Soft quotas never appear here: their slack is minimised out, which leaves them in the objective.
Under one hard quota a vertex takes rows in the order of their price for a unit of the quota,
the last one in part. Components with several hard quotas go to the LP oracle.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from callsheet.optim.layout import Tables

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
AT_LEAST, AT_MOST, EQUAL = 0, 1, 2


@njit(cache=True, nogil=True)
def cheapest_labels(cost: Floats, allowed: Flags, out: Floats) -> None:
    """Put each row on its cheapest allowed label (the first of equals)."""
    for i in range(cost.shape[0]):
        best = -1
        for k in range(cost.shape[1]):
            out[i, k] = 0.0
            if allowed[i, k] and (best < 0 or cost[i, k] < cost[i, best]):
                best = k
        out[i, best] = 1.0


@njit(cache=True, nogil=True)
def meet_single_quotas(
    cost: Floats,
    allowed: Flags,
    out: Floats,
    offset: int,
    components: tuple[int, int],
    tables: Tables,
) -> None:
    """Exchange labels until the hard quotas that stand alone hold."""
    for component in range(components[0], components[1]):
        quota = tables.component_quota[component]
        if tables.component_quota[component + 1] - quota == 1:
            _meet(cost, allowed, out, offset, quota, tables)


@njit(cache=True, nogil=True)
def _meet(
    cost: Floats, allowed: Flags, out: Floats, offset: int, quota: int, tables: Tables
) -> None:
    start, end = tables.entry_start[quota], tables.entry_start[quota + 1]
    label = tables.label[quota]
    missing = tables.bound[quota]
    for e in range(start, end):
        missing -= tables.entry_weight[e] * out[tables.entry_row[e] - offset, label]
    kind = tables.kind[quota]
    if (
        missing == 0.0
        or (kind == AT_LEAST and missing < 0.0)
        or (kind == AT_MOST and missing > 0.0)
    ):
        return
    raising = missing > 0.0
    price = np.full(end - start, np.inf)
    other = np.empty(end - start, dtype=np.int64)
    for e in range(start, end):
        row = tables.entry_row[e] - offset
        other[e - start] = _best_other(cost[row], allowed[row], label)
        if (out[row, label] == 1.0) != raising:
            extra = abs(cost[row, label] - cost[row, other[e - start]])
            price[e - start] = extra / tables.entry_weight[e]
    for i in np.argsort(price, kind="mergesort"):
        if missing == 0.0 or price[i] == np.inf:
            break
        row = tables.entry_row[start + i] - offset
        weight = tables.entry_weight[start + i]
        share = min(1.0, abs(missing) / weight)
        out[row, label] = share if raising else 1.0 - share
        out[row, other[i]] = 1.0 - out[row, label]
        missing = 0.0 if share < 1.0 else missing - (weight if raising else -weight)


@njit(cache=True, nogil=True)
def _best_other(cost: Floats, allowed: Flags, label: int) -> int:
    best = -1
    for k in range(cost.size):
        if k != label and allowed[k] and (best < 0 or cost[k] < cost[best]):
            best = k
    return best


@njit(cache=True, nogil=True)
def add_slack_gradient(
    assignment: Floats,
    gradient: Floats,
    offset: int,
    quotas: tuple[int, int],
    tables: Tables,
) -> float:
    """Add the gradient of Σ price/2 ξ² to `gradient`; return the sum."""
    total = 0.0
    for quota in range(quotas[0], quotas[1]):
        price = tables.price[quota]
        if price == np.inf:
            continue
        miss = signed_miss(assignment, offset, quota, tables)
        if miss == 0.0:
            continue
        total += 0.5 * price * miss * miss
        for e in range(tables.entry_start[quota], tables.entry_start[quota + 1]):
            row = tables.entry_row[e] - offset
            gradient[row, tables.label[quota]] -= price * miss * tables.entry_weight[e]
    return total


@njit(cache=True, nogil=True)
def slack_cost(assignment: Floats, offset: int, quotas: tuple[int, int], tables: Tables) -> float:
    """Return Σ price/2 ξ² of the soft quotas."""
    total = 0.0
    for quota in range(quotas[0], quotas[1]):
        if tables.price[quota] != np.inf:
            miss = signed_miss(assignment, offset, quota, tables)
            total += 0.5 * tables.price[quota] * miss * miss
    return total


@njit(cache=True, nogil=True)
def signed_miss(assignment: Floats, offset: int, quota: int, tables: Tables) -> float:
    """Return bound − amount where the quota is missed, 0 where it holds."""
    amount = 0.0
    for e in range(tables.entry_start[quota], tables.entry_start[quota + 1]):
        row = tables.entry_row[e] - offset
        amount += tables.entry_weight[e] * assignment[row, tables.label[quota]]
    miss: float = tables.bound[quota] - amount
    if tables.kind[quota] == AT_LEAST:
        return max(miss, 0.0)
    if tables.kind[quota] == AT_MOST:
        return min(miss, 0.0)
    return miss
