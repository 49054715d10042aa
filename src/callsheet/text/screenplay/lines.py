"""A screenplay as lines: what every reader makes of its file, and what the tagger looks at."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from callsheet.core import ElementKind

TAB_STOP = 8
_STAR_RIGHT = re.compile(r"(?<=\S)[ \t]+\*+[ \t]*$")
_STAR_LEFT = re.compile(r"^([ \t]*)(\*+)(?=[ \t]+\S)")
_NUMBER_RIGHT = re.compile(r"(?<=\S)[ \t]{3,}[A-Z]{0,2}\d{1,4}[A-Z]{0,2}\.?[ \t]*$")


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank: where it stood, its indentation in columns, its words, and how
    many blank lines stood before it."""

    number: int
    indent: int
    text: str
    blanks: int


@dataclass(frozen=True, slots=True)
class TaggedLine:
    """A line and its kind. `opens` starts a new element even after a line of the same kind;
    `last` is the last source line where a line of text covers several (XML, joined lines)."""

    number: int
    text: str
    kind: ElementKind
    opens: bool = False
    last: int = 0

    @property
    def last_number(self) -> int:
        return max(self.number, self.last)


def lines_of(texts: Sequence[str], numbers: Sequence[int] | None = None) -> list[Line]:
    """Number (from 1 unless given), measure and strip lines; blank ones are counted into the
    next line's `blanks`."""
    lines: list[Line] = []
    blanks = 0
    for number, raw in zip(numbers or range(1, len(texts) + 1), texts, strict=True):
        line = raw.replace("\f", " ").replace("\v", " ").replace("\xa0", " ")
        line = line.expandtabs(TAB_STOP).rstrip()
        if not line.strip():
            blanks += 1
            continue
        line = without_stars(line)
        words = line.lstrip()
        lines.append(Line(number, len(line) - len(words), words, blanks))
        blanks = blanks + 1 if is_star(words) else 0
    return lines


def without_stars(line: str) -> str:
    """Drop the stars by which a revision marks a line in either margin; columns stay."""
    if is_star(line.strip()):
        return line
    return _STAR_RIGHT.sub("", _STAR_LEFT.sub(lambda star: " " * len(star[0]), line))


def is_star(text: str) -> bool:
    """Whether a line is blank but for stars: a blank line that was revised."""
    return bool(text) and not text.strip("* \t")


def without_right_number(text: str) -> str:
    """Drop the scene number that shooting scripts repeat in the right margin."""
    return _NUMBER_RIGHT.sub("", text)
