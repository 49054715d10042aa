"""float16 to float32, several times faster than NumPy where it does it number by number.

A float16 shifted into the place of a float32 differs from it by a factor of 2¹¹² alone, also
where it is subnormal; infinity and NaN get the exponent that stands for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

SCALE = np.float32(2.0**112)


def widen(halves: NDArray[np.float16]) -> NDArray[np.float32]:
    """Convert a C-contiguous or sliced matrix exactly."""
    bits = np.empty(halves.shape, dtype=np.uint32)
    _shift(np.ascontiguousarray(halves).view(np.uint16).ravel(), bits.ravel())
    wide: NDArray[Any] = bits.view(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        wide *= SCALE
    return wide


@njit(cache=True, nogil=True)
def _shift(halves: NDArray[np.uint16], bits: NDArray[np.uint32]) -> None:
    for i in range(halves.size):
        half = np.uint32(halves[i])
        sign = (half & np.uint32(0x8000)) << np.uint32(16)
        rest = (half & np.uint32(0x7FFF)) << np.uint32(13)
        special = (half & np.uint32(0x7C00)) == np.uint32(0x7C00)
        bits[i] = sign | rest | (np.uint32(0x7F800000) if special else np.uint32(0))
