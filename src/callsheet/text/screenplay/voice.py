"""The voice of a line: do these words sound spoken, or told?

"You could have told me." is speech; "She nods, then runs out." is description. Where a file
tells the two apart by indentation this hardly matters; where OCR or a web page flattened the
layout it is all there is. A line's score is a sum of weights of its features (`voice.tsv`: words
and habits of style, learnt by `voice_training` from the layouts of screenplays that tell
the two apart, so from no annotation): above 0 spoken, below 0 told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

WEIGHTS_FILE = "voice.tsv"
_TOKEN = re.compile(r"[A-Za-z]+(?:['\u2019][A-Za-z]+)*|[?!,;:\"]|\.{2,}|\.|--+|\d+")
_MARKS = {"?", "!", ";", ":", '"'}
CLIP = 3.0
"""No line is surer than this, however long: its words lean on each other."""


def spoken_score(text: str, weights: Mapping[str, float]) -> float:
    """Log-odds that the words are spoken rather than told."""
    total = weights.get("bias", 0.0) + sum(weights.get(f, 0.0) for f in set(features(text)))
    return max(-CLIP, min(CLIP, total))


@cache
def shipped_weights() -> Mapping[str, float]:
    """The weights of the package."""
    table = files("callsheet.text.screenplay").joinpath(WEIGHTS_FILE).read_text("utf-8")
    rows = (line.split("\t") for line in table.splitlines() if line and not line.startswith("#"))
    return {feature: float(weight) for feature, weight in rows}


def features(text: str) -> Iterator[str]:
    """Words and habits of style of one line."""
    tokens = _TOKEN.findall(text)
    words = [t for t in tokens if t[0].isalpha()]
    shouting = bool(words) and all(w.isupper() for w in words)
    for place, (token, after) in enumerate(zip(tokens, [*tokens[1:], ""], strict=False)):
        yield from _token_features(token, after, first=place == 0, shouting=shouting)
    if tokens and tokens[-1] not in _MARKS and not tokens[-1].startswith("."):
        yield "end=open"


def _token_features(token: str, after: str, *, first: bool, shouting: bool) -> Iterator[str]:
    if not token[0].isalpha():
        yield f"mark={token[:2]}" if token[:2] in ("..", "--") else f"mark={token}"
        return
    word = token.lower().replace("\u2019", "'")
    yield f"first={word}" if first else f"word={word}"
    yield f"end={word[-2:]}" if word[-2:] in ("ed", "ly") else f"end={word[-1:]}"
    if word.endswith("ing"):
        yield "end=ing"
    if "'" in word:
        yield f"short='{word.rsplit(chr(39), 1)[1]}"
    capital = token[0].isupper() and word not in ("i", "i'm", "i'll", "i've", "i'd")
    if capital and after[:1].islower():
        # "Rick stops", "RICK nods": a name and a verb in the present
        yield f"{'first ' if first else ''}name+{'s' if after.endswith('s') else 'word'}"
    if capital and not first and after in (".", "?", "!", ","):
        yield f"name{after}"
    if token.isupper() and len(token) > 2 and not shouting:
        yield "loud word"
