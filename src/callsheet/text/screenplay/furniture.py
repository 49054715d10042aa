"""Page furniture: page numbers, (MORE), CONTINUED, revision marks and running heads.

Furniture belongs to the page and not to the story, so it is found first and taken out; what
the tagger sees runs on over the page break. Single lines are told by their form, running
heads by coming back on page after page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from callsheet.text.screenplay.headings import is_heading
from callsheet.text.screenplay.lines import Line

_PAGE_NUMBER = re.compile(
    r"^(?:[-\u2013\u2014~.\s(\[]{0,6}(?:p(?:age|g)?\b\.?\s*)?[A-Z]?\d{1,4}(?:\s*[-/]\s*\d{1,4})?[A-D]{0,2}"
    r"(?:\s+of\s+\d{1,4})?[-\u2013\u2014~.\s)\]*:]{0,6})$",
    re.IGNORECASE,
)
_CONTINUED = re.compile(
    r"^(?:[a-z\d]\s+)?(?:[A-Z]{0,2}\d{1,4}[A-Z]{0,2}[.)]?\s+)?"
    r"[(\[]?\s*(?:MORE|CONT(?:['\u2019.]?D|INUED)(?:\s+ON\s+NEXT\s+PAGE)?)\s*[:.]*\s*"
    r"(?:\(\d+\))?\s*[)\]]?\s*[:.]*(?:\s+\(?[A-Z]{0,2}\d{1,4}[A-Z]{0,2}\.?\)?)*\*?$",
    re.IGNORECASE,
)
_REVISED = re.compile(
    r"^\W*(?:(?:FINAL|FULL|DOUBLE|SECOND|2ND)\s+)?(?:WHITE|BLUE|PINK|YELLOW|GREEN|GOLDENROD|BUFF|SALMON|CHERRY|TAN|"
    r"REV(?:ISED|ISIONS?)?)\b.{0,40}?\b(?:REV(?:ISED|ISIONS?|\.)|SCRIPT|DRAFT|PAGES?|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_SOURCE = re.compile(r"https?://\S+|www\.\S+\.\w+|converted to pdf|script provided", re.IGNORECASE)
_RUNNING_HEAD_TIMES = 5


def furniture(lines: Sequence[Line]) -> list[bool]:
    """Whether each line is furniture."""
    heads = _running_heads(lines)
    return [_is_mark(line.text) or _frame(line.text) in heads for line in lines]


def _is_mark(text: str) -> bool:
    short = " ".join(text.split()) if len(text) < 200 else ""
    return bool(short) and (
        _PAGE_NUMBER.match(short) is not None
        or _CONTINUED.match(short) is not None
        or (len(short) < 80 and _REVISED.match(short) is not None)
        or (len(short) < 100 and _SOURCE.search(short) is not None)
    )


def _running_heads(lines: Sequence[Line]) -> frozenset[str]:
    """Lines that differ only by a number at their end, or by nothing but the number, and come
    back with the number rising."""
    seen: dict[str, list[int]] = {}
    for line in lines:
        numbers = _DIGITS.findall(line.text) if len(line.text) < 120 else []
        if numbers and len(numbers[-1]) < 5 and not is_heading(line.text):
            seen.setdefault(_frame(line.text), []).append(int(numbers[-1]))
    return frozenset(f for f, numbers in seen.items() if _rises(numbers) and _has_letters(f))


def _rises(numbers: Sequence[int]) -> bool:
    """Whether these look like page numbers: many, hardly ever the same twice, rising."""
    if len(numbers) < _RUNNING_HEAD_TIMES:
        return False
    steps = [b - a for a, b in pairwise(numbers)]
    return sum(0 < step <= 3 for step in steps) >= 0.8 * len(steps)


def _frame(text: str) -> str:
    return " ".join(_DIGITS.sub("#", text).split()).upper()


def _has_letters(text: str) -> bool:
    return any(c.isalpha() for c in text)
