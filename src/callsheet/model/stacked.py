"""Descriptors of several films as one matrix that is never made: rows are read when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import InputError

Array = NDArray[Any]


class StackedMatrices:
    """Matrices of equal width one below the other; slices read only what they need."""

    def __init__(self, matrices: Sequence[Array]) -> None:
        widths = sorted({int(matrix.shape[1]) for matrix in matrices})
        if len(widths) != 1:
            raise InputError(
                f"descriptors of all films need the same width, got {widths or 'no film'};"
                " run the features stage again with one setting for all"
            )
        self._matrices = tuple(matrices)
        self.starts = np.cumsum([0, *(len(matrix) for matrix in matrices)])
        self.shape = (int(self.starts[-1]), widths[0])
        self.dtype = np.result_type(*(matrix.dtype for matrix in matrices))

    def __len__(self) -> int:
        return self.shape[0]

    def film_rows(self, film: int) -> range:
        """Row numbers of one matrix."""
        return range(int(self.starts[film]), int(self.starts[film + 1]))

    def __getitem__(self, rows: slice) -> Array:
        start, stop, step = rows.indices(len(self))
        first = max(0, int(np.searchsorted(self.starts, start, side="right")) - 1)
        parts = []
        for film in range(first, len(self._matrices)):
            low, high = int(self.starts[film]), int(self.starts[film + 1])
            if low >= stop:
                break
            parts.append(self._matrices[film][max(start - low, 0) : min(stop, high) - low])
        if not parts:
            return np.empty((0, self.shape[1]), self.dtype)
        joined: Array = parts[0] if len(parts) == 1 else np.concatenate(parts)
        return joined[::step]
