"""Brackets that run over lines: which lines stand wholly inside one."""

from __future__ import annotations

from collections.abc import Sequence

from callsheet.text.screenplay.lines import Line

LONGEST = 12
"""A bracket that is not closed within so many lines was never meant to be closed."""


def asides(lines: Sequence[Line]) -> list[bool]:
    """Whether all letters of a line stand in brackets (which may have opened lines before)."""
    closes = _closing_lines(lines)
    inside, answers = -1, []
    for i, line in enumerate(lines):
        outside, inside = _outside(line.text, i, closes=closes[i], inside=inside)
        answers.append(not outside)
    return answers


def _closing_lines(lines: Sequence[Line]) -> list[int]:
    """For every line the next line that holds a closing bracket, or -1 when a blank line, or
    too many lines, stand between."""
    answers = [-1] * len(lines)
    close = -1
    for i in range(len(lines) - 1, -1, -1):
        answers[i] = close if 0 <= close - i <= LONGEST else -1
        if ")" in lines[i].text:
            close = i
        if lines[i].blanks:
            close = -1
    return answers


def _outside(text: str, i: int, *, closes: int, inside: int) -> tuple[bool, int]:
    """Whether a letter stands outside brackets; and until which line the bracket that is open
    at the end of this line runs (-1: none is open)."""
    if inside < i:
        inside = -1
    outside = False
    for char in text:
        if char == "(":
            inside = max(inside, i)
        elif char == ")":
            inside = -1
        elif inside < 0 and char.isalnum():
            outside = True
    return outside, closes if inside == i and text.rfind("(") > text.rfind(")") else inside
