"""Widening float16 is exact for every one of its 65,536 values."""

from __future__ import annotations

import numpy as np

from callsheet.optim.kernels.half import widen


def test_every_float16_is_widened_exactly():
    every = np.arange(65536, dtype=np.uint16).view(np.float16).reshape(256, 256)
    wide = widen(every)
    assert wide.dtype == np.float32
    np.testing.assert_array_equal(wide, every.astype(np.float32))
    assert np.array_equal(np.signbit(wide[~np.isnan(wide)]), np.signbit(every[~np.isnan(every)]))
