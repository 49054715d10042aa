"""Row sets, as people write them: a slice, a boolean mask, a range, a list of numbers.

Row numbers are always those of the problem (never counted within a block).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import EngineError

Rows: TypeAlias = "slice | range | NDArray[np.bool_] | NDArray[np.integer] | Iterable[int]"
IntArray: TypeAlias = NDArray[np.int64]


def as_rows(rows: Rows, what: str) -> IntArray:
    """Turn a row set into int64 row numbers; `what` names it in errors."""
    return parse_rows(rows, what)[0]


def parse_rows(rows: Rows, what: str) -> tuple[IntArray, int | None]:
    """Row numbers, and how long the mask was if they were told by one."""
    numbers, mask_size = _numbers(rows, what)
    if numbers.size and numbers.min() < 0:
        raise EngineError(f"{what}: row numbers must not be negative, got {numbers.min()}")
    if np.unique(numbers).size != numbers.size:
        seen, counts = np.unique(numbers, return_counts=True)
        raise EngineError(f"{what}: row {seen[counts > 1][0]} is listed twice")
    return numbers, mask_size


def check_mask(size: int | None, n_rows: int, what: str) -> None:
    """Refuse a mask that does not say yes or no to every row of the problem."""
    if size is not None and size != n_rows:
        raise EngineError(f"{what}: a boolean mask of rows must have one value a row of the"
                          f" problem ({n_rows}), got {size}")  # fmt: skip


def _numbers(rows: Rows, what: str) -> tuple[IntArray, int | None]:
    if isinstance(rows, slice):
        return _slice(rows, what), None
    if not isinstance(rows, Iterable):
        raise EngineError(f"{what}: rows must be a slice, a mask or a list of row numbers,"
                          f" got {rows!r}")  # fmt: skip
    given = np.asarray(rows if isinstance(rows, np.ndarray | range) else list(rows))
    if given.ndim != 1:
        raise EngineError(f"{what}: rows must be one-dimensional, got shape {given.shape}")
    if given.dtype == np.bool_:
        return np.flatnonzero(given).astype(np.int64), given.size
    if given.size and not np.issubdtype(given.dtype, np.integer):
        raise EngineError(f"{what}: rows must be whole numbers, got {given.dtype}")
    return given.astype(np.int64), None


def _slice(rows: slice, what: str) -> IntArray:
    parts = [part for part in (rows.start, rows.stop, rows.step) if part is not None]
    if not all(map(is_whole, parts)):
        raise EngineError(f"{what}: a slice is made of whole numbers, got {rows}")
    start, step = rows.start or 0, 1 if rows.step is None else rows.step
    if rows.stop is None or rows.stop < 0 or start < 0:
        raise EngineError(f"{what}: a slice needs its end and no negative row, got {rows}")
    if step < 1 or rows.stop < start:
        raise EngineError(
            f"{what}: a slice must run upwards, from its start to its end, got {rows}"
        )
    return np.arange(start, rows.stop, step, dtype=np.int64)


def is_number(value: Any) -> bool:
    """Whether this is a finite real number (and no truth value)."""
    real = isinstance(value, int | float | np.integer | np.floating)
    return real and not isinstance(value, bool) and math.isfinite(value)


def is_whole(value: Any) -> bool:
    """Whether this is a whole number (and no truth value)."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def as_numbers(given: Any, what: str) -> NDArray[np.float64]:
    """Numbers in float64, or one sentence about what they are instead."""
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise EngineError(f"{what} must be numbers, got {repr(given)[:60]}") from None


def listing(rows: IntArray, *, most: int = 8) -> str:
    """Write a few row numbers for an error."""
    if not rows.size:
        return "no rows"
    shown = ", ".join(str(row) for row in rows[:most])
    return f"rows {shown}" + (f", ... ({rows.size} rows)" if rows.size > most else "")
