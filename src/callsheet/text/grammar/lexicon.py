"""Word lists of the grammar, read once: given names, nouns for persons, their gender.

The lists are tables in `callsheet/text/resources`, so that they can be read and mended.
Gender is "m", "f" or "" (either, or not known).
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files


def resource_rows(name: str) -> list[dict[str, str]]:
    """Rows of one of the package's own CSV tables."""
    text = (files("callsheet.text.resources") / name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


@cache
def _word_lists() -> dict[str, frozenset[str]]:
    rows = resource_rows("word_lists.csv")
    return {row["list"]: frozenset(row["words"].split()) for row in rows}


def word_list(name: str) -> frozenset[str]:
    """One of the lists of `resources/word_lists.csv`."""
    return _word_lists()[name]


TITLES = word_list("titles")
_MALE_TITLES = word_list("male titles")
_FEMALE_TITLES = word_list("female titles")


@cache
def given_names() -> dict[str, str]:
    """Lower-case given name -> gender."""
    return {
        name: row["gender"]
        for row in resource_rows("given_names.csv")
        for name in row["names"].split()
    }


@cache
def person_nouns() -> dict[str, str]:
    """Lower-case singular noun for a person -> gender."""
    return {
        noun: row["gender"]
        for row in resource_rows("person_nouns.csv")
        for noun in row["nouns"].split()
    }


def is_person_noun(word: str, lemma: str) -> bool:
    """Whether a small-letter noun names a person: listed, or any "-man", "-girl", "-keeper"."""
    singular = word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
    listed = any(form in person_nouns() for form in (word, lemma, singular))
    return listed or (word.endswith(_MAN) and len(word) > 5 and word not in _NO_MAN)


_MAN = ("man", "men", "woman", "women", "boy", "girl", "boys", "girls", "keeper", "keepers")
_NO_MAN = frozenset(("human", "ottoman", "talisman", "specimen", "regimen", "abdomen", "acumen"))


def gender_of(name: str) -> str:
    """Gender of a name or of a noun for a person, as far as its words tell."""
    words = name.lower().split()
    for word in words:
        if word in _MALE_TITLES:
            return "m"
        if word in _FEMALE_TITLES:
            return "f"
    for word in words:
        if word in given_names():
            return given_names()[word]
    return person_nouns().get(words[-1], "") if words else ""
