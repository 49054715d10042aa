"""PDF with a text layer: pypdf tells where words stand, this module sets them as lines again,
indented and spaced as on paper, and they are read like plain text. Lines count over all pages.

Letters: x, y in points from the lower left corner; a column is as wide as a letter of Courier.
"""

from __future__ import annotations

import io
import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from callsheet.errors import InputError, MissingExtraError
from callsheet.text.encodings import read_bytes
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.assemble import assemble
from callsheet.text.screenplay.plain import tag_lines

_FEWEST_LETTERS = 20
"""Letters a page must have on average; scanned pictures have none."""
_COLUMN = 0.6
"""Width of a letter of Courier in units of its size."""
_SAME_LINE = 0.35
"""Words whose feet differ by less than this share of their size stand on one line."""
_MOST_BLANKS = 4


@dataclass(frozen=True, slots=True)
class _Run:
    """Words drawn at one place."""

    x: float
    y: float
    size: float
    text: str


def read_pdf(path: Path) -> Screenplay:
    """Read a screenplay from a PDF."""
    return assemble(tag_lines(pdf_lines(path)))


def pdf_lines(path: Path) -> list[str]:
    """The lines of all pages, indented and spaced as on paper; a form feed ends each page."""
    pages = _pages(path)
    letters = sum(c.isalpha() for page in pages for run in page for c in run.text)
    if letters < _FEWEST_LETTERS * max(1, len(pages)):
        raise InputError(
            f"{path.name} has no text layer (scanned pictures?); run an OCR program on it first",
            path=str(path),
        )
    rows = [_rows(page) for page in pages]
    size = median(run.size for page in pages for run in page)
    leading = _leading(rows, size)
    return [line for page in rows for line in [*_set(page, size, leading), "\f"]]


def _rows(page: Sequence[_Run]) -> list[list[_Run]]:
    """Runs from the top of the page to its foot, those of one line together."""
    rows: list[list[_Run]] = []
    for run in sorted(page, key=lambda r: -r.y):
        if rows and rows[-1][0].y - run.y < _SAME_LINE * run.size:
            rows[-1].append(run)
        else:
            rows.append([run])
    return [sorted(row, key=lambda r: r.x) for row in rows]


def _leading(pages: Sequence[Sequence[Sequence[_Run]]], size: float) -> float:
    """The usual distance between lines of one block."""
    gaps = Counter(
        round(2 * (above[0].y - below[0].y)) / 2
        for rows in pages
        for above, below in pairwise(rows)
        if 0.7 * size < above[0].y - below[0].y < 1.6 * size
    )
    return gaps.most_common(1)[0][0] if gaps else size


def _set(rows: Sequence[Sequence[_Run]], size: float, leading: float) -> list[str]:
    """Set a page as lines of text."""
    lines: list[str] = []
    foot = rows[0][0].y + leading if rows else 0.0
    for row in rows:
        blanks = round((foot - row[0].y) / leading) - 1
        lines += [""] * max(0, min(blanks, _MOST_BLANKS))
        lines.append(_line(row, _COLUMN * size))
        foot = row[0].y
    return lines


def _line(row: Sequence[_Run], column: float) -> str:
    line = ""
    for run in row:
        at = max(0, round(run.x / column))
        line = line.ljust(at) if at > len(line) or not line else line.rstrip() + " "
        line += run.text
    return line


def _pages(path: Path) -> list[list[_Run]]:
    try:
        from pypdf import PdfReader
    except ImportError as error:
        raise MissingExtraError("PDF needs pypdf; run pip install 'callsheet[text]'") from error
    # pypdf complains of each small flaw of a file; what matters comes as an exception.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    raw = read_bytes(path)
    try:
        reader = PdfReader(io.BytesIO(raw))
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError(f"{path.name} is locked with a password", path=str(path))
        return [_runs(page) for page in reader.pages]
    except InputError:
        raise
    except Exception as error:  # whatever a foreign parser trips over is damage in the file
        raise InputError(
            f"{path.name} is a damaged PDF ({type(error).__name__}: {error})", path=str(path)
        ) from error


def _runs(page: Any) -> list[_Run]:
    """What a page shows and where, before rotation."""
    runs: list[_Run] = []

    def note(text: str, page_matrix: Any, text_matrix: Any, _font: Any, size: Any) -> None:
        x, y = text_matrix[4], text_matrix[5]
        at_x = x * page_matrix[0] + y * page_matrix[2] + page_matrix[4]
        at_y = x * page_matrix[1] + y * page_matrix[3] + page_matrix[5]
        height = abs((size or 1.0) * text_matrix[3] * page_matrix[3]) or 12.0
        for row, part in enumerate(text.split("\n")):
            if words := part.strip():
                shift = _COLUMN * height * (len(part) - len(part.lstrip()))
                runs.append(_Run(at_x + shift, at_y - row * height, height, words))

    page.extract_text(visitor_text=note)
    return runs
