"""The formats a screenplay may come in: one reader each, chosen by the file's extension."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from callsheet.errors import InputError
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.fdx import read_fdx
from callsheet.text.screenplay.fountain import read_fountain
from callsheet.text.screenplay.html import read_html
from callsheet.text.screenplay.pdf import read_pdf
from callsheet.text.screenplay.plain import read_plain

READERS: dict[str, Callable[[Path], Screenplay]] = {
    ".txt": read_plain,
    ".text": read_plain,
    ".fountain": read_fountain,
    ".spmd": read_fountain,
    ".fdx": read_fdx,
    ".html": read_html,
    ".htm": read_html,
    ".pdf": read_pdf,
}
"""Extension -> reader."""


def reader_of(path: Path) -> Callable[[Path], Screenplay]:
    """The reader for a file's extension."""
    try:
        return READERS[path.suffix.lower()]
    except KeyError:
        known = ", ".join(READERS)
        raise InputError(
            f"{path.name} has no screenplay extension; known are {known}", path=str(path)
        ) from None
