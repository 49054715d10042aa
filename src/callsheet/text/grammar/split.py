"""Cut a paragraph of description into sentences.

Rules rather than the parser's own borders: screenplays end sentences with dashes and dots of
all kinds and write names in capitals, which a model of newspaper English cuts at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ABBREVIATIONS = frozenset(
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "st",
        "lt",
        "col",
        "gen",
        "sgt",
        "capt",
        "cpl",
        "prof",
        "rev",
        "hon",
        "jr",
        "sr",
        "vs",
        "etc",
        "no",
        "int",
        "ext",
        "dept",
        "fr",
    ]
)
_END = re.compile(r"(?:[.!?]+|\u2026)[\"'”’)\]]*(?=\s+|$)")
LONGEST = 1200
"""Characters: what runs on for longer is no sentence, and is cut where it pauses."""


def split_sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph, stripped, none empty and none endless."""
    text = " ".join(paragraph.split())
    sentences, start = [], 0
    for end in _END.finditer(text):
        if _goes_on(text, end):
            continue
        sentences.append(text[start : end.end()].strip())
        start = end.end()
    sentences.append(text[start:].strip())
    cut = (piece for sentence in sentences for piece in _pieces(sentence))
    return [piece for piece in cut if any(c.isalnum() for c in piece)]


def _pieces(sentence: str) -> Iterator[str]:
    """Cut at the last semicolon, else comma, else space before it gets too long."""
    while len(sentence) > LONGEST:
        head = sentence[:LONGEST]
        at = next((p + 1 for mark in (";", ",", " ") if (p := head.rfind(mark)) > 0), LONGEST)
        yield sentence[:at].strip()
        sentence = sentence[at:].strip()
    yield sentence


def _goes_on(text: str, end: re.Match[str]) -> bool:
    """Whether the stop is of an abbreviation or initial, or a small letter follows it."""
    after = text[end.end() :].lstrip()
    if after[:1].islower():
        return True
    word = re.split(r"[^\w]", text[: end.start()])[-1]
    is_initial = len(word) == 1 and word.isupper() and word != "I" and end.group() == "."
    return end.group().startswith(".") and (word.lower() in _ABBREVIATIONS or is_initial)
