"""Which script word is each spoken word? Anchors first, then the room between them, then what
was moved.

1. `seeds.chain` picks anchors that go forward on both sides.
2. Between neighbouring anchors, `kernels.pair_words` pairs the rest.
3. Pairs that stand alone among unpaired words are dropped: chance makes them.
4. What is still free on both sides is searched again for anchors: scenes that the cutting
   room moved come back as chains of their own, each filled like the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from callsheet.text.alignment.kernels import Lexicon, pair_words
from callsheet.text.alignment.seeds import Seed, chain, find_seeds, rarity, supported
from callsheet.text.alignment.words import Words

_WIDEST = 1500
"""A gap with more pairs of words than this squared is filled at its two ends only, which keeps
time and memory in bounds: nothing that long without an anchor was said as written."""
_MOVED_WORDS = 12
"""Fewest equal words in the anchors of a moved scene."""
_MOVED_REACH = 80
"""Words between two anchors of one moved scene, at most; and how far it is filled beyond them."""
_ALONE_REACH = 10
_ALONE_SCORE = 4.0
"""Pairs within this many words must together score this much, or they are chance."""


@dataclass(frozen=True, slots=True)
class Matches:
    """`script[j]` is the script word paired with film word j (-1: none), `score[j]` how well:
    1 to 2 equal, below alike, negative a rewritten word. `moved[j]`: found out of order.
    """

    script: npt.NDArray[np.int32]
    score: npt.NDArray[np.float32]
    moved: npt.NDArray[np.bool_]

    @property
    def equal(self) -> npt.NDArray[np.bool_]:
        """Film words whose script word is the same or alike."""
        return (self.script >= 0) & (self.score > 0)


@dataclass(frozen=True, slots=True)
class _Gap:
    """Words [i0, i1) of the script against [j0, j1) of the film."""

    i0: int
    i1: int
    j0: int
    j1: int


class _Board:
    """The words of both sides as numbers, and the pairs found so far."""

    def __init__(self, script: Words, film: Words, lexicon: Lexicon) -> None:
        self._sides = lexicon.numbers(script.words), lexicon.numbers(film.words)
        self._opens = script.opens, film.opens
        self._lexicon = lexicon
        self.script = np.full(len(film), -1, dtype=np.int32)
        self.score = np.zeros(len(film), dtype=np.float32)

    def place(self, seed: Seed) -> None:
        """Pair the equal words of a seed."""
        film = slice(seed.film, seed.film_end)
        self.script[film] = np.arange(seed.script, seed.script_end)
        self.score[film] = 1.0 + self._lexicon.rarity[self._sides[1][film]]

    def fill(self, gap: _Gap) -> None:
        """Pair the words of a gap; an oversized one at its ends only."""
        if min(gap.i1 - gap.i0, gap.j1 - gap.j0) <= 0:
            return
        for part in _parts(gap):
            rows, columns = slice(part.i0, part.i1), slice(part.j0, part.j1)
            pairs, scores = pair_words(
                self._sides[0][rows], self._sides[1][columns],
                self._opens[0][rows], self._opens[1][columns],
                self._lexicon.letters, self._lexicon.lengths, self._lexicon.rarity,
            )  # fmt: skip
            self.script[columns] = np.where(pairs >= 0, pairs + part.i0, -1)
            self.score[columns] = scores

    def clear(self, film: npt.NDArray[np.bool_]) -> None:
        self.script[film] = -1
        self.score[film] = 0.0


def match_words(script: Words, film: Words) -> Matches:
    """Pair the words of a film with those of its script."""
    weights = rarity(script.words, film.words)
    board = _Board(script, film, Lexicon.of(weights))
    seeds = find_seeds(script.words, film.words)
    everything = _Gap(0, len(script), 0, len(film))
    _lay(board, supported(chain(seeds)), everything)
    board.clear(_alone(board.script, board.score))
    moved = _find_moved(board, seeds, everything)
    return Matches(board.script, board.score, moved)


def _lay(board: _Board, path: Sequence[Seed], within: _Gap) -> None:
    """Place anchors and fill the gaps between them, and before and after."""
    i, j = within.i0, within.j0
    for seed in path:
        board.place(seed)
        board.fill(_Gap(i, seed.script, j, seed.film))
        i, j = seed.script_end, seed.film_end
    board.fill(_Gap(i, within.i1, j, within.j1))


def _parts(gap: _Gap) -> tuple[_Gap, ...]:
    """The whole gap, or what is near its two ends if it is too large to fill."""
    script, film = gap.i1 - gap.i0, gap.j1 - gap.j0
    if script * film <= _WIDEST**2:
        return (gap,)
    i, j = min(_WIDEST, script) // 2, min(_WIDEST, film) // 2
    return (
        _Gap(gap.i0, gap.i0 + i, gap.j0, gap.j0 + j),
        _Gap(gap.i1 - i, gap.i1, gap.j1 - j, gap.j1),
    )


def _alone(script: npt.NDArray[np.int32], score: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Film words whose pair no other pair near by (on both sides) supports."""
    paired = np.flatnonzero(script >= 0)
    alone = np.zeros(len(script), dtype=np.bool_)
    for group in _split_where_far(paired, script[paired]):
        if np.maximum(score[group], 0).sum() < _ALONE_SCORE:
            alone[group] = True
    return alone


def _split_where_far(
    film: npt.NDArray[np.int64], script: npt.NDArray[np.int32]
) -> list[npt.NDArray[np.int64]]:
    """Groups of pairs with less than `_ALONE_REACH` words between them on both sides."""
    far = (np.diff(film) > _ALONE_REACH) | (np.abs(np.diff(script)) > _ALONE_REACH)
    return np.split(film, np.flatnonzero(far) + 1) if len(film) else []


def _find_moved(board: _Board, seeds: Sequence[Seed], everything: _Gap) -> npt.NDArray[np.bool_]:
    """Search what is free on both sides for scenes that the film shows elsewhere."""
    in_order = board.script >= 0
    while seeds := _free_seeds(board, seeds, everything.i1):
        rooms = [
            (scene, room)
            for scene in _dense(chain(seeds))
            if (room := _room(board, scene, everything)) is not None
        ]
        # One after the other would need fresh rooms: two scenes of a chain never overlap, but
        # what is filled around them may.
        if not rooms:
            break
        scene, room = max(rooms, key=lambda found: sum(seed.weight for seed in found[0]))
        _lay(board, scene, room)
    return (board.script >= 0) & ~in_order


def _free_seeds(board: _Board, seeds: Sequence[Seed], n_script: int) -> list[Seed]:
    """Seeds none of whose words are paired yet, on either side."""
    used_script = np.zeros(n_script + 1, dtype=np.int64)
    used_script[1:][board.script[board.script >= 0]] = 1
    used_film = np.zeros(len(board.script) + 1, dtype=np.int64)
    used_film[1:] = board.script >= 0
    np.cumsum(used_script, out=used_script)
    np.cumsum(used_film, out=used_film)
    return [
        s
        for s in seeds
        if used_script[s.script_end] == used_script[s.script]
        and used_film[s.film_end] == used_film[s.film]
    ]


def _dense(path: Sequence[Seed]) -> list[list[Seed]]:
    """Split a chain where it jumps; keep the parts with enough words."""
    parts: list[list[Seed]] = []
    for seed in path:
        last = parts[-1][-1] if parts else None
        if (
            last is not None
            and seed.script - last.script_end <= _MOVED_REACH
            and seed.film - last.film_end <= _MOVED_REACH
        ):
            parts[-1].append(seed)
        else:
            parts.append([seed])
    return [part for part in parts if sum(s.length for s in part) >= _MOVED_WORDS]


def _room(board: _Board, scene: Sequence[Seed], everything: _Gap) -> _Gap | None:
    """The free words around a moved scene; None if an earlier one took its place."""
    first, last = scene[0], scene[-1]
    taken = np.zeros(everything.i1, dtype=np.bool_)
    taken[board.script[board.script >= 0]] = True
    paired = board.script >= 0
    if taken[first.script : last.script_end].any() or paired[first.film : last.film_end].any():
        return None
    return _Gap(
        _reach_back(taken, first.script),
        _reach_on(taken, last.script_end),
        _reach_back(paired, first.film),
        _reach_on(paired, last.film_end),
    )


def _reach_back(taken: npt.NDArray[np.bool_], start: int) -> int:
    lowest = max(0, start - _MOVED_REACH)
    blocked = np.flatnonzero(taken[lowest:start])
    return lowest + int(blocked[-1]) + 1 if len(blocked) else lowest


def _reach_on(taken: npt.NDArray[np.bool_], end: int) -> int:
    blocked = np.flatnonzero(taken[end : end + _MOVED_REACH])
    return end + int(blocked[0]) if len(blocked) else min(len(taken), end + _MOVED_REACH)
