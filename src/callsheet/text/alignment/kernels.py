"""The inner loops: how alike two words are, and the best monotone pairing of two word runs.

Pairing is global alignment with affine gaps (Gotoh): opening a gap costs, lengthening it costs
nothing, so that a cut scene is as cheap as a cut line. A pair scores by how alike and how rare
its words are; a pair of unlike words (a rewritten one) costs less than two gaps.

Letters: H best score of a prefix pair, U best that ends with a gap in the film (a script word
nobody says), L with a gap in the script.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numba
import numpy as np
import numpy.typing as npt

_MOST_LETTERS = 16
_PAIR, _UP, _LEFT = 0, 1, 2

GAP = 1.2
"""Cost to open a gap."""
UNLIKE = 0.9
"""Cost to pair words that are not alike."""
SAME_START = 0.3
"""Reward for pairing the first word of an utterance with the first of a subtitle line."""
ALIKE = 0.6
"""Words with at least this share of letters in common are alike."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words as numbers: `letters` is words x 16 code points (0: none), `rarity` 0.1 to 1."""

    number: Mapping[str, int]
    letters: npt.NDArray[np.int32]
    lengths: npt.NDArray[np.int32]
    rarity: npt.NDArray[np.float32]

    @classmethod
    def of(cls, rarity: Mapping[str, float]) -> Lexicon:
        """Number all words of a mapping word -> rarity."""
        words = sorted(rarity)
        letters = np.zeros((len(words), _MOST_LETTERS), dtype=np.int32)
        for row, word in enumerate(words):
            codes = [ord(sign) for sign in word[:_MOST_LETTERS]]
            letters[row, : len(codes)] = codes
        return cls(
            {word: row for row, word in enumerate(words)},
            letters,
            np.array([min(len(w), _MOST_LETTERS) for w in words], dtype=np.int32),
            np.array([rarity[w] for w in words], dtype=np.float32),
        )

    def numbers(self, words: Iterable[str]) -> npt.NDArray[np.int32]:
        return np.array([self.number[w] for w in words], dtype=np.int32)


@numba.njit(cache=True)
def likeness(a: npt.NDArray[np.int32], n: int, b: npt.NDArray[np.int32], m: int) -> float:
    """Share of letters two words have in common, in order: 2 lcs / (n + m)."""
    if 2 * min(n, m) < ALIKE * (n + m):
        return 0.0
    row = np.zeros(m + 1, dtype=np.int32)
    for i in range(n):
        diagonal = 0
        for j in range(m):
            above = row[j + 1]
            if a[i] == b[j]:
                row[j + 1] = diagonal + 1
            elif row[j] > above:
                row[j + 1] = row[j]
            diagonal = above
    return float(2.0 * row[m] / (n + m))


@numba.njit(cache=True)
def pair_score(
    a: int,
    b: int,
    letters: npt.NDArray[np.int32],
    lengths: npt.NDArray[np.int32],
    rarity: npt.NDArray[np.float32],
) -> float:
    """Score of pairing word a with word b: 1 to 2 if equal, less if alike, a cost if unlike."""
    if a == b:
        return float(1.0 + rarity[a])
    n, m = lengths[a], lengths[b]
    # Short words are alike by chance ("he", "her"), and what differs at both ends seldom is.
    if (
        n < 3
        or m < 3
        or (letters[a, 0] != letters[b, 0] and letters[a, n - 1] != letters[b, m - 1])
    ):
        return -UNLIKE
    shared = likeness(letters[a], n, letters[b], m)
    if shared < ALIKE:
        return -UNLIKE
    return float((shared - 0.3) * (1.0 + min(rarity[a], rarity[b])))


@numba.njit(cache=True)
def pair_words(
    script: npt.NDArray[np.int32],
    film: npt.NDArray[np.int32],
    script_opens: npt.NDArray[np.bool_],
    film_opens: npt.NDArray[np.bool_],
    letters: npt.NDArray[np.int32],
    lengths: npt.NDArray[np.int32],
    rarity: npt.NDArray[np.float32],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.float32]]:
    """Pair each film word with a script word (-1: none), both forward; and each pair's score."""
    n, m = len(script), len(film)
    steps = _fill(script, film, script_opens, film_opens, letters, lengths, rarity)
    pairs = np.full(m, -1, dtype=np.int32)
    scores = np.zeros(m, dtype=np.float32)
    i, j, state = n, m, steps[n, m] & 3
    while i > 0 and j > 0:
        step = steps[i, j]
        if state == _PAIR:
            i, j = i - 1, j - 1
            pairs[j] = i
            scores[j] = pair_score(script[i], film[j], letters, lengths, rarity)
            state = steps[i, j] & 3
        elif state == _UP:
            state = _UP if step & 4 else steps[i - 1, j] & 3
            i -= 1
        else:
            state = _LEFT if step & 8 else steps[i, j - 1] & 3
            j -= 1
    return pairs, scores


@numba.njit(cache=True)
def _fill(
    script: npt.NDArray[np.int32],
    film: npt.NDArray[np.int32],
    script_opens: npt.NDArray[np.bool_],
    film_opens: npt.NDArray[np.bool_],
    letters: npt.NDArray[np.int32],
    lengths: npt.NDArray[np.int32],
    rarity: npt.NDArray[np.float32],
) -> npt.NDArray[np.int8]:
    """Fill the table of best steps: bits 1-2 what ends H, 4 U continues, 8 L continues."""
    n, m = len(script), len(film)
    steps = np.zeros((n + 1, m + 1), dtype=np.int8)
    H = np.full(m + 1, -GAP, dtype=np.float32)
    U = np.full(m + 1, -np.inf, dtype=np.float32)
    H[0] = 0.0
    steps[0, 1:] = _LEFT | 8
    for i in range(1, n + 1):
        diagonal = H[0]
        H[0] = -GAP
        steps[i, 0] = _UP | 4
        L = np.float32(-np.inf)
        for j in range(1, m + 1):
            step = 0
            if U[j] >= H[j] - GAP:
                step |= 4
            else:
                U[j] = H[j] - GAP
            if H[j - 1] - GAP <= L:
                step |= 8
            else:
                L = H[j - 1] - GAP
            score = diagonal + pair_score(script[i - 1], film[j - 1], letters, lengths, rarity)
            if script_opens[i - 1] and film_opens[j - 1]:
                score += SAME_START
            diagonal = H[j]
            if score >= U[j] and score >= L:
                H[j] = score
            elif U[j] >= L:
                H[j] = U[j]
                step |= _UP
            else:
                H[j] = L
                step |= _LEFT
            steps[i, j] = step
    return steps
