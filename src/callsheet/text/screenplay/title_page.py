"""The title page of a plain screenplay: title, writers, draft, addresses, before the story."""

from __future__ import annotations

import re
from collections.abc import Sequence

from callsheet.text.screenplay.headings import starts_like_heading
from callsheet.text.screenplay.lines import Line
from callsheet.text.screenplay.shapes import is_transition

_MARK = re.compile(
    r"^(?:an?\s+|the\s+)?(?:(?:original\s+)?(?:screenplay|teleplay|story|script|written|created|"
    r"adapted|adaptation|directed|produced)\b.{0,40}\bby\b|by:?$|by\s+[A-Z]|based\s+(?:up)?on\b)|"
    r"\b(?:(?:first|second|third|final|shooting|revised|production|working|registered|rev\.?)\s+draft|"
    r"draft\b.{0,20}\d{2}|all rights reserved|copyright|\(c\)\s*\d{4}|\u00a9|wga\b|screenplay$)",
    re.IGNORECASE,
)
_LONGEST = 60
"""Lines: a title page is no longer."""
_DATE = re.compile(
    r"^[A-Z][A-Za-z]+\s+(?:\d{1,2},?\s+)?(?:19|20)\d\d$|^\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}$"
)


def title_lines(lines: Sequence[Line]) -> int:
    """How many lines at the start belong to the title page: up to the last one that says who
    wrote or when, before the first heading or transition; 0 when none says so."""
    last = 0
    for count, line in enumerate(lines[:_LONGEST], 1):
        if starts_like_heading(line.text) or is_transition(line.text):
            break
        if len(line.text) < 80 and (_MARK.search(line.text) or _DATE.match(line.text)):
            last = count
    return _block_end(lines, last)


def _block_end(lines: Sequence[Line], last: int) -> int:
    """The name under "written by" and the rest of an address belong to it."""
    if not last:
        return 0
    by_alone = re.search(r"\bby:?$", lines[last - 1].text, re.IGNORECASE) is not None
    last += by_alone and last < len(lines)
    while last < len(lines) and not lines[last].blanks and len(lines[last].text) < 50:
        if starts_like_heading(lines[last].text) or is_transition(lines[last].text):
            break
        last += 1
    return last
