"""Undo the capitals of screenplays, which mislead a parser of ordinary English.

"RICK SLAMS the door" becomes "Rick slams the door": a word in capitals is a name, an
introduction of somebody ("an OLD MAN"), or merely loud. Which of them is read from the names
that are known, from the word before and the word after, and from a list of English words.
"""

from __future__ import annotations

import re
from collections.abc import Set
from dataclasses import dataclass

from callsheet.text.grammar.lexicon import TITLES, given_names, word_list
from callsheet.text.grammar.rephrasing import rephrased

_WORD = re.compile(r"[^\W\d_](?:[\w]|['’](?=\w))*")
_ASIDE = re.compile(r"\s*[\(\[][^()\[\]]*[\)\]]")
_DASH = re.compile(r"\s*(?:--+|[\u2013\u2014])\s*|\s+-\s+")
_DOTS = re.compile(r"\s*(?:\.{2,}|\u2026)\s*(?=\S)")
_DETERMINERS = word_list("determiners")


@dataclass(frozen=True, slots=True)
class EnglishWords:
    """Dictionary forms of English, small letters, by part of speech."""

    nouns: Set[str]
    verbs: Set[str]
    others: Set[str]

    def knows(self, word: str) -> bool:
        return word in self.nouns or word in self.others or bool(self.verb_of(word))

    def verb_of(self, word: str) -> str | None:
        """The dictionary form, if `word` can be a form of a verb."""
        endings = (("", ""), ("s", ""), ("es", ""), ("ies", "y"), ("ing", ""), ("ing", "e"))
        for ending, back in (*endings, ("ed", ""), ("ed", "e")):
            stem = word.removesuffix(ending) + back
            if not word.endswith(ending):
                continue
            if stem in self.verbs:
                return stem
            if ending in ("ing", "ed") and stem[-1:] == stem[-2:-1] and stem[:-1] in self.verbs:
                return stem[:-1]
        return None

    def is_finite(self, word: str) -> bool:
        """Whether `word` looks like "sits", the form screenplays tell with."""
        return word in _BE or (word.endswith("s") and self.verb_of(word) is not None)


_BE = frozenset(("is", "are", "has", "does", "was"))
_LOOKS_SMALL = word_list("looks small")

_AGE_ALONE = re.compile(r",\s*\d{1,2}(?:'?s)?\s*,(?=[^,]*$)")
"""The only commas behind a name: "a YOUNG MAN, 25, gets up"."""
_AGE = re.compile(
    r",\s*(?:(?:aged?|around|about|nearly|in (?:his|her|their))\s+)?(?:(?:early|mid|late)[\s-]+)?"
    r"(?:to[\s-]+(?:early|mid|late)[\s-]+)?\d{1,2}(?:'?s\b|-ish\b|-something\b)?"
    r"(?:\s+years? old)?\s*(?=,)",
    re.IGNORECASE,
)
"""An age between commas, which a parser takes for one more person."""


def plain(text: str) -> str:
    """Drop bracketed asides ("(40s, tall)") and ages (", 40s,"); make dashes and dots commas."""
    bare = _ASIDE.sub("", text)
    bare = bare if any(c.isalpha() for c in bare) else text.strip("()[] ")
    bare = bare.replace("’", "'").replace("‘", "'").replace("“", '"').replace("”", '"')
    bare = _DOTS.sub(", ", _DASH.sub(", ", bare))
    bare = _AGE_ALONE.sub("", re.sub(r"\s+,", ",", bare))
    return " ".join(rephrased(_AGE.sub("", bare).strip(" ,-*•")).split())


def natural_case(text: str, names: Set[str], words: EnglishWords) -> str:
    """Rewrite words in capitals; `names` are known names' words in capitals."""
    found = list(_WORD.finditer(text))
    big = [_is_big(match.group()) for match in found]
    shouted = len(found) > 1 and sum(big) == sum(len(m.group()) > 1 for m in found)
    pieces, end = [], 0
    for at, match in enumerate(found):
        before = found[at - 1].group() if at else ""
        after = found[at + 1].group() if at + 1 < len(found) else ""
        if at and any(c in ".!?" for c in text[found[at - 1].end() : match.start()]):
            before = ""
        word = match.group()
        beside = bool(at) and text[found[at - 1].end() : match.start()].isspace()
        if (
            big[at]
            and before.lower() == "and"
            and big[at - 2]
            and not words.is_finite(word.lower())
        ):
            word = _title(word) if at > 1 else word  # "MARLOW and PIKE"
        elif big[at]:
            named = beside and _calls(before, word, after, words)
            word = _rewritten(word, before, after, names, words, shouted=shouted, named=named)
        pieces += [text[end : match.start()], word]
        end = match.end()
    return _opened("".join([*pieces, text[end:]]))


def _opened(text: str) -> str:
    """Begin with a capital."""
    return text[:1].upper() + text[1:]


def _is_big(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def _rewritten(
    word: str,
    before: str,
    after: str,
    names: Set[str],
    words: EnglishWords,
    *,
    shouted: bool,
    named: bool,
) -> str:
    lower = word.lower()
    stem = re.sub(r"['’]s?$", "", lower)
    if stem.upper() in names or named:
        return _title(word)
    if lower in _LOOKS_SMALL:
        return word
    if lower in TITLES and _is_big(after) and not words.is_finite(after.lower()):
        return _title(word)
    if (
        stem in given_names()
        and before.lower() not in _DETERMINERS
        and not (before and words.is_finite(lower))
    ):
        return _title(word)
    if not words.knows(stem):
        return _title(word) if lower not in CLOSED else lower
    if before.lower() in _DETERMINERS or (before and words.verb_of(stem)):
        return lower
    if not before and _told_of(lower, after, words, shouted=shouted):
        return _title(word)
    return lower


def _calls(before: str, word: str, after: str, words: EnglishWords) -> bool:
    """Whether the word before begins a name that goes on: "DETECTIVE DIAZ", "JOHN STONE"."""
    lower = word.lower()
    # "CORPORAL HAYES sprints": a verb follows, so the name is none, though it looks like one.
    verb = words.is_finite(lower) and not words.is_finite(after.lower())
    if verb or lower in CLOSED or lower.endswith("ing"):
        return False
    return _is_big(before) and before.lower() in TITLES | given_names().keys()


def _told_of(lower: str, after: str, words: EnglishWords, *, shouted: bool) -> bool:
    """Whether a sentence begins "STONE runs": somebody called so, not a thing with an article."""
    if lower in words.others or lower in CLOSED or words.is_finite(lower):
        return False
    return words.is_finite(after.lower()) and (shouted or not _is_big(after) or len(lower) > 2)


CLOSED = word_list("closed")


def _title(word: str) -> str:
    """RICK -> Rick, O'NEIL -> O'Neil, RICK'S -> Rick's, MCCOY -> McCoy."""
    first, mark, rest = word.partition("'")
    if mark and len(first) == 1 and len(rest) > 1:
        return f"{first}'{rest.capitalize()}"
    first = first.capitalize()
    if first.startswith("Mc") and len(first) > 3:
        first = "Mc" + first[2:].capitalize()
    return first + mark + rest.lower()
