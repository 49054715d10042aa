"""Cut a paragraph of description into sentences.

Rules rather than the parser's own borders: screenplays end sentences with dashes and dots of
all kinds and write names in capitals, which a model of newspaper English cuts at.
"""

from __future__ import annotations

import re

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


def split_sentences(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph, stripped, none empty."""
    text = " ".join(paragraph.split())
    sentences, start = [], 0
    for end in _END.finditer(text):
        if _goes_on(text, end):
            continue
        sentences.append(text[start : end.end()].strip())
        start = end.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if any(c.isalnum() for c in sentence)]


def _goes_on(text: str, end: re.Match[str]) -> bool:
    """Whether the stop is of an abbreviation or initial, or a small letter follows it."""
    after = text[end.end() :].lstrip()
    if after[:1].islower():
        return True
    word = re.split(r"[^\w]", text[: end.start()])[-1]
    is_initial = len(word) == 1 and word.isupper() and word != "I" and end.group() == "."
    return end.group().startswith(".") and (word.lower() in _ABBREVIATIONS or is_initial)
