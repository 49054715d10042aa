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
    numbers = _numbers(rows, what)
    if numbers.size and numbers.min() < 0:
        raise EngineError(f"{what}: row numbers must not be negative, got {numbers.min()}")
    if np.unique(numbers).size != numbers.size:
        seen, counts = np.unique(numbers, return_counts=True)
        raise EngineError(f"{what}: row {seen[counts > 1][0]} is listed twice")
    return numbers


def _numbers(rows: Rows, what: str) -> IntArray:
    if isinstance(rows, slice):
        if rows.stop is None or rows.stop < 0 or (rows.start or 0) < 0:
            raise EngineError(f"{what}: a slice needs its end and no negative row, got {rows}")
        return np.arange(rows.start or 0, rows.stop, rows.step or 1, dtype=np.int64)
    given = np.asarray(rows if isinstance(rows, np.ndarray | range) else list(rows))
    if given.ndim != 1:
        raise EngineError(f"{what}: rows must be one-dimensional, got shape {given.shape}")
    if given.dtype == np.bool_:
        return np.flatnonzero(given).astype(np.int64)
    if given.size and not np.issubdtype(given.dtype, np.integer):
        raise EngineError(f"{what}: rows must be whole numbers, got {given.dtype}")
    return given.astype(np.int64)


def is_number(value: Any) -> bool:
    """Whether this is a finite real number (and no truth value)."""
    real = isinstance(value, int | float | np.integer | np.floating)
    return real and not isinstance(value, bool) and math.isfinite(value)


def listing(rows: IntArray, *, most: int = 8) -> str:
    """Write a few row numbers for an error."""
    if not rows.size:
        return "no rows"
    shown = ", ".join(str(row) for row in rows[:most])
    return f"rows {shown}" + (f", ... ({rows.size} rows)" if rows.size > most else "")
