"""People whom only the descriptions know: "KATE (30s), a nurse, enters. Kate sits down."

Screenplays write a name in capitals where somebody is first seen, with an age, a bracket or a
comma behind it. So are many props and sounds, hence what is asked besides: the name comes back,
and its words are nowhere written small, as a place, or with an article.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from callsheet.text.cast.mentions import count_mentions, small_words
from callsheet.text.cast.names import parse_person
from callsheet.text.cast.roles import is_generic, is_group, is_role
from callsheet.text.grammar.lexicon import given_names, word_list

_WORD = r"[A-Z\u00c0-\u00de][A-Z\u00c0-\u00de'\u2019.-]{0,30}[A-Z\u00c0-\u00de]"
_INTRODUCED = re.compile(
    rf"(?<![\w'\u2019.-])({_WORD}(?:\s+{_WORD}){{0,3}})\s*([,(]\s*[^.;]{{0,40}})"
)
_AGE = re.compile(
    r"^[,(]\s*(?:(?:in\s+(?:his|her|their)|an?|about|around|maybe|early|mid|middle|late|only|just)"
    r"[\s-]+)*(?:\d{1,2}(?:['\u2019]?s|ish)?\b(?!\s*[:%]|\d)|\d{1,2}-year|"
    r"(?:teens|twent|thirt|fort|fift|sixt|sevent|eight)\w*)",
    re.IGNORECASE,
)
_PLACE_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][Ss]\b)?")
_TITLED = re.compile(r"(?<=[a-z,;] )[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+\b")
_FEWEST_WITH_AGE, _FEWEST = 2, 3
"""Mentions: an age is a person's, a bracket may say anything."""
_ARTICLE = re.compile(r"\b(?:the|an?)\s+$", re.IGNORECASE)
_NEAR = 8
"""Characters before a name in which its article stands."""
_NOT_PEOPLE = frozenset(word.upper() for word in word_list("not people"))

_FEWEST_ACTS = 2
_ACTS = re.compile(r"\b([A-Z\u00c0-\u00de][A-Za-z\u00c0-\u00ff]+)\s+(?!is\b|was\b|has\b)[a-z]+s\b")


@dataclass(frozen=True, slots=True)
class _Words:
    """Words that are hardly names (written `small`, in `places`, or `taken` by speakers), and
    words that are (`titled` in the middle of a sentence)."""

    small: frozenset[str]
    places: frozenset[str]
    taken: frozenset[str]
    titled: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Told:
    """How often names come, and the capitalised words that verbs follow."""

    words: _Words
    mentions: Counter[str]
    acting: tuple[str, ...]


def introduced(
    descriptions: Sequence[str], headings: Iterable[str], speakers: Iterable[str]
) -> list[tuple[str, ...]]:
    """People who are introduced and never speak: full name, then parts they are called by."""
    words = _Words(
        small_words(descriptions),
        frozenset(w for text in headings for w in _PLACE_WORD.findall(text.upper())),
        frozenset(token for name in speakers for token in parse_person(name).tokens),
        frozenset(w.upper() for text in descriptions for w in _TITLED.findall(text)),
    )
    aged: dict[str, bool] = {}
    for name, has_age in _candidates(descriptions, words):
        aged[name] = aged.get(name, False) or has_age
    owners = Counter(token for name in aged for token in set(name.split()))
    people = [(name, *_parts(name, owners, words)) for name in aged]
    told = _Told(
        words,
        count_mentions(descriptions, {n: names[0] for names in people for n in names}),
        tuple(word for text in descriptions for word in _ACTS.findall(text)),
    )
    return [n for n in people if _comes_back(n[0], told, has_age=aged[n[0]])]


def _candidates(descriptions: Sequence[str], words: _Words) -> Iterator[tuple[str, bool]]:
    for text in descriptions:
        for found in _INTRODUCED.finditer(text):
            run = found[1].split()
            name = _name_at_end(run, words)
            article = _ARTICLE.search(text, max(0, found.start() - _NEAR), found.start())
            if name and not (article and len(name) == len(run)):
                yield " ".join(name), _AGE.match(found[2]) is not None


def _name_at_end(run: Sequence[str], words: _Words) -> list[str]:
    """ "ANGLE ON KATE BISHOP": the last words, as far as they may be a name."""
    name: list[str] = []
    for word in reversed(run):
        if not _may_be_name(word, words):
            break
        name.insert(0, word)
    return [] if any(word in words.taken for word in run) else name


def _may_be_name(word: str, words: _Words) -> bool:
    if not word.replace("-", "").isalpha() or len(word) < 3 or word in _NOT_PEOPLE:
        return False
    parsed = parse_person(word)
    if is_role(word) or is_generic(parsed) or is_group(parsed):
        return False
    return word not in words.small or word.lower() in given_names()


def _parts(name: str, owners: Counter[str], words: _Words) -> list[str]:
    """First and last name, where they are nobody else's and no words."""
    tokens = name.split()
    if len(tokens) < 2:
        return []
    return [t for t in tokens if owners[t] == 1 and t not in words.small]


def _comes_back(name: str, told: _Told, *, has_age: bool) -> bool:
    """With an age, twice; else often, with a given name or as one who does something."""
    if has_age:
        return told.mentions[name] >= _FEWEST_WITH_AGE
    tokens = name.split()
    named = all(token in told.words.titled - told.words.places for token in tokens)
    acts = named and sum(found.upper() == tokens[-1] for found in told.acting) >= _FEWEST_ACTS
    return told.mentions[name] >= _FEWEST and (tokens[0].lower() in given_names() or acts)
