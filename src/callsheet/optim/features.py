"""Where features come from: arrays, memory-mapped arrays, CSR matrices, row-range sources.

A source is anything with `shape` and slicing, `source[start:stop]` -> rows (an HDF5 or Zarr
array, or a class of your own). Tiles of rows are read in the visiting order; only what is in
memory already is checked for NaN and infinity at once, the rest when it is first read.
"""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, issparse

from callsheet.errors import EngineError
from callsheet.optim.kernels.half import widen
from callsheet.optim.rows import IntArray

Tile: TypeAlias = "NDArray[np.float32] | NDArray[np.float64] | csr_matrix"


@runtime_checkable
class RowSource(Protocol):
    """Rows on demand."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and columns."""

    def __getitem__(self, rows: slice, /) -> Any:
        """Return the rows of a slice as an array."""


Features: TypeAlias = "NDArray[Any] | csr_matrix | RowSource"


def check_features(features: Any) -> Features:
    """Refuse what is no matrix; find NaN and infinity in what is in memory."""
    if issparse(features):
        _check_kind(features)
        features = csr_matrix(features)
        _check_sparse(features)
    elif not isinstance(features, np.ndarray) and not isinstance(features, RowSource):
        features = _as_array(features)
    shape = tuple(features.shape)
    if len(shape) != 2 or 0 in shape:
        raise EngineError(f"features must be a matrix with rows and columns, got shape {shape}")
    if isinstance(features, np.ma.MaskedArray):
        raise EngineError("features must have a number everywhere, got a masked array; fill it")
    if isinstance(features, np.ndarray):
        _check_kind(features)
        if not is_mapped(features):
            _check_array(features)
    return features


def _as_array(features: Any) -> NDArray[Any]:
    try:
        return np.asarray(features)
    except ValueError:
        raise EngineError("features must be a matrix, got rows of several lengths") from None


def _check_kind(features: Any) -> None:
    if features.dtype.kind not in "fiub":
        raise EngineError(f"features must be real numbers, got {features.dtype}")


def is_mapped(features: Any) -> bool:
    """Whether an array is backed by a file."""
    while isinstance(features, np.ndarray):
        if isinstance(features, np.memmap):
            return True
        features = features.base
    return False


def storage(features: Features) -> np.dtype[Any]:
    """float64 for what needs it, float32 for float32 and float16."""
    given = np.dtype(getattr(features, "dtype", np.float64))
    return np.dtype(np.float32 if given in (np.float16, np.float32) else np.float64)


def read_rows(features: Any, rows: IntArray, dtype: np.dtype[Any]) -> Tile:
    """Read rows as a contiguous tile of `dtype`, sharing memory where that is possible."""
    start, stop = int(rows[0]), int(rows[-1]) + 1
    if stop - start == rows.size and (rows.size == 1 or (np.diff(rows) == 1).all()):
        return _as_tile(_range(features, start, stop), dtype)
    if isinstance(features, np.ndarray) or issparse(features):
        return _as_tile(features[rows], dtype)
    return _as_tile(np.concatenate(_runs(features, rows)), dtype)


def _runs(source: RowSource, rows: IntArray) -> list[NDArray[Any]]:
    breaks = np.flatnonzero(np.diff(rows) != 1) + 1
    return [_range(source, int(piece[0]), int(piece[-1]) + 1) for piece in np.split(rows, breaks)]


def _range(source: Any, start: int, stop: int) -> Any:
    """Read a row range; what a source from outside returns is checked."""
    rows = source[start:stop]
    if issparse(rows) or isinstance(source, np.ndarray):
        return rows
    rows = np.asarray(rows)
    if rows.shape != (stop - start, source.shape[1]) or rows.dtype.kind not in "fiub":
        raise EngineError(f"features[{start}:{stop}] must be {stop - start} rows of"
                          f" {source.shape[1]} real numbers, got {rows.dtype} of shape"
                          f" {rows.shape}")  # fmt: skip
    return rows


def _as_tile(rows: Any, dtype: np.dtype[Any]) -> Tile:
    if issparse(rows):
        return rows.astype(dtype, copy=False)
    if isinstance(rows, np.ndarray) and rows.dtype == np.float16:
        rows = widen(rows)
    return np.ascontiguousarray(rows, dtype=dtype)


def check_tile(tile: Any, rows: IntArray) -> None:
    """Refuse NaN and infinity in a tile read from outside."""
    values = tile.data if issparse(tile) else tile
    # One sum is quicker than a test of every number, and not finite if any of them is not.
    if np.isfinite(np.sum(values, dtype=np.float64)):
        return
    dense: NDArray[Any] = tile.toarray() if issparse(tile) else tile
    bad = np.argwhere(~np.isfinite(dense))
    if bad.size:
        raise _not_finite(int(rows[bad[0, 0]]), int(bad[0, 1]), dense[tuple(bad[0])])


def _check_array(features: NDArray[Any], step: int = 1 << 14) -> None:
    if features.dtype.kind != "f":
        return
    for start in range(0, features.shape[0], step):
        part = features[start : start + step]
        bad = np.argwhere(~np.isfinite(part))
        if bad.size:
            raise _not_finite(start + int(bad[0, 0]), int(bad[0, 1]), part[tuple(bad[0])])


def _check_sparse(features: csr_matrix) -> None:
    bad = np.flatnonzero(~np.isfinite(features.data))
    if bad.size:
        row = int(np.searchsorted(features.indptr, bad[0], side="right")) - 1
        raise _not_finite(row, int(features.indices[bad[0]]), features.data[bad[0]])


def _not_finite(row: int, column: int, value: Any) -> EngineError:
    return EngineError(
        f"features must be finite, got {value} in row {row}, column {column}",
        row=row,
        column=column,
    )
