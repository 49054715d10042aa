"""Random Fourier features: a linear classifier of them is one of a Gaussian kernel.

lift(x) = √(2/m) cos(xΩ + φ) with Ω ~ N(0, 1/width²): ⟨lift(x), lift(y)⟩ ≈ exp(−‖x − y‖² / 2width²).
Made from (seed, columns, m, width) alone, so that a stored classifier needs no matrix Ω.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Lift:
    """A map of (n, columns) descriptors to (n, features); `features` 0 is the identity."""

    columns: int
    features: int
    width: float
    seed: int

    def __call__(self, descriptors: Array) -> Array:
        if not self.features:
            return descriptors
        frequencies, phases = _drawn(self.seed, self.columns, self.features)
        lifted = np.asarray(descriptors, np.float32) @ (frequencies / np.float32(self.width))
        lifted += phases
        np.cos(lifted, out=lifted)
        lifted *= np.float32(np.sqrt(2 / self.features))
        return lifted

    def describe(self) -> dict[str, Any]:
        return asdict(self)


@lru_cache(maxsize=1)
def _drawn(seed: int, columns: int, features: int) -> tuple[Array, Array]:
    """Ω (columns, m) of unit width and φ (m,); the last ones are kept, for rows come in slices."""
    rng = np.random.default_rng([seed, columns, features])
    frequencies = rng.standard_normal((columns, features), dtype=np.float32)
    phases = rng.uniform(0, 2 * np.pi, features).astype(np.float32)
    return frequencies, phases


def fit_lift(descriptors: Array, features: int, width: float, *, seed: int) -> Lift:
    """Choose the kernel's width as `width` median distances between descriptors."""
    columns = int(descriptors.shape[1])
    if not features or len(descriptors) < 2:
        return Lift(columns, 0, 1.0, seed)
    rng = np.random.default_rng(seed)
    pairs = rng.integers(len(descriptors), size=(2, 1000))
    apart = np.asarray(descriptors[pairs[0]], float) - np.asarray(descriptors[pairs[1]], float)
    median = float(np.median(np.linalg.norm(apart, axis=1)[pairs[0] != pairs[1]]))
    return Lift(columns, features, width * (median or 1.0), seed)
