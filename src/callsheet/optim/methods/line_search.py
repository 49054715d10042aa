"""Exact step sizes: the least value of the objective on a segment of assignments.

Along Y + γD, 0 <= γ <= 1, the objective is a parabola plus, for every soft quota, price/2 times
the squared miss, which is a parabola on one side of its kink and 0 on the other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from callsheet.optim.layout import AT_LEAST, AT_MOST, EQUAL, Tables

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SoftQuotas:
    """Excess over the bound of each soft quota now, and its change for a full step."""

    kind: NDArray[np.int64]
    price: Floats
    excess: Floats
    change: Floats

    @classmethod
    def variables(cls, table: Tables, mine: slice, xi: Floats, change: Floats) -> SoftQuotas:
        """Slack variables ξ as quotas of their own: Σ price/2 ξ², a parabola throughout."""
        soft = np.isfinite(table.price[mine])
        kind = np.full(int(soft.sum()), EQUAL)
        return cls(kind, table.price[mine][soft], xi[soft], change[soft])

    def missing(self) -> Floats:
        """ξ now: how far each quota is missed."""
        below, above = np.maximum(-self.excess, 0.0), np.maximum(self.excess, 0.0)
        return np.where(self.kind == AT_LEAST, below,
                        np.where(self.kind == AT_MOST, above, np.abs(self.excess)))  # fmt: skip

    def slope(self, step: float) -> float:
        """Derivative of Σ price/2 ξ² after a step."""
        excess = self.excess + step * self.change
        below, above = np.minimum(excess, 0.0), np.maximum(excess, 0.0)
        missed = np.where(self.kind == AT_LEAST, below, above)
        missed = np.where(self.kind == EQUAL, excess, missed)
        return float(np.sum(self.price * missed * self.change))


def soft_quotas(
    rows: Floats, direction: Floats, offset: int, quotas: tuple[int, int], tables: Tables
) -> SoftQuotas:
    """Collect the soft quotas of a range; `rows` and `direction` begin at place `offset`."""
    span = slice(*quotas)
    soft = np.isfinite(tables.price[span])
    amount = _amounts(rows, offset, quotas, tables)
    change = _amounts(direction, offset, quotas, tables)
    return SoftQuotas(tables.kind[span][soft], tables.price[span][soft],
                      (amount - tables.bound[span])[soft], change[soft])  # fmt: skip


@njit(cache=True, nogil=True)
def _amounts(rows: Floats, offset: int, quotas: tuple[int, int], tables: Tables) -> Floats:
    amounts = np.zeros(quotas[1] - quotas[0])
    for quota in range(quotas[0], quotas[1]):
        for e in range(tables.entry_start[quota], tables.entry_start[quota + 1]):
            row = tables.entry_row[e] - offset
            amounts[quota - quotas[0]] += tables.entry_weight[e] * rows[row, tables.label[quota]]
    return amounts


def best_step(slope: float, bend: float, soft: SoftQuotas) -> float:
    """Return the γ in [0, 1] of least slope · γ + bend/2 · γ² + Σ price/2 ξ(γ)².

    `slope` is that of all but the slack. The derivative rises with γ: halve, then take the
    root of its last straight piece.
    """

    def derivative(step: float) -> float:
        return slope + bend * step + soft.slope(step)

    low, high = 0.0, 1.0
    at_low, at_high = derivative(low), derivative(high)
    if at_low >= 0.0:
        return 0.0
    if at_high <= 0.0:
        return 1.0
    for _ in range(100):
        step = low - at_low * (high - low) / (at_high - at_low)
        middle = step if min(step - low, high - step) > 0.01 * (high - low) else 0.5 * (low + high)
        at_middle = derivative(middle)
        if abs(at_middle) <= 1e-14 * abs(slope) or high - low < 1e-15:
            return middle
        if at_middle < 0.0:
            low, at_low = middle, at_middle
        else:
            high, at_high = middle, at_middle
    return 0.5 * (low + high)
