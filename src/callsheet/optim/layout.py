"""The statement compiled for the kernels: flat arrays, rows in the order they are visited.

Rows of a block are put next to each other (`order`: place -> row of the problem). Quotas that
share a row belong to one component; components are independent of each other, and each is a
contiguous range of quotas and of `component_rows`. What allowed labels, pins and hard quotas at
their limit decide already is worked into masks and bounds, so that fewer rows couple. Everything
is on the scale N · f: a soft quota of slack κ has price c = N κ, a hard one c = ∞. Each quota is
divided by its largest weight (its price multiplied by the square), so that weights in millionths
or millions are met as exactly as others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from callsheet.errors import EngineError
from callsheet.optim.blocks import (
    Block,
    CustomBlock,
    allowed_labels,
    block_rows,
    check_quota,
)
from callsheet.optim.quotas import Quota, quota_rows, quota_weights
from callsheet.optim.rows import IntArray

Floats = NDArray[np.float64]
AT_LEAST, AT_MOST, EQUAL = 0, 1, 2
LIMIT = 1e-12
"""How near its limit a bound leaves no choice, relative to bound and weights."""


class Tables(NamedTuple):
    """Quotas as flat arrays; row numbers are places in the visiting order."""

    kind: NDArray[np.int64]
    label: NDArray[np.int64]
    bound: Floats
    price: Floats  # ∞ when hard
    entry_start: NDArray[np.int64]  # quota -> its entries
    entry_row: NDArray[np.int64]
    entry_weight: Floats
    row_start: NDArray[np.int64]  # place -> the quotas it is in
    row_quota: NDArray[np.int64]
    row_weight: Floats
    component_quota: NDArray[np.int64]  # component -> first quota
    component_start: NDArray[np.int64]  # component -> first of its rows
    component_rows: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Entry:
    """One quota after reduction: `rows` are places, still open, with positive weight."""

    quota: Quota
    rows: IntArray
    weights: Floats
    bound: float
    where: str


@dataclass(frozen=True, slots=True)
class Layout:
    """Where every row stands and what binds it."""

    order: IntArray
    block_start: IntArray
    custom: tuple[CustomBlock | None, ...]
    allowed: NDArray[np.bool_]
    every: Tables
    hard: Tables
    hard_names: tuple[str, ...]
    constant: float
    warnings: tuple[str, ...]

    @property
    def n_rows(self) -> int:
        return int(self.order.size)

    @property
    def n_labels(self) -> int:
        return int(self.allowed.shape[1])


def compile_layout(blocks: Sequence[Block | CustomBlock], n_rows: int, n_labels: int) -> Layout:
    """Check the blocks against the problem and compile them."""
    rows = [block_rows(block, n_rows, number) for number, block in enumerate(blocks)]
    owner = _owners(rows, n_rows)
    order, block_start = _order(rows, owner)
    place = np.empty(n_rows, dtype=np.int64)
    place[order] = np.arange(n_rows)
    allowed = np.ones((n_rows, n_labels), dtype=np.bool_)
    entries: list[Entry] = []
    warnings: list[str] = []
    constant = 0.0
    for number, block in enumerate(blocks):
        if not isinstance(block, Block):
            continue
        allowed[place[rows[number]]] = allowed_labels(block, rows[number], n_labels, number)
        _force(block, number, owner, place, allowed)
        kept, lost, notes = _reduce(block, number, place, allowed)
        entries += kept
        constant += lost * n_rows
        warnings += notes
    custom = tuple(None if isinstance(block, Block) else block for block in blocks)
    free = (None,) * (block_start.size - 1 - len(blocks))
    every, _ = _tables(entries, n_rows)
    hard, names = _tables([e for e in entries if e.quota.slack is None], n_rows)
    return Layout(order, block_start, custom + free, allowed, every, hard, names, constant,
                  tuple(warnings))  # fmt: skip


def _owners(rows: list[IntArray], n_rows: int) -> IntArray:
    """Row -> its block, -1 for none."""
    owner = np.full(n_rows, -1, dtype=np.int64)
    for number, mine in enumerate(rows):
        taken = mine[owner[mine] >= 0]
        if taken.size:
            raise EngineError(f"row {taken[0]} is in two blocks, {owner[taken[0]]} and {number};"
                              " a row belongs to one")  # fmt: skip
        owner[mine] = number
    return owner


def _order(rows: list[IntArray], owner: IntArray) -> tuple[IntArray, IntArray]:
    """Visit block after block, then (as blocks of their own) the rows of no block."""
    pieces = [*rows, *_pieces(np.flatnonzero(owner < 0))]
    order = np.concatenate([*pieces, np.empty(0, dtype=np.int64)])
    return order, _starts(np.array([piece.size for piece in pieces], dtype=np.int64))


def _pieces(free: IntArray, size: int = 4096) -> list[IntArray]:
    return [free[start : start + size] for start in range(0, free.size, size)]


def _force(
    block: Block, number: int, owner: IntArray, place: IntArray, allowed: NDArray[np.bool_]
) -> None:
    """Work into the mask what hard quotas at their limit leave no choice about; refuse what
    cannot be met. What one decides may bring the next to its limit."""
    for index, quota in enumerate(block.quotas):
        check_quota(quota, owner, number, n_labels=allowed.shape[1],
                    where=f"block {number}, quota {index}")  # fmt: skip
    hard = [(i, quota) for i, quota in enumerate(block.quotas) if quota.slack is None]
    changed = True
    while changed:
        changed = False
        for index, quota in hard:
            entry = _entry(quota, f"block {number}, quota {index}", place, allowed)
            _refuse_impossible(entry)
            changed |= _decide(entry, allowed)


def _decide(entry: Entry, allowed: NDArray[np.bool_]) -> bool:
    """Put all open rows of a quota on its label, or none, if it demands that; say whether."""
    quota, most = entry.quota, float(entry.weights.sum())
    if not entry.rows.size:
        return False
    margin = LIMIT * max(float(entry.weights.max()), abs(quota.bound))
    if quota.kind != AT_MOST and most <= entry.bound + margin:
        allowed[entry.rows] = np.arange(allowed.shape[1]) == quota.label
    elif quota.kind != AT_LEAST and entry.bound <= margin:
        allowed[entry.rows, quota.label] = False
    else:
        return False
    return True


def _reduce(
    block: Block, number: int, place: IntArray, allowed: NDArray[np.bool_]
) -> tuple[list[Entry], float, list[str]]:
    """Drop what is decided already."""
    kept: list[Entry] = []
    warnings: list[str] = []
    lost = 0.0
    for index, quota in enumerate(block.quotas):
        where = f"block {number}, quota {index}"
        entry = _entry(quota, where, place, allowed)
        if entry.rows.size:
            kept.append(entry)
            continue
        lost += 0.5 * (quota.slack or 0.0) * _miss(entry) ** 2
        if not quota_rows(quota).size:
            warnings.append(f"{where}: {quota} is an empty bag and binds nothing")
    return kept, lost, warnings


def _entry(quota: Quota, where: str, place: IntArray, allowed: NDArray[np.bool_]) -> Entry:
    rows, weights = place[quota_rows(quota)], quota_weights(quota)
    can = allowed[rows, quota.label]
    must = can & (allowed[rows].sum(axis=1) == 1)
    still = can & ~must & (weights > 0)
    bound = quota.bound - float(weights[must].sum())
    return Entry(quota, rows[still], weights[still], bound, where)


def _miss(entry: Entry) -> float:
    """How far the bound lies from an amount of nothing."""
    low = max(0.0, entry.bound) if entry.quota.kind != AT_MOST else 0.0
    high = max(0.0, -entry.bound) if entry.quota.kind != AT_LEAST else 0.0
    return max(low, high)


def _refuse_impossible(entry: Entry) -> None:
    """A hard quota must be reachable by its own rows; a soft one pays instead."""
    quota, most = entry.quota, float(entry.weights.sum())
    if quota.slack is not None:
        return
    margin = 1e-9 * max(1.0, abs(quota.bound))
    if quota.kind != AT_MOST and most < entry.bound - margin:
        reach = quota.bound - entry.bound + most
        raise EngineError(f"{entry.where}: {quota} cannot be met, its rows reach {reach:g} at most;"
                          " lower the bound or give it slack")  # fmt: skip
    if quota.kind != AT_LEAST and entry.bound < -margin:
        raise EngineError(f"{entry.where}: {quota} cannot be met, its rows carry"
                          f" {quota.bound - entry.bound:g} at least; raise the bound or"
                          " give it slack")  # fmt: skip


def _tables(entries: list[Entry], n_rows: int) -> tuple[Tables, tuple[str, ...]]:
    """Group the quotas by component and write them out flat; say which is which."""
    sizes = np.array([entry.rows.size for entry in entries], dtype=np.int64)
    component = _components(entries, sizes, n_rows)
    entries = [entries[index] for index in np.argsort(component, kind="stable")]
    component = np.sort(component)
    sizes = np.array([entry.rows.size for entry in entries], dtype=np.int64)
    rows = np.concatenate([np.empty(0, np.int64), *(entry.rows for entry in entries)])
    weights = np.concatenate([np.empty(0), *(entry.weights for entry in entries)])
    scale = np.array([entry.weights.max() for entry in entries], dtype=np.float64)
    weights /= np.repeat(scale, sizes)
    quota = np.repeat(np.arange(len(entries)), sizes)
    by_row = np.argsort(rows, kind="stable")
    mine, first = np.unique(np.stack([component[quota], rows]), axis=1), np.unique(component)
    names = tuple(f"{entry.where}, {entry.quota}" for entry in entries)
    tables = Tables(
        kind=np.array([entry.quota.kind for entry in entries], dtype=np.int64),
        label=np.array([entry.quota.label for entry in entries], dtype=np.int64),
        bound=np.array([entry.bound for entry in entries], dtype=np.float64) / scale,
        price=np.array([_price(entry, n_rows) for entry in entries], dtype=np.float64) * scale**2,
        entry_start=_starts(sizes),
        entry_row=rows,
        entry_weight=weights,
        row_start=_starts(np.bincount(rows, minlength=n_rows)),
        row_quota=quota[by_row].astype(np.int64),
        row_weight=weights[by_row],
        component_quota=np.searchsorted(component, np.arange(first.size + 1)).astype(np.int64),
        component_start=np.searchsorted(mine[0], np.arange(first.size + 1)).astype(np.int64),
        component_rows=np.ascontiguousarray(mine[1]).astype(np.int64),
    )
    return tables, names


def _price(entry: Entry, n_rows: int) -> float:
    return np.inf if entry.quota.slack is None else n_rows * entry.quota.slack


def _starts(sizes: NDArray[np.integer]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def _components(entries: list[Entry], sizes: IntArray, n_rows: int) -> IntArray:
    """Number the connected components in the order of their first place."""
    if not entries:
        return np.empty(0, dtype=np.int64)
    rows = np.concatenate([entry.rows for entry in entries])
    quota = np.repeat(np.arange(len(entries)), sizes)
    used, row = np.unique(rows, return_inverse=True)
    size = len(entries) + used.size
    links = csr_matrix((np.ones(rows.size), (quota, len(entries) + row)), shape=(size, size))
    _, group = connected_components(links, directed=False)
    first = np.full(size, n_rows, dtype=np.int64)
    np.minimum.at(first, group[quota], rows)
    _, component = np.unique(first[group[: len(entries)]], return_inverse=True)
    return component.astype(np.int64)
