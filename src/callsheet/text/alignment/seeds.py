"""Anchors: runs of words that script and film share, chained where both go forward.

A seed is a run of equal words `script[i:i+n] == film[j:j+n]` that contains something rare
enough to point to one place. `chain` picks the heaviest set of seeds in which both sides go
forward (a longest increasing subsequence, weighted); `supported` drops those that stand alone
and off the line of their neighbours, because chance makes such seeds in any two scripts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

_LENGTHS = (4, 3, 2, 1)
_MOST_PLACES = {4: 4, 3: 3, 2: 2, 1: 1}
"""n-gram length -> how often it may occur on either side to be an anchor."""
_SURE_WEIGHT = 2.5
"""A run this rare needs no support by its neighbours: some five words, or three telling ones."""
_NEAR_WORDS = 80
_OFF_LINE = 20
"""A neighbour supports when it is this near and at most this far off the diagonal, words."""


@dataclass(frozen=True, slots=True, order=True)
class Seed:
    """`length` equal words from `script` and `film` on; `weight` sums their rarity."""

    script: int
    film: int
    length: int
    weight: float

    @property
    def script_end(self) -> int:
        return self.script + self.length

    @property
    def film_end(self) -> int:
        return self.film + self.length

    @property
    def diagonal(self) -> int:
        return self.film - self.script


def rarity(script: Sequence[str], film: Sequence[str]) -> dict[str, float]:
    """Weight of every word, 0.1 (every third word) to 1 (once or twice in both together)."""
    counts = Counter(script)
    counts.update(film)
    total = math.log(max(3, counts.total()))
    return {w: min(1.0, max(0.1, 1.0 - math.log(n / 2) / total)) for w, n in counts.items()}


def find_seeds(script: Sequence[str], film: Sequence[str]) -> list[Seed]:
    """Find all seeds, longest possible, in order of the script."""
    weights = rarity(script, film)
    starts: set[tuple[int, int]] = set()
    for length in _LENGTHS:
        starts.update(_shared(script, film, length, weights))
    return sorted(_runs(starts, script, film, weights))


def _shared(
    script: Sequence[str], film: Sequence[str], length: int, weights: dict[str, float]
) -> Iterator[tuple[int, int]]:
    """Word pairs covered by n-grams that are rare on both sides."""
    most = _MOST_PLACES[length]
    there = _places(film, length, most)
    here = _places(script, length, most, among=there)
    for gram, firsts in here.items():
        # A single word, or two, must themselves be telling.
        if length <= 2 and max(weights[w] for w in gram) < 0.7:
            continue
        if length == 1 and len(gram[0]) < 4:
            continue
        for i in firsts:
            for j in there[gram]:
                yield from ((i + k, j + k) for k in range(length))


def _places(
    words: Sequence[str], length: int, most: int, among: Container[tuple[str, ...]] | None = None
) -> dict[tuple[str, ...], list[int]]:
    """Where each n-gram stands that stands in few places; `among` limits which are looked at."""
    places: dict[tuple[str, ...], list[int]] = {}
    for i, gram in enumerate(zip(*(words[k:] for k in range(length)), strict=False)):
        if among is None or gram in among:
            places.setdefault(gram, []).append(i)
    return {gram: found for gram, found in places.items() if len(found) <= most}


def _runs(
    pairs: set[tuple[int, int]],
    script: Sequence[str],
    film: Sequence[str],
    weights: dict[str, float],
) -> Iterator[Seed]:
    """Join pairs on one diagonal and lengthen them as far as the words are equal."""
    by_diagonal: dict[int, list[int]] = {}
    for i, j in pairs:
        by_diagonal.setdefault(j - i, []).append(i)
    for diagonal, places in by_diagonal.items():
        end = -1
        for start in sorted(places):
            if start < end:
                continue
            begin = start
            while begin > 0 and begin + diagonal > 0 and _same(script, film, begin - 1, diagonal):
                begin -= 1
            end = start + 1
            while (
                end < len(script)
                and end + diagonal < len(film)
                and _same(script, film, end, diagonal)
            ):
                end += 1
            weight = sum(weights[w] for w in script[begin:end])
            yield Seed(begin, begin + diagonal, end - begin, weight)


def _same(script: Sequence[str], film: Sequence[str], i: int, diagonal: int) -> bool:
    return script[i] == film[i + diagonal]


def chain(seeds: Iterable[Seed]) -> list[Seed]:
    """Pick the heaviest seeds that go forward on both sides; O(n log n).

    Seeds may touch and overlap a little; `trimmed` cuts what overlaps.
    """
    ordered = sorted(seeds, key=lambda s: (s.script, -s.film))
    if not ordered:
        return []
    best = _Heaviest(max(s.film for s in ordered) + 1)
    came_from: list[int] = []
    for index, seed in enumerate(ordered):
        weight, before = best.up_to(seed.film)
        came_from.append(before)
        best.put(seed.film, weight + seed.weight, index)
    _, last = best.up_to(best.size)
    return trimmed(_walk_back(ordered, came_from, last))


def _walk_back(ordered: Sequence[Seed], came_from: Sequence[int], last: int) -> list[Seed]:
    path = []
    while last >= 0:
        path.append(ordered[last])
        last = came_from[last]
    return path[::-1]


def trimmed(path: Iterable[Seed]) -> list[Seed]:
    """Cut the start of each seed that overlaps the one before; drop what is swallowed."""
    kept: list[Seed] = []
    for seed in path:
        if kept:
            cut = max(kept[-1].script_end - seed.script, kept[-1].film_end - seed.film, 0)
            if cut >= seed.length:
                continue
            share = (seed.length - cut) / seed.length
            seed = Seed(seed.script + cut, seed.film + cut, seed.length - cut, seed.weight * share)
        kept.append(seed)
    return kept


def supported(path: Sequence[Seed]) -> list[Seed]:
    """Drop short seeds that no neighbour near by confirms, until nothing changes."""
    kept = list(path)
    while True:
        sure = [
            seed
            for k, seed in enumerate(kept)
            if seed.weight >= _SURE_WEIGHT or _is_confirmed(seed, kept, k)
        ]
        if len(sure) == len(kept):
            return kept
        kept = sure


def _is_confirmed(seed: Seed, path: Sequence[Seed], k: int) -> bool:
    neighbours = [path[n] for n in (k - 1, k + 1) if 0 <= n < len(path)]
    return any(
        abs(other.script - seed.script) <= _NEAR_WORDS
        and abs(other.diagonal - seed.diagonal) <= _OFF_LINE
        for other in neighbours
    )


class _Heaviest:
    """A Fenwick tree: the heaviest chain that ends before a film position."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._weight = [0.0] * (size + 1)
        self._index = [-1] * (size + 1)

    def up_to(self, position: int) -> tuple[float, int]:
        """Heaviest over film positions < `position`, with the seed that ends it (-1: none)."""
        weight, index = 0.0, -1
        while position > 0:
            if self._weight[position] > weight:
                weight, index = self._weight[position], self._index[position]
            position -= position & -position
        return weight, index

    def put(self, position: int, weight: float, index: int) -> None:
        position += 1
        while position <= self.size:
            if weight > self._weight[position]:
                self._weight[position], self._index[position] = weight, index
            position += position & -position
