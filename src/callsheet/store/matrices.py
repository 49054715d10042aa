"""Memory-mapped `.npy` matrices, written whole or row range by row range."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import StoreError
from callsheet.store.atomic import replacing
from callsheet.store.reading import read_failed


def write_matrix(path: Path, matrix: NDArray[Any]) -> None:
    """Write a matrix atomically (no pickle: numbers only)."""
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.save(file, matrix, allow_pickle=False)


@contextmanager
def filling_matrix(path: Path, shape: tuple[int, ...], dtype: Any) -> Iterator[NDArray[Any]]:
    """Yield a memory-mapped matrix to fill; it takes its name when the body ends well."""
    with replacing(path) as temporary:
        matrix = np.lib.format.open_memmap(temporary, mode="w+", shape=shape, dtype=dtype)
        _claim_space(temporary)
        yield matrix
        matrix.flush()


def _claim_space(path: Path) -> None:
    """Fail now where the disk is too full: writing into a map then would kill the program."""
    size = path.stat().st_size
    if not hasattr(os, "posix_fallocate"):  # macOS: what is free must do as an answer
        if shutil.disk_usage(path.parent).free < size:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return
    with path.open("r+b") as file:
        if size:
            os.posix_fallocate(file.fileno(), 0, size)


def open_matrix(path: Path, *, columns: int | None = None) -> NDArray[Any]:
    """Map a matrix read-only; check that it is whole and (if given) how wide."""
    try:
        matrix = np.load(path, mmap_mode="r", allow_pickle=False)
    except FileNotFoundError:
        raise StoreError(
            f"{path} does not exist; run the stage that writes it", path=str(path)
        ) from None
    except (ValueError, OSError, EOFError, SyntaxError, TokenError) as error:
        raise read_failed(path, error, "truncated or not a .npy matrix") from error
    if not isinstance(matrix, np.ndarray) or matrix.ndim != 2:
        raise StoreError(f"{path} does not hold a matrix; run its stage again", path=str(path))
    if columns is not None and matrix.shape[1] != columns:
        raise StoreError(
            f"{path} has {matrix.shape[1]} columns, expected {columns}", path=str(path)
        )
    return matrix
