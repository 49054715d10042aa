"""The statement: what is to be minimised, over which assignments.

    f(Y) = 1/(2N) (‖Y‖² − ⟨XᵀY, (XᵀX + NλI)⁻¹ XᵀY⟩) + Σ slack/2 ξ² − ⟨prior, Y⟩/N

X: features (N × d), with a constant column of `bias` added where it is not 0; Y: assignment
(N × K, rows on the simplex); λ: ridge. Everything is checked here, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from callsheet.errors import EngineError
from callsheet.optim.blocks import Block, CustomBlock
from callsheet.optim.feasibility import check_together
from callsheet.optim.features import check_features
from callsheet.optim.layout import Layout, compile_layout
from callsheet.optim.rows import as_numbers, is_number


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """Features, labels and blocks of rows; rows of no block are bound by nothing.

    `features`: array (float32, float64), memory-mapped array (also float16), SciPy CSR matrix,
    or anything with `shape` and row slices. `prior`: N × K opinions from elsewhere, taken off
    the objective as ⟨prior, Y⟩/N. `warnings` says what is odd but not wrong.
    """

    features: Any
    n_labels: int
    blocks: Sequence[Block | CustomBlock] = ()
    ridge: float = 1e-6
    bias: float = 0.0
    prior: ArrayLike | None = None
    layout: Layout = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "n_labels", _count(self.n_labels))
        _check_scalars(self.ridge, self.bias)
        object.__setattr__(self, "ridge", float(self.ridge))
        object.__setattr__(self, "bias", float(self.bias))
        object.__setattr__(self, "features", check_features(self.features))
        object.__setattr__(self, "blocks", _check_blocks(self.blocks))
        layout = compile_layout(self.blocks, self.n_rows, self.n_labels)
        check_together(layout)
        object.__setattr__(self, "layout", layout)
        if self.prior is not None:
            prior = _check_prior(self.prior, (self.n_rows, self.n_labels))
            object.__setattr__(self, "prior", prior)

    @property
    def n_rows(self) -> int:
        return int(self.features.shape[0])

    @property
    def n_features(self) -> int:
        """Columns of the features, without the constant one."""
        return int(self.features.shape[1])

    @property
    def n_weights(self) -> int:
        """Rows of the classifier: features, and one for the constant column if there is one."""
        return self.n_features + (self.bias != 0.0)

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.layout.warnings


def _count(n_labels: Any) -> int:
    if isinstance(n_labels, bool) or not isinstance(n_labels, int | np.integer) or n_labels < 1:
        raise EngineError(f"n_labels must be a whole number of 1 or more, got {n_labels!r}")
    return int(n_labels)


def _check_scalars(ridge: float, bias: float) -> None:
    if not (is_number(ridge) and ridge > 0):
        raise EngineError(f"ridge must be positive, got {ridge!r}")
    if not is_number(bias):
        raise EngineError(f"bias must be a finite number (0: no constant column), got {bias!r}")


def _check_blocks(blocks: Any) -> tuple[Block | CustomBlock, ...]:
    if not isinstance(blocks, Iterable):
        raise EngineError(f"blocks must be a list of blocks, got {type(blocks).__name__}")
    given: tuple[Block | CustomBlock, ...] = tuple(blocks)
    for number, block in enumerate(given):
        if not isinstance(block, Block | CustomBlock):
            raise EngineError(f"block {number} must be a Block or have `rows` and `oracle(cost)`,"
                              f" got {type(block).__name__}")  # fmt: skip
    return given


def _check_prior(prior: Any, shape: tuple[int, int]) -> np.ndarray[Any, Any]:
    given = as_numbers(prior, "prior")
    if given.shape != shape:
        raise EngineError(f"prior must have one number a row and label, {shape},"
                          f" got shape {given.shape}")  # fmt: skip
    if not np.isfinite(given).all():
        row, column = np.argwhere(~np.isfinite(given))[0]
        raise EngineError(f"prior must be finite, got {given[row, column]} in row {row},"
                          f" label {column}")  # fmt: skip
    return given
