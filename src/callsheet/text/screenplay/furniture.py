"""Page furniture: page numbers, (MORE), CONTINUED, revision marks and running heads.

Furniture belongs to the page and not to the story, so it is found first and taken out; what
the tagger sees runs on over the page break. Single lines are told by their form, running
heads by coming back on page after page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from callsheet.text.screenplay.headings import is_heading, starts_like_heading
from callsheet.text.screenplay.lines import Line, is_star
from callsheet.text.screenplay.names import name_scores

_PAGE_NUMBER = re.compile(
    r"^(?:[-\u2013\u2014~.\s(\[]{0,6}(?:p(?:age|g)?\b\.?\s*)?[A-Z]?\d{1,4}(?:\s*[-/]\s*\d{1,4})?[A-D]{0,2}"
    r"(?:\s+of\s+\d{1,4})?[-\u2013\u2014~.\s)\]*:]{0,6})$",
    re.IGNORECASE,
)
_WORDS = r"(?:MORE|CONT(?:['\u2019.]?D|INUED)(?:\s+ON\s+NEXT\s+PAGE)?)"
_MARGIN = r"\(?[A-Z]{0,2}\d{1,4}[A-Z]{0,2}\.?\)?"
_SCENE_NUMBER = r"(?:[A-Z]{0,2}\d{1,4}[A-Z]{0,2}[.)]?\s+)"
_CONTINUED = re.compile(
    r"^(?:(?i:[a-z\d])\s+)?"
    # In small letters only in brackets or with a number: "More." is a thing to say.
    rf"(?:{_SCENE_NUMBER}?{_WORDS}|(?i:{_SCENE_NUMBER}{_WORDS}|{_SCENE_NUMBER}?[(\[]\s*{_WORDS}))"
    rf"\s*[:.]*\s*(?:\(\d+\))?\s*[)\]]?\s*[:.]*(?:\s+{_MARGIN})*\*?$"
)
_COLOURS = r"(?:WHITE|BLUE|PINK|YELLOW|GREEN|GOLDENROD|BUFF|SALMON|CHERRY|TAN|REV(?:ISED|ISIONS?)?)"
_DATE = r"\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}"
_REVISED = re.compile(
    rf"^\W*(?:(?:FINAL|FULL|DOUBLE|SECOND|2ND)\s+)?{_COLOURS}\b[^,;!?]{{0,40}}?"
    rf"\b(?:REV(?:ISED|ISIONS?|\.)|SCRIPT|DRAFT|PAGES?|{_DATE})",
    re.IGNORECASE,
)
_DATED = re.compile(_DATE)
_SMALL_WORD = re.compile(r"(?<![\w'\u2019])(?!(?:rev|page|draft|script)[a-z]*\b)[a-z]+\b")
_DIGITS = re.compile(r"\d+")
_ADDRESS = re.compile(r"https?://\S+|www\.\S+\.\w+", re.IGNORECASE)
_SOURCE = re.compile(
    r"\b(?:script|screenplay|transcript|transcribed|converted|downloaded|hosted|courtesy)\b",
    re.IGNORECASE,
)
_PROVIDED = re.compile(r"converted to pdf|^\W*script provided\b", re.IGNORECASE)
_NUMBER = re.compile(r"^\d{1,4}[.!?]*$")
_RUNNING_HEAD_TIMES = 5


def furniture(lines: Sequence[Line]) -> list[bool]:
    """Whether each line is furniture."""
    heads = _running_heads(lines)
    marks = [_is_mark(line.text) or _frame(line.text) in heads for line in lines]
    for said in _spoken_numbers(lines, marks):
        marks[said] = False
    return marks


def _is_mark(text: str) -> bool:
    short = " ".join(text.split()) if len(text) < 200 else ""
    return bool(short) and (
        is_star(short)
        or _PAGE_NUMBER.match(short) is not None
        or _CONTINUED.match(short) is not None
        or (len(short) < 80 and _is_revision(short))
        or (len(short) < 100 and _is_source(short))
    )


def _is_revision(text: str) -> bool:
    """ "Blue Revision 8/24/07", "WHITE PAGES"; not "White pages flutter across the floor."."""
    if _REVISED.match(text) is None:
        return False
    return _DATED.search(text) is not None or len(_SMALL_WORD.findall(text)) < 2


def _is_source(text: str) -> bool:
    """An address alone, or with words on whose script it is: he may also type one."""
    if _PROVIDED.search(text):
        return True
    rest, addresses = _ADDRESS.subn("", text)
    return addresses > 0 and (not _has_letters(rest) or _SOURCE.search(rest) is not None)


def _spoken_numbers(lines: Sequence[Line], marks: Sequence[bool]) -> list[int]:
    """Bare numbers right under a cue: "ILSA / 1942." is an answer.

    If the numbers under one line rise from page to page, that line is a running head.
    """
    names = name_scores([line.text for line in lines])
    under: dict[str, list[int]] = {}
    for at, line in enumerate(lines):
        cue = _cue_above(lines, at, names) if marks[at] and _NUMBER.match(line.text) else None
        if cue is not None and not marks[cue]:
            under.setdefault(lines[cue].text, []).append(at)
    return [
        at
        for found in under.values()
        if not _rises([int(_DIGITS.findall(lines[i].text)[0]) for i in found])
        for at in found
    ]


def _cue_above(lines: Sequence[Line], at: int, names: Sequence[float]) -> int | None:
    """The cue right above a line; parentheticals may stand between them."""
    while at and not lines[at].blanks and lines[at - 1].text.startswith("("):
        at -= 1
    if not at or lines[at].blanks:
        return None
    is_cue = names[at - 1] >= 1 and not starts_like_heading(lines[at - 1].text)
    return at - 1 if is_cue else None


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
