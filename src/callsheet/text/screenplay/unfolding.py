"""Lines that hold more than one element are unfolded before the layout is learnt.

Two-column dialogue: two cues side by side, two speeches under them. They become one speech after
the other. Cues with their speech on the same line ("RICK: Hello."), where a file is written so
throughout: they become two lines. Unfolded lines keep the number of the line they come from.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from callsheet.text.screenplay.headings import starts_like_heading
from callsheet.text.screenplay.lines import Line
from callsheet.text.screenplay.names import name_scores

_TWO = re.compile(r"^(\S(?:.{0,40}?\S)?)(\s{5,})(\S.{0,40})$")
_INLINE = re.compile(r"^([A-Z][A-Z0-9 .'&#/-]{1,30}(?:\([^()]{1,30}\))?):\s+(\S.*)$")
_INLINE_SHARE = 0.15
_INLINE_TIMES = 3


def unfold(lines: Sequence[Line]) -> list[Line]:
    """Unfold two-column dialogue and, where a file uses them, cues before their words."""
    straight = list(_without_columns(lines))
    return list(_without_inline(straight)) if _uses_inline(straight) else straight


def _without_columns(lines: Sequence[Line]) -> Iterator[Line]:
    at = 0
    while at < len(lines):
        block = _column_block(lines, at)
        boundary = _boundary(block) if block else None
        if boundary is None:
            yield lines[at]
            at += 1
        else:
            yield from _side(block, boundary, right=False)
            yield from _side(block, boundary, right=True)
            at += len(block)


def _column_block(lines: Sequence[Line], at: int) -> list[Line]:
    """The line of two cues and what stands under it up to a blank line; empty if it is none."""
    found = _TWO.match(lines[at].text)
    if found is None or any(not _is_cue(found[side]) for side in (1, 3)):
        return []
    end = at + 1
    while end < len(lines) and end - at < 60 and not lines[end].blanks:
        end += 1
    return list(lines[at:end]) if end > at + 1 else []


def _is_cue(text: str) -> bool:
    return text[0].isalpha() and name_scores([text])[0] >= 1 and not starts_like_heading(text)


def _boundary(block: Sequence[Line]) -> int | None:
    """A column between the two cues where every line of the block is blank."""
    found = _TWO.match(block[0].text)
    if found is None:
        return None
    rows = [" " * line.indent + line.text for line in block]
    first, last = block[0].indent + found.end(1), block[0].indent + found.start(3)
    for column in range(last - 1, first, -1):
        if all(row[column - 1 : column + 1].strip() == "" for row in rows):
            return column
    return None


def _side(block: Sequence[Line], boundary: int, *, right: bool) -> Iterator[Line]:
    blanks = max(1, block[0].blanks)
    for line in block:
        row = " " * line.indent + line.text
        part = row[boundary:] if right else row[:boundary]
        if words := part.strip():
            indent = (boundary if right else 0) + len(part) - len(part.lstrip())
            yield Line(line.number, indent, words, blanks)
            blanks = 0


def _uses_inline(lines: Sequence[Line]) -> bool:
    names = Counter(found[1] for line in lines if (found := _INLINE.match(line.text)))
    known = sum(times for times in names.values() if times >= _INLINE_TIMES)
    return known >= max(2 * _INLINE_TIMES, _INLINE_SHARE * len(lines))


def _without_inline(lines: Sequence[Line]) -> Iterator[Line]:
    for line in lines:
        found = _INLINE.match(line.text)
        if found is None or starts_like_heading(line.text):
            yield line
        else:
            # A blank line before the cue, as every other layout has it.
            yield replace(line, text=found[1], blanks=max(1, line.blanks))
            yield replace(line, text=found[2], indent=line.indent + found.start(2), blanks=0)
