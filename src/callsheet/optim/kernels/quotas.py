"""The nearest point of a block: simplex rows under quotas, one multiplier a quota.

With multipliers μ the rows come apart: row n is the simplex projection of its point c_n raised
by σ_q μ_q w_qn at the label of each quota q it is in (σ = 1 for at least and equal, −1 for at
most). What is left is concave maximisation over μ (μ >= 0, free for equal) with gradient
σ_q (bound_q − s_q) − μ_q / price_q: for one quota the root of a monotone piecewise linear
function, for several a semismooth Newton method whose steps come from conjugate gradients.
Both end at the exact face after finitely many steps; warm multipliers make those few.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from callsheet.optim.kernels.simplex import project_row, threshold_without
from callsheet.optim.layout import Tables

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
AT_MOST, EQUAL = 1, 2
EXACT = 1e-13
MOST_STEPS = 100


@njit(cache=True, nogil=True)
def project_rows(
    points: Floats, allowed: Flags, out: Floats, offset: int, row_start: NDArray[np.int64]
) -> None:
    """Project the rows that are in no quota; row i of `points` is place offset + i."""
    for i in range(points.shape[0]):
        if row_start[offset + i] == row_start[offset + i + 1]:
            project_row(points[i], allowed[i], out[i])


@njit(cache=True, nogil=True)
def project_components(
    points: Floats,
    allowed: Flags,
    out: Floats,
    offset: int,
    components: tuple[int, int],
    tables: Tables,
    multipliers: Floats,
) -> float:
    """Project the rows of a range of components; return the largest residual left, relative to
    the bounds."""
    worst = 0.0
    for component in range(components[0], components[1]):
        first = tables.component_quota[component]
        last = tables.component_quota[component + 1]
        if last - first == 1:
            left = _one_quota(points, allowed, out, offset, first, tables, multipliers)
        else:
            left = _several_quotas(points, allowed, out, offset, component, tables, multipliers)
        worst = max(worst, left)
    return worst


@njit(cache=True, nogil=True)
def _one_quota(
    points: Floats,
    allowed: Flags,
    out: Floats,
    offset: int,
    quota: int,
    tables: Tables,
    multipliers: Floats,
) -> float:
    """Find the root of h(μ) = σ (s(μ) − bound) + μ / price, which rises with μ."""
    start, end = tables.entry_start[quota], tables.entry_start[quota + 1]
    label, kind = tables.label[quota], tables.kind[quota]
    sign = -1.0 if kind == AT_MOST else 1.0
    opens = np.empty(end - start)
    fills = np.empty(end - start)
    for e in range(start, end):
        row = tables.entry_row[e] - offset
        threshold, top = threshold_without(points[row], allowed[row], label)
        opens[e - start] = threshold - points[row, label]
        fills[e - start] = top + 1.0 - points[row, label]
    rise = 1.0 / tables.price[quota]
    bound = tables.bound[quota]
    exact = EXACT * max(1.0, abs(bound))
    low = -np.inf if kind == EQUAL else 0.0
    high = np.inf
    mu = multipliers[quota] if kind == EQUAL else max(multipliers[quota], 0.0)
    h = 0.0
    for step in range(200):
        amount, slope = _amount(points, allowed, offset, quota, sign * mu, tables, opens, fills)
        h = sign * (amount - bound) + mu * rise
        slope += rise
        if abs(h) <= exact or (mu == 0.0 and h >= 0.0 and kind != EQUAL):
            break
        if h < 0.0:
            low = mu
        else:
            high = mu
        mu = _next(mu, h, slope, low, high, step)
        if mu in (low, high):
            if mu == 0.0 and low == 0.0 and high > 0.0 and h > 0.0:
                continue
            break
    multipliers[quota] = mu
    for e in range(start, end):
        row = tables.entry_row[e] - offset
        _raised(points[row], allowed[row], out[row], label, sign * mu * tables.entry_weight[e])
    return 0.0 if (mu == 0.0 and h >= 0.0 and kind != EQUAL) else abs(h) / max(1.0, abs(bound))


@njit(cache=True, nogil=True)
def _next(mu: float, h: float, slope: float, low: float, high: float, step: int) -> float:
    """Newton where it stays in the bracket and is not slow, otherwise widen or halve."""
    if slope > 0.0:
        newton = mu - h / slope
        if low < newton < high and step < 60:
            return newton
        if newton <= low and low == 0.0 and step < 60:
            return 0.0
    if low == -np.inf:
        return mu - 2.0 * max(1.0, abs(mu))
    if high == np.inf:
        return mu + 2.0 * max(1.0, abs(mu))
    return 0.5 * (low + high)


@njit(cache=True, nogil=True)
def _amount(
    points: Floats,
    allowed: Flags,
    offset: int,
    quota: int,
    push: float,
    tables: Tables,
    opens: Floats,
    fills: Floats,
) -> tuple[float, float]:
    """Return the amount s and its slope when every row's label is raised by push · w."""
    label = tables.label[quota]
    start = tables.entry_start[quota]
    amount = 0.0
    slope = 0.0
    scratch = np.empty(points.shape[1])
    for e in range(start, tables.entry_start[quota + 1]):
        weight = tables.entry_weight[e]
        lift = push * weight
        if lift <= opens[e - start]:
            continue
        if lift >= fills[e - start]:
            amount += weight
            continue
        row = tables.entry_row[e] - offset
        support = _raised(points[row], allowed[row], scratch, label, lift)
        amount += weight * scratch[label]
        slope += weight * weight * (1.0 - 1.0 / support)
    return amount, slope


@njit(cache=True, nogil=True)
def _raised(point: Floats, allowed: Flags, out: Floats, label: int, lift: float) -> int:
    """Project a row with one entry raised (the point is put back as it was)."""
    kept = point[label]
    point[label] = kept + lift
    support: int = project_row(point, allowed, out)
    point[label] = kept
    return support


@njit(cache=True, nogil=True)
def _several_quotas(
    points: Floats,
    allowed: Flags,
    out: Floats,
    offset: int,
    component: int,
    tables: Tables,
    multipliers: Floats,
) -> float:
    """Semismooth Newton on the multipliers of one component, with a line search."""
    first = tables.component_quota[component]
    mu = multipliers[first : tables.component_quota[component + 1]]
    signs = np.where(tables.kind[first : first + mu.size] == AT_MOST, -1.0, 1.0)
    free = tables.kind[first : first + mu.size] == EQUAL
    for q in range(mu.size):
        if not free[q] and mu[q] < 0.0:
            mu[q] = 0.0
    trial = mu.copy()
    gradient = np.empty(mu.size)
    value = _dual(points, allowed, out, offset, component, tables, signs, mu, gradient)
    left = _residual(mu, gradient, free, tables, first)
    damping = 1e-10
    for _ in range(MOST_STEPS):
        if left <= 1.0:
            break
        moves = free | (mu > 0.0) | (gradient > 0.0)
        direction = newton_step(out, offset, component, tables, signs, gradient, moves, damping)
        step = 1.0
        accepted = False
        for _halving in range(60):
            gain = 0.0
            for q in range(mu.size):
                moved = mu[q] + step * direction[q]
                trial[q] = moved if free[q] else max(moved, 0.0)
                gain += gradient[q] * (trial[q] - mu[q])
            new_gradient = np.empty(mu.size)
            new = _dual(points, allowed, out, offset, component, tables, signs, trial, new_gradient)
            new_left = _residual(trial, new_gradient, free, tables, first)
            rounding = 1e-14 * (1.0 + abs(value))
            if new >= value + 1e-4 * gain - rounding and (gain > rounding or new_left < left):
                accepted = True
                break
            step *= 0.5
        if not accepted:
            if damping > 1e6:
                break
            damping = max(damping * 100.0, 1e-10)
            continue
        damping = max(damping * 0.1, 1e-10)
        mu[:] = trial
        gradient[:] = new_gradient
        value = new
        left = new_left
    _dual(points, allowed, out, offset, component, tables, signs, mu, gradient)
    return EXACT * float(_residual(mu, gradient, free, tables, first))


@njit(cache=True, nogil=True)
def _residual(mu: Floats, gradient: Floats, free: Flags, tables: Tables, first: int) -> float:
    """Largest violation of optimality, in units of what counts as exact."""
    worst: float = 0.0
    for q in range(mu.size):
        miss = abs(gradient[q]) if free[q] or mu[q] > 0.0 else max(gradient[q], 0.0)
        worst = max(worst, miss / (EXACT * max(1.0, abs(tables.bound[first + q])) * 8.0))
    return worst


@njit(cache=True, nogil=True)
def _dual(
    points: Floats,
    allowed: Flags,
    out: Floats,
    offset: int,
    component: int,
    tables: Tables,
    signs: Floats,
    mu: Floats,
    gradient: Floats,
) -> float:
    """Project the rows for μ; write the dual's gradient and return its value."""
    first = tables.component_quota[component]
    value = 0.0
    for q in range(mu.size):
        value += signs[q] * mu[q] * tables.bound[first + q]
        value -= 0.5 * mu[q] * mu[q] / tables.price[first + q]
        gradient[q] = signs[q] * tables.bound[first + q] - mu[q] / tables.price[first + q]
    raised = np.empty(points.shape[1])
    start, end = tables.component_start[component], tables.component_start[component + 1]
    for place in tables.component_rows[start:end]:
        row = place - offset
        raised[:] = points[row]
        for e in range(tables.row_start[place], tables.row_start[place + 1]):
            q = tables.row_quota[e] - first
            raised[tables.label[first + q]] += signs[q] * mu[q] * tables.row_weight[e]
        project_row(raised, allowed[row], out[row])
        for k in range(raised.size):
            value += 0.5 * (out[row, k] - points[row, k]) ** 2
        for e in range(tables.row_start[place], tables.row_start[place + 1]):
            q = tables.row_quota[e] - first
            amount = tables.row_weight[e] * out[row, tables.label[first + q]]
            gradient[q] -= signs[q] * amount
            value -= signs[q] * mu[q] * amount
    return value


@njit(cache=True, nogil=True)
def newton_step(
    out: Floats,
    offset: int,
    component: int,
    tables: Tables,
    signs: Floats,
    gradient: Floats,
    moves: Flags,
    damping: float,
) -> Floats:
    """Solve (H + damping) p = gradient over the quotas that move, by conjugate gradients."""
    diagonal = _diagonal(out, offset, component, tables) + damping
    residual = np.where(moves, gradient, 0.0)
    step = np.zeros(gradient.size)
    scaled = residual / diagonal
    direction = scaled.copy()
    rho = np.sum(residual * scaled)
    goal = 1e-26 * rho
    for _ in range(2 * gradient.size + 20):
        if rho <= goal or rho == 0.0:
            break
        image = _curvature(out, offset, component, tables, signs, direction)
        image = np.where(moves, image + damping * direction, 0.0)
        bend = np.sum(direction * image)
        if bend <= 0.0:
            break
        step += (rho / bend) * direction
        residual -= (rho / bend) * image
        scaled = residual / diagonal
        new_rho = np.sum(residual * scaled)
        direction = scaled + (new_rho / rho) * direction
        rho = new_rho
    return step


@njit(cache=True, nogil=True)
def _support(row: Floats) -> int:
    count = 0
    for k in range(row.size):
        if row[k] > 0.0:
            count += 1
    return count


@njit(cache=True, nogil=True)
def _diagonal(out: Floats, offset: int, component: int, tables: Tables) -> Floats:
    first = tables.component_quota[component]
    last = tables.component_quota[component + 1]
    diagonal = 1.0 / tables.price[first:last]
    start, end = tables.component_start[component], tables.component_start[component + 1]
    for place in tables.component_rows[start:end]:
        share = 1.0 - 1.0 / _support(out[place - offset])
        for e in range(tables.row_start[place], tables.row_start[place + 1]):
            q = tables.row_quota[e]
            if out[place - offset, tables.label[q]] > 0.0:
                diagonal[q - first] += share * tables.row_weight[e] ** 2
    return diagonal


@njit(cache=True, nogil=True)
def _curvature(
    out: Floats, offset: int, component: int, tables: Tables, signs: Floats, vector: Floats
) -> Floats:
    """Multiply by minus the dual's generalised Hessian, rows' supports held."""
    first = tables.component_quota[component]
    image = vector / tables.price[first : first + vector.size]
    lift = np.zeros(out.shape[1])
    start, end = tables.component_start[component], tables.component_start[component + 1]
    for place in tables.component_rows[start:end]:
        row = out[place - offset]
        for e in range(tables.row_start[place], tables.row_start[place + 1]):
            q = tables.row_quota[e]
            if row[tables.label[q]] > 0.0:
                lift[tables.label[q]] += signs[q - first] * vector[q - first] * tables.row_weight[e]
        mean = np.sum(lift) / _support(row)
        for e in range(tables.row_start[place], tables.row_start[place + 1]):
            q = tables.row_quota[e]
            if row[tables.label[q]] > 0.0:
                pull = lift[tables.label[q]] - mean
                image[q - first] += signs[q - first] * tables.row_weight[e] * pull
        for e in range(tables.row_start[place], tables.row_start[place + 1]):
            lift[tables.label[tables.row_quota[e]]] = 0.0
    return image
