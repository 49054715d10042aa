"""Names in descriptions: full names that introduce people, and how often each is mentioned."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from callsheet.text.cast.roles import is_role
from callsheet.text.grammar.lexicon import given_names

_CAPITALISED = re.compile(
    r"\b[A-Z\u00c0-\u00de][\w\u2019'.-]{0,30}(?:\s+[A-Z\u00c0-\u00de][\w\u2019'-]*){1,2}(?P<after>\s*[,(])?"
)
_TITLED = re.compile(r"\b[A-Z\u00c0-\u00de][a-z\u00df-\u00ff]+\b")
_PLAIN = re.compile(r"[^\w'\u2019.-]+|\.(?=\s|$)")
_SMALL = re.compile(r"\b[a-z\u00df-\u00ff]+\b")


def full_names(descriptions: Sequence[str], speakers: Iterable[str]) -> list[str]:
    """Names of two or three words, one of which is a speaker: "RICK BLAINE, 37, sits...".

    A name must introduce somebody (a comma or bracket follows) or come twice, and its other
    words must look like names, not like words ("Rick Enters", "ANGLE ON RICK").
    """
    wanted = {name.upper() for name in speakers if " " not in name}
    small = small_words(descriptions)
    titled = {word.upper() for text in descriptions for word in _TITLED.findall(text)}
    seen: Counter[str] = Counter()
    introduced: set[str] = set()
    for found in (match for text in descriptions for match in _CAPITALISED.finditer(text)):
        name = " ".join(found.group().rstrip(" ,(").upper().split())
        name = re.sub(r"['\u2019]S$", "", name)
        if _is_full_name(name.split(), wanted, small, titled):
            seen[name] += 1
            introduced.update([name] if found["after"] else [])
    likely = [name for name, count in seen.most_common() if count > 1 or name in introduced]
    return _one_each(likely, wanted)


def small_words(texts: Iterable[str]) -> frozenset[str]:
    """All words written in small letters, in capitals."""
    return frozenset(word.upper() for text in texts for word in _SMALL.findall(text))


def _is_full_name(
    words: Sequence[str], wanted: set[str], small: frozenset[str], titled: set[str]
) -> bool:
    others = [word for word in words if word not in wanted]
    if len(others) != len(words) - 1 or not others:
        return False
    return all(_is_name(w, w in titled) and w not in small and not is_role(w) for w in others)


def _is_name(word: str, titled: bool) -> bool:
    """Capitals alone tell nothing of a word that may be a verb ("RICK ROARS, ...")."""
    if not word.isalpha() or len(word) < 3:
        return False
    return titled or word.lower() in given_names() or not word.endswith(("S", "ING", "ED", "T"))


def _one_each(names: Iterable[str], wanted: set[str]) -> list[str]:
    """The most frequent full name of every speaker."""
    taken: set[str] = set()
    kept = []
    for name in names:
        speaker = next(word for word in name.split() if word in wanted)
        if speaker not in taken:
            taken.add(speaker)
            kept.append(name)
    return kept


def count_mentions(descriptions: Iterable[str], persons: Mapping[str, str]) -> Counter[str]:
    """How often each person is named; `persons` maps names to persons, the longest name wins."""
    found: Counter[str] = Counter()
    folded = {" ".join(name.upper().split()): person for name, person in persons.items()}
    if not folded:
        return found
    longest_first = sorted(folded, key=len, reverse=True)
    choices = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in longest_first)
    pattern = re.compile(rf"(?<!\w)(?:{choices})(?!\w)", re.IGNORECASE)
    for text in descriptions:
        for match in pattern.finditer(text):
            # "will" and "rose" in small letters are words, not Will and Rose.
            if match.group().lstrip("\"\u201c'")[:1].isupper():
                found[folded[" ".join(match.group().upper().split())]] += 1
    return found


def called_with_article(descriptions: Sequence[str], names: Iterable[str]) -> frozenset[str]:
    """Names that descriptions mostly use with an article: "the BEEKEEPER", not "ALDEN"."""
    wanted = {" ".join(name.upper().split()) for name in names}
    total, articled = Counter[str](), Counter[str]()
    for text in descriptions:
        words = _PLAIN.sub(" ", text.upper()).split()
        for length in (1, 2, 3):
            for start in range(len(words) - length + 1):
                name = " ".join(words[start : start + length])
                if name in wanted:
                    total[name] += 1
                    articled[name] += bool(start) and words[start - 1] in ("THE", "A", "AN")
    return frozenset(name for name, count in total.items() if articled[name] > 0.5 * count)
