"""Blocks: rows that are solved together, with what is known about them.

A `Block` is described by quotas, allowed labels and pinned rows. Any other object with `rows`
and `oracle(cost)` is a custom block: its set of assignments is whatever its oracle minimises
over. With `project(point)` too, it works with every method.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from callsheet.errors import EngineError
from callsheet.optim.quotas import Quota, quota_rows
from callsheet.optim.rows import IntArray, Rows, check_mask, is_whole, listing, parse_rows

Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Rows solved together: each row's labels sum to one, and the quotas hold.

    `allowed` is a boolean mask (rows of the block × labels, in the order of `rows`), `pinned`
    maps a row number to the one label it must carry.
    """

    rows: Rows
    quotas: Sequence[Quota] = ()
    allowed: ArrayLike | None = None
    pinned: Mapping[int, int] = field(default_factory=dict)
    mask_size: int | None = field(init=False, repr=False)
    """How long `rows` was, if it was a mask."""

    def __post_init__(self) -> None:
        rows, size = parse_rows(self.rows, "a block")
        object.__setattr__(self, "rows", rows)
        object.__setattr__(self, "mask_size", size)
        if isinstance(self.quotas, Quota) or not isinstance(self.quotas, Iterable):
            raise EngineError(f"quotas must be a list of quotas, got {self.quotas}")
        object.__setattr__(self, "quotas", tuple(self.quotas))
        if not isinstance(self.pinned, Mapping):
            raise EngineError(f"pinned must map row numbers to labels, got {self.pinned!r}")
        for row in self.pinned:
            if not is_whole(row):
                raise EngineError(f"pinned: row numbers must be whole numbers, got {row!r}")
        for quota in self.quotas:
            if not isinstance(quota, Quota):
                raise EngineError(f"quotas must be AtLeast, AtMost or Equal, got {quota!r}")


@runtime_checkable
class CustomBlock(Protocol):
    """What the engine needs of a block of your own."""

    rows: Any

    def oracle(self, cost: Matrix, /) -> Matrix:
        """Return the assignment (rows of the block × labels) of least ⟨cost, assignment⟩."""


@dataclass(frozen=True, slots=True, eq=False)
class OracleBlock:
    """A custom block made of functions, for those who need no class of their own."""

    rows: Rows
    oracle: Callable[[Matrix], Matrix]
    project: Callable[[Matrix], Matrix] | None = None


def projects(block: Block | CustomBlock) -> bool:
    """Whether it has a projection."""
    return isinstance(block, Block) or getattr(block, "project", None) is not None


def block_rows(block: Block | CustomBlock, n_rows: int, number: int) -> IntArray:
    """Rows of a block, checked against the problem's size."""
    rows, size = parse_rows(block.rows, f"block {number}")
    check_mask(block.mask_size if isinstance(block, Block) else size, n_rows, f"block {number}")
    if rows.size and rows.max() >= n_rows:
        raise EngineError(
            f"block {number}: row {rows.max()} is out of range, the problem has {n_rows} rows"
        )
    return rows


def allowed_labels(block: Block, rows: IntArray, n_labels: int, number: int) -> NDArray[np.bool_]:
    """Boolean mask rows × labels with the pins worked in; every row keeps a label."""
    allowed = _mask(block, rows.size, n_labels, number)
    place = {int(row): index for index, row in enumerate(rows)} if block.pinned else {}
    for row, label in block.pinned.items():
        if int(row) not in place:
            raise EngineError(f"block {number}: pinned row {row} is not one of its rows")
        check_label(label, n_labels, f"block {number}: pinned row {row}")
        if not allowed[place[int(row)], label]:
            raise EngineError(f"block {number}: row {row} is pinned to label {label},"
                              " which is not allowed there")  # fmt: skip
        allowed[place[int(row)]] = np.arange(n_labels) == label
    closed = np.flatnonzero(~allowed.any(axis=1))
    if closed.size:
        raise EngineError(f"block {number}: no label is allowed for {listing(rows[closed])}")
    return allowed


def _mask(block: Block, n_rows: int, n_labels: int, number: int) -> NDArray[np.bool_]:
    if block.allowed is None:
        return np.ones((n_rows, n_labels), dtype=np.bool_)
    given = np.array(block.allowed)
    if given.shape != (n_rows, n_labels):
        raise EngineError(f"block {number}: allowed must have one row a block row and one column"
                          f" a label, {(n_rows, n_labels)}, got {given.shape}")  # fmt: skip
    if given.dtype != np.bool_:
        raise EngineError(f"block {number}: allowed must be boolean, got {given.dtype}")
    return given


def check_label(label: int, n_labels: int, where: str) -> None:
    """Refuse a label that is no column."""
    if not is_whole(label):
        raise EngineError(f"{where}: label must be a whole number, got {label!r}")
    if not 0 <= label < n_labels:
        raise EngineError(f"{where}: label {label} is out of range, labels are 0 to {n_labels - 1}")


def check_quota(quota: Quota, owner: IntArray, number: int, *, n_labels: int, where: str) -> None:
    """Refuse a quota of unknown labels or of rows outside its block (`owner`: row -> block)."""
    check_label(quota.label, n_labels, where)
    check_mask(quota.mask_size, owner.size, where)
    rows = quota_rows(quota)
    mine = rows < owner.size
    mine[mine] = owner[rows[mine]] == number
    if not mine.all():
        raise EngineError(f"{where}: {listing(rows[~mine])} of {quota} are not in the block")
