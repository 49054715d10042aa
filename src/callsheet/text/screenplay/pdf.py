"""PDF with a text layer: pypdf lays the words out as the page shows them, then they are read
like plain text. Lines count over all pages, as `pdf_lines` gives them.
"""

from __future__ import annotations

import io
import logging
from pathlib import Path

from callsheet.errors import InputError, MissingExtraError
from callsheet.text.encodings import read_bytes
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.assemble import assemble
from callsheet.text.screenplay.plain import tag_lines

_FEWEST_LETTERS = 20
"""Letters a page must have on average; scanned pictures have none."""


def read_pdf(path: Path) -> Screenplay:
    """Read a screenplay from a PDF."""
    return assemble(tag_lines(pdf_lines(path)))


def pdf_lines(path: Path) -> list[str]:
    """The lines of all pages, indented as on paper; a form feed ends each page."""
    pages = _pages(path)
    letters = sum(c.isalpha() for page in pages for c in page)
    if letters < _FEWEST_LETTERS * max(1, len(pages)):
        raise InputError(
            f"{path.name} has no text layer (scanned pictures?); run an OCR program on it first",
            path=str(path),
        )
    return [line for page in pages for line in [*page.split("\n"), "\f"]]


def _pages(path: Path) -> list[str]:
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
        return [page.extract_text(extraction_mode="layout") for page in reader.pages]
    except InputError:
        raise
    except Exception as error:  # whatever a foreign parser trips over is damage in the file
        raise InputError(
            f"{path.name} is a damaged PDF ({type(error).__name__}: {error})", path=str(path)
        ) from error
