"""Words as they are compared: the same for a script and for subtitles, whoever typed them.

Case, accents, punctuation, digits and a few spellings that differ between a page and a
subtitle ("gonna", "OK", "Mr.") are levelled out; everything else is left to the fuzzy
comparison of `kernels`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

# Scripts without spaces between words (Chinese, Japanese, Thai...) are read sign by sign.
_UNSPACED = "\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_APOSTROPHE = re.compile(r"(?<=\w)['\u2019\u02bc`](?=\w)")

_SPELLINGS = {
    "ok": ("okay",),
    "okey": ("okay",),
    "alright": ("all", "right"),
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
    "gotta": ("got", "to"),
    "kinda": ("kind", "of"),
    "gimme": ("give", "me"),
    "lemme": ("let", "me"),
    "dunno": ("dont", "know"),
    "cause": ("because",),
    "cos": ("because",),
    "cuz": ("because",),
    "em": ("them",),
    "ya": ("you",),
    "mr": ("mister",),
    "mrs": ("missus",),
    "dr": ("doctor",),
    "yeah": ("yes",),
    "yep": ("yes",),
    "hmm": ("hm",),
    "mmm": ("hm",),
    "mm": ("hm",),
    "uhh": ("uh",),
    "umm": ("um",),
}
_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen"),
    *("eighteen", "nineteen"),
)
_TENS = (
    *("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty"),
    "ninety",
)


@dataclass(frozen=True, slots=True)
class Words:
    """Words in order, each with the index of its owner (a dialogue element, a subtitle line).

    `owner` has one index a word, never falling; owners without words are missing from it.
    """

    words: tuple[str, ...]
    owner: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.words)

    @property
    def opens(self) -> npt.NDArray[np.bool_]:
        """True where a word is the first of its owner."""
        first = np.ones(len(self), dtype=np.bool_)
        first[1:] = self.owner[1:] != self.owner[:-1]
        return first


def split_words(text: str) -> list[str]:
    """Level a text out and split it into words."""
    plain = text.casefold()
    if not plain.isascii():
        signs = unicodedata.normalize("NFKD", plain)
        plain = "".join(sign for sign in signs if not unicodedata.combining(sign))
    found: list[str] = []
    for word in _WORD.findall(_APOSTROPHE.sub("", plain)):
        found.extend(_levelled(word))
    return found


def words_of(texts: Sequence[str]) -> Words:
    """All words of some texts; the owner of a word is the index of its text."""
    words: list[str] = []
    owner: list[int] = []
    for index, text in enumerate(texts):
        split = split_words(text)
        words += split
        owner += [index] * len(split)
    return Words(tuple(words), np.array(owner, dtype=np.int64))


def _levelled(word: str) -> tuple[str, ...]:
    if len(word) <= 4 and word.isascii() and word.isdigit():
        return tuple(_spoken_number(int(word)))
    return _SPELLINGS.get(word, (word,))


def _spoken_number(number: int) -> list[str]:
    """12 -> twelve; 1942 -> one thousand nine hundred forty two (fuzziness does the rest)."""
    if number < 20:
        return [_UNITS[number]]
    if number < 100:
        rest = [_UNITS[number % 10]] if number % 10 else []
        return [_TENS[number // 10], *rest]
    size, name = (100, "hundred") if number < 1000 else (1000, "thousand")
    rest = _spoken_number(number % size) if number % size else []
    return [*_spoken_number(number // size), name, *rest]
