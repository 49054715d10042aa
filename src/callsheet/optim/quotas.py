"""Quotas: linear demands on how much of a label some rows carry.

For a quota with rows n, weights w and label k, its amount is s(Y) = Σ_n w_n Y_nk. Hard quotas
(slack None) hold exactly; a soft one costs slack/2 · ξ² on the scale of the objective, where ξ
is how far its amount misses the bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from callsheet.errors import EngineError
from callsheet.optim.rows import (
    IntArray,
    Rows,
    as_numbers,
    is_number,
    is_whole,
    listing,
    parse_rows,
)


@dataclass(frozen=True, slots=True, eq=False)
class Quota:
    """Use `AtLeast`, `AtMost` or `Equal`.

    `rows` are row numbers of the problem, `weights` (default 1) one number >= 0 a row,
    `slack` the price of missing the bound (None: the quota is hard).
    """

    rows: Rows
    label: int
    bound: float
    slack: float | None = None
    weights: ArrayLike | None = None
    mask_size: int | None = field(init=False, repr=False)
    """How long `rows` was, if it was a mask."""

    kind: ClassVar[int] = 0

    def __post_init__(self) -> None:
        name = type(self).__name__
        rows, size = parse_rows(self.rows, f"{name} of label {self.label}")
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "mask_size", size)
        object.__setattr__(self, "weights", _weights(self.weights, rows.size, name))
        object.__setattr__(self, "label", _label(self.label, name))
        if not is_number(self.bound):
            raise EngineError(f"{name}: bound must be a finite number, got {self.bound}")
        if self.slack is not None and not (is_number(self.slack) and self.slack > 0):
            raise EngineError(f"{name}: slack must be positive (None: hard), got {self.slack}")

    def __str__(self) -> str:
        return f"{type(self).__name__}(label={self.label}, bound={self.bound:g}, {self._listing()})"

    def _listing(self) -> str:
        return listing(quota_rows(self))


class AtLeast(Quota):
    """Σ_n w_n Y_nk >= bound (− ξ when soft)."""

    __slots__ = ()
    kind: ClassVar[int] = 0


class AtMost(Quota):
    """Σ_n w_n Y_nk <= bound (+ ξ when soft)."""

    __slots__ = ()
    kind: ClassVar[int] = 1


class Equal(Quota):
    """Σ_n w_n Y_nk = bound (± ξ when soft)."""

    __slots__ = ()
    kind: ClassVar[int] = 2


def quota_rows(quota: Quota) -> IntArray:
    """Rows as the array that validation made of them."""
    rows: Any = quota.rows
    checked: IntArray = rows
    return checked


def quota_weights(quota: Quota) -> NDArray[np.float64]:
    """Weights as the array that validation made of them."""
    weights: Any = quota.weights
    checked: NDArray[np.float64] = weights
    return checked


def _weights(weights: ArrayLike | None, n_rows: int, name: str) -> NDArray[np.float64]:
    if weights is None:
        return np.ones(n_rows)
    given = as_numbers(weights, f"{name}: weights")
    if given.shape != (n_rows,):
        raise EngineError(f"{name}: needs one weight a row ({n_rows}), got shape {given.shape}")
    if not np.isfinite(given).all() or (given < 0).any():
        raise EngineError(f"{name}: weights must be finite and not negative")
    return given


def _label(label: int, name: str) -> int:
    if not is_whole(label):
        raise EngineError(f"{name}: label must be a whole number, got {label!r}")
    return int(label)
