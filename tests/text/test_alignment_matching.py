"""Words, seeds, chains and the pairing of words: against brute force and by their invariants."""

from __future__ import annotations

import random
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.text.alignment.kernels import GAP, UNLIKE, Lexicon, likeness, pair_words
from callsheet.text.alignment.matching import match_words
from callsheet.text.alignment.seeds import Seed, chain, find_seeds, rarity, trimmed
from callsheet.text.alignment.words import split_words, words_of
from made_scripts import common, sentence


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("It's Rick's café!", "its ricks cafe"),
        ("OK, I'm gonna go", "Okay im going to go"),
        ("Mr. Blaine", "mister blaine"),
        ("26 across", "twenty-six across"),
        ("in 1942", "in one thousand nine hundred forty two"),
        ("don’t", "don't"),
        ("200", "two hundred"),
    ],
)
def test_spellings_are_levelled(left: str, right: str) -> None:
    assert split_words(left) == split_words(right)


def test_scripts_without_spaces_are_read_sign_by_sign() -> None:
    assert split_words("你好吗") == ["你", "好", "吗"]


@given(st.text())
def test_any_text_splits_into_plain_words(text: str) -> None:
    assert all(word and not word.isspace() for word in split_words(text))


def test_words_know_their_owner() -> None:
    words = words_of(["one two", "", "three"])
    assert words.words == ("one", "two", "three")
    assert list(words.owner) == [0, 0, 2]
    assert list(words.opens) == [True, False, True]


@given(
    st.lists(
        st.tuples(st.integers(0, 9), st.integers(0, 9), st.floats(0.1, 5)), max_size=9, unique=True
    )
)
def test_a_chain_is_the_heaviest_that_goes_forward(places: list[tuple[int, int, float]]) -> None:
    seeds = [Seed(i, j, 1, weight) for i, j, weight in places]
    best = max((sum(s.weight for s in subset) for subset in _forward_subsets(seeds)), default=0.0)
    found = chain(seeds)
    assert all(a.script < b.script and a.film < b.film for a, b in pairwise(found))
    assert sum(s.weight for s in found) == pytest.approx(best)


def _forward_subsets(seeds: list[Seed]) -> list[tuple[Seed, ...]]:
    ordered = sorted(seeds)
    return [
        subset
        for size in range(1, len(ordered) + 1)
        for subset in combinations(ordered, size)
        if all(a.script < b.script and a.film < b.film for a, b in pairwise(subset))
    ]


def test_overlapping_seeds_are_trimmed() -> None:
    first, second = trimmed([Seed(0, 0, 4, 4.0), Seed(2, 3, 4, 4.0)])
    assert first.script_end <= second.script
    assert first.film_end <= second.film
    assert second == Seed(4, 5, 2, 2.0)


def test_seeds_are_equal_words_on_both_sides() -> None:
    rng = random.Random(1)
    script, film = sentence(rng, 40).split(), sentence(rng, 40).split()
    film[10:20] = script[5:15]
    assert any(s.script <= 5 and s.script_end >= 15 for s in find_seeds(script, film))
    for seed in find_seeds(script, film):
        assert script[seed.script : seed.script_end] == film[seed.film : seed.film_end]


@pytest.mark.parametrize(
    ("a", "b", "alike"), [("apologise", "apologize", 8 / 9), ("abc", "xyz", 0.0)]
)
def test_likeness_is_the_share_of_common_letters(a: str, b: str, alike: float) -> None:
    codes = [np.array([ord(c) for c in word], dtype=np.int32) for word in (a, b)]
    assert likeness(codes[0], len(a), codes[1], len(b)) == pytest.approx(alike)


@given(st.text("abcd", min_size=1, max_size=6), st.text("abcd", min_size=1, max_size=6))
def test_pairing_is_optimal(left: str, right: str) -> None:
    """Against plain recursion over all monotone pairings of one-letter words."""
    script, film = list(left), list(right)
    lexicon = Lexicon.of(rarity(script, film))
    no_starts = [np.zeros(len(side), dtype=np.bool_) for side in (script, film)]
    pairs, scores = pair_words(
        lexicon.numbers(script), lexicon.numbers(film), *no_starts,
        lexicon.letters, lexicon.lengths, lexicon.rarity,
    )  # fmt: skip
    chosen = [int(i) for i in pairs if i >= 0]
    assert chosen == sorted(set(chosen))
    assert _worth(pairs, scores, len(script)) == pytest.approx(
        max(_all_worths(script, film, lexicon)), abs=1e-4
    )


def _worth(pairs: np.ndarray, scores: np.ndarray, n: int) -> float:
    return float(scores.sum()) - GAP * _gaps([int(i) for i in pairs], n)


def _gaps(pairs: list[int], n: int) -> int:
    """Runs of unpaired words, the two sides apart."""
    film = sum(1 for j, i in enumerate(pairs) if i < 0 and (j == 0 or pairs[j - 1] >= 0))
    paired = {i for i in pairs if i >= 0}
    return film + sum(1 for i in range(n) if i not in paired and (i == 0 or i - 1 in paired))


def _all_worths(script: list[str], film: list[str], lexicon: Lexicon) -> list[float]:
    worths = []
    for size in range(min(len(script), len(film)) + 1):
        for rows in combinations(range(len(script)), size):
            for columns in combinations(range(len(film)), size):
                pairs = np.full(len(film), -1)
                scores = np.zeros(len(film))
                for i, j in zip(rows, columns, strict=True):
                    pairs[j] = i
                    equal = 1.0 + lexicon.rarity[lexicon.number[script[i]]]
                    scores[j] = equal if script[i] == film[j] else -UNLIKE
                worths.append(_worth(pairs, scores, len(script)))
    return worths


def test_a_text_is_paired_with_itself() -> None:
    rng = random.Random(2)
    words = words_of([sentence(rng, 8) + " " + common(rng, 4) for _ in range(30)])
    assert list(match_words(words, words).script) == list(range(len(words)))


def test_moved_scenes_are_found() -> None:
    rng = random.Random(3)
    scenes = [[sentence(rng, 9) for _ in range(6)] for _ in range(4)]
    script = words_of([u for k in (0, 1, 2, 3) for u in scenes[k]])
    film = words_of([u for k in (0, 3, 1, 2) for u in scenes[k]])
    matches = match_words(script, film)
    assert (matches.script >= 0).all()
    assert [script.words[i] for i in matches.script] == list(film.words)
    assert 0 < matches.moved.mean() < 0.5


def test_strangers_share_next_to_nothing() -> None:
    rng = random.Random(4)
    script = words_of([sentence(rng, 5) + " " + common(rng, 5) for _ in range(200)])
    film = words_of([sentence(rng, 5) + " " + common(rng, 5) for _ in range(200)])
    assert match_words(script, film).equal.mean() < 0.05


def test_a_huge_unknown_stretch_is_left_alone() -> None:
    """Two thousand words that differ, between parts that are equal."""
    rng = random.Random(5)
    start, end = [sentence(rng, 200)], [sentence(rng, 200)]
    script = words_of([*start, sentence(rng, 2000), *end])
    film = words_of([*start, sentence(rng, 2000), *end])
    matches = match_words(script, film)
    assert matches.equal[:200].all()
    assert matches.equal[-200:].all()
    assert not matches.equal[200:-200].any()


@given(
    st.lists(st.sampled_from("abcdefgh"), max_size=60),
    st.lists(st.sampled_from("abcdefgh"), max_size=60),
)
def test_no_script_word_is_paired_twice(left: list[str], right: list[str]) -> None:
    script, film = words_of([" ".join(left)]), words_of([" ".join(right)])
    paired = [int(i) for i in match_words(script, film).script if i >= 0]
    assert len(paired) == len(set(paired))
