"""Brackets that run over lines: which lines stand wholly inside one."""

from __future__ import annotations

from collections.abc import Sequence

from callsheet.text.screenplay.lines import Line

LONGEST = 12
"""A bracket that is not closed within so many lines was never meant to be closed."""


def asides(lines: Sequence[Line]) -> list[bool]:
    """Whether all letters of a line stand in brackets (which may have opened lines before)."""
    closes = _closing_lines(lines)
    answers, until = [], -1
    for i, line in enumerate(lines):
        answers.append(_all_inside(line.text, inside=until >= i, closes=closes[i] >= 0))
        if "(" in line.text or ")" in line.text:
            until = closes[i] if line.text.rfind("(") > line.text.rfind(")") else -1
    return answers


def _closing_lines(lines: Sequence[Line]) -> list[int]:
    """For every line the line that closes a bracket left open at its end: the next one with a
    bracket, if that bracket is a closing one and stands near; else -1."""
    answers = [-1] * len(lines)
    nearest = -1
    for i in range(len(lines) - 1, -1, -1):
        answers[i] = nearest if 0 <= nearest - i <= LONGEST else -1
        text = lines[i].text
        if "(" in text or ")" in text:
            nearest = i if ")" in text.split("(")[0] else -1
    return answers


def _all_inside(text: str, *, inside: bool, closes: bool) -> bool:
    """Whether letters stand inside brackets and none outside; a bracket that is still open at
    the end must be closed on a later line."""
    letters = False
    for char in text:
        if char in "()":
            inside = char == "("
        elif char.isalnum():
            if not inside:
                return False
            letters = True
    return letters and (not inside or closes or text.rfind("(") < 0)
