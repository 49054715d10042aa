"""MATLAB files of both forms: version 5 to 7.2 (SciPy), and 7.3, which is HDF5 (h5py, optional).

Of a 7.3 file plain and sparse numeric matrices are read; it stores them transposed.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import InputError, MissingExtraError

Array = NDArray[Any]
RowReader = Callable[[Array], Array]
UNREADABLE = (ValueError, TypeError, OSError, EOFError, KeyError, IndexError, NotImplementedError,
              zlib.error)  # fmt: skip
"""What SciPy's reader throws at a damaged file, besides its own error."""

READ_AT_ONCE = 4096
"""Columns of a stored (transposed) matrix that are read in one go."""


def is_hdf5(path: Path) -> bool:
    """Whether a .mat file has the 7.3 form."""
    with path.open("rb") as file:
        return b"MATLAB 7.3" in file.read(128) or _has_signature(path)


def load_matlab(path: Path) -> dict[str, Any]:
    """The variables of a file: v5 with structs and cells, 7.3 with its numeric matrices only."""
    if not path.is_file():
        raise InputError(f"{path} does not exist")
    if is_hdf5(path):
        return _load_hdf5(path)
    from scipy.io import loadmat
    from scipy.io.matlab import MatReadError

    try:
        content: dict[str, Any] = loadmat(path, squeeze_me=True, struct_as_record=False)
    except (MatReadError, *UNREADABLE) as error:
        raise InputError(f"{path} is not a MATLAB file we can read ({error})") from error
    return {name: value for name, value in content.items() if not name.startswith("__")}


def matrix_reader(path: Path, name: str) -> tuple[RowReader, tuple[int, ...]]:
    """How to read rows (ascending numbers) of a matrix as float32, and its shape.

    Of a 7.3 file only the rows asked for are read, so it may be larger than memory.
    """
    if not is_hdf5(path):
        matrix = _by_rows(wanted(load_matlab(path), name, path))
        return lambda rows: _dense(matrix[rows]), tuple(matrix.shape)
    dataset = wanted(_open_hdf5(path), name, path)
    if not hasattr(dataset, "shape"):
        matrix = _sparse(dataset)
        return lambda rows: _dense(matrix[rows]), tuple(matrix.shape)
    return lambda rows: _stored_rows(dataset, rows), tuple(dataset.shape[::-1])


def wanted(content: Any, name: str, path: Path) -> Any:
    """A variable, or a sentence that lists those there are."""
    if name not in content:
        there = ", ".join(sorted(k for k in content if not k.startswith("#"))) or "nothing"
        structs = " (structs and cells of a 7.3 file are not read: save it as version 7)"
        raise InputError(f"{path} lacks {name}; it holds {there}{structs * is_hdf5(path)}")
    return content[name]


def _by_rows(matrix: Any) -> Any:
    return matrix.tocsr() if hasattr(matrix, "tocsr") else matrix


def _has_signature(path: Path) -> bool:
    """HDF5's own mark, at the start or behind MATLAB's 512 bytes."""
    mark = b"\x89HDF\r\n\x1a\n"
    with path.open("rb") as file:
        head = file.read(512 + len(mark))
    return head.startswith(mark) or head[512:] == mark


def _open_hdf5(path: Path) -> Any:
    try:
        h5py = import_module("h5py")
    except ImportError:
        raise MissingExtraError(
            f"{path} is a MATLAB 7.3 file: pip install h5py, or save it as version 7 (-v7)"
        ) from None
    try:
        return h5py.File(path, "r")
    except OSError as error:
        raise InputError(f"{path} is not a MATLAB file we can read ({error})") from error


def _load_hdf5(path: Path) -> dict[str, Any]:
    with _open_hdf5(path) as file:
        return {name: _whole(entry) for name, entry in file.items() if _is_numeric(entry)}


def _is_numeric(entry: Any) -> bool:
    return "ir" in entry if not hasattr(entry, "dtype") else bool(entry.dtype.kind in "biuf")


def _whole(entry: Any) -> Any:
    if not hasattr(entry, "shape"):
        return _sparse(entry)
    squeezed: Array = np.squeeze(entry[()].T)
    return squeezed


def _sparse(group: Any) -> Any:
    """A sparse matrix: values, row numbers, column starts; its height is an attribute."""
    from scipy.sparse import csc_array

    starts = group["jc"][()].astype(np.int64)
    values = group["data"][()] if "data" in group else np.zeros(0)
    rows = group["ir"][()].astype(np.int64) if "ir" in group else np.zeros(0, np.int64)
    shape = (int(group.attrs["MATLAB_sparse"]), len(starts) - 1)
    return csc_array((values, rows, starts), shape=shape).tocsr()


def _stored_rows(dataset: Any, rows: Array) -> Array:
    """Rows of a matrix that is stored transposed, run by run of neighbours."""
    result = np.empty((len(rows), dataset.shape[0]), np.float32)
    breaks = np.flatnonzero((np.diff(rows) != 1) | (np.arange(1, len(rows)) % READ_AT_ONCE == 0))
    for first, last in zip(np.r_[0, breaks + 1], np.r_[breaks, len(rows) - 1], strict=True):
        if len(rows):
            result[first : last + 1] = dataset[:, rows[first] : rows[last] + 1].T
    return result


def _dense(rows: Any) -> Array:
    full = rows.toarray() if hasattr(rows, "toarray") else rows
    return np.asarray(full, np.float32)
