"""How the rows are cut for visiting: segments are read at once, chunks are units of work.

A segment is a run of whole blocks (or one custom block); a chunk is a run of segments. The cut
depends on the problem alone, never on how many threads or processes share it: sums are formed
chunk by chunk in a fixed order, so that the result has the same bits for any number of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from callsheet.optim.layout import Layout, Tables

SEGMENT_ROWS = 2048
CHUNKS = 64
TILE_NUMBERS = 1 << 24


def tile_rows(n_features: int) -> int:
    """How many rows to read at once: some 64 MiB of float32, at most 4,096."""
    return max(256, min(4096, TILE_NUMBERS // n_features))


@dataclass(frozen=True, slots=True)
class Segment:
    """Places start to stop, and the ranges of components and quotas that lie in them."""

    start: int
    stop: int
    blocks: tuple[int, int]
    components: tuple[int, int]
    quotas: tuple[int, int]
    hard_components: tuple[int, int]
    custom: int | None
    needs_lp: bool

    @property
    def places(self) -> slice:
        return slice(self.start, self.stop)

    def tiles(self, most: int) -> list[slice]:
        """Runs of at most `most` rows, to be read at once."""
        edges = [*range(self.start, self.stop, most), self.stop]
        return [slice(a, b) for a, b in pairwise(edges)]


Chunk = tuple[Segment, ...]


def cut_blocks(layout: Layout) -> tuple[Chunk, ...]:
    """One chunk a block, for methods that visit blocks one at a time."""
    sizes = np.diff(layout.block_start)
    return tuple((_segment(layout, (int(b), int(b) + 1)),) for b in np.flatnonzero(sizes))


def cut(layout: Layout) -> tuple[Chunk, ...]:
    """Cut a layout into chunks of segments of blocks."""
    segments = [_segment(layout, run) for run in _runs(layout)]
    goal = max(2 * SEGMENT_ROWS, layout.n_rows // CHUNKS)
    chunks: list[list[Segment]] = []
    filled = goal
    for segment in segments:
        if filled >= goal:
            chunks.append([])
            filled = 0
        chunks[-1].append(segment)
        filled += segment.stop - segment.start
    return tuple(tuple(chunk) for chunk in chunks)


def _runs(layout: Layout) -> list[tuple[int, int]]:
    """Group consecutive blocks; a custom block stands alone, empty blocks vanish."""
    runs: list[tuple[int, int]] = []
    sizes = np.diff(layout.block_start)
    open_rows = SEGMENT_ROWS
    for block, size in enumerate(sizes):
        alone = layout.custom[block] is not None
        if size == 0:
            continue
        if alone or open_rows + size > SEGMENT_ROWS or runs[-1][1] != block:
            runs.append((block, block + 1))
            open_rows = SEGMENT_ROWS if alone else int(size)
        else:
            runs[-1] = (runs[-1][0], block + 1)
            open_rows += int(size)
    return runs


def _segment(layout: Layout, run: tuple[int, int]) -> Segment:
    start, stop = int(layout.block_start[run[0]]), int(layout.block_start[run[1]])
    components, hard = (_between(t, start, stop) for t in (layout.every, layout.hard))
    first, last = (int(layout.every.component_quota[c]) for c in components)
    sizes = np.diff(layout.hard.component_quota[hard[0] : hard[1] + 1])
    custom = run[0] if layout.custom[run[0]] is not None else None
    return Segment(start, stop, run, components, (first, last), hard, custom,
                   bool((sizes > 1).any()))  # fmt: skip


def _between(tables: Tables, start: int, stop: int) -> tuple[int, int]:
    """Components whose rows lie in start to stop (they are ordered by first place)."""
    first = tables.component_rows[tables.component_start[:-1]]
    low, high = np.searchsorted(first, [start, stop])
    return int(low), int(high)
