"""The formats a screenplay may come in: one reader each, chosen by the file's extension."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from callsheet.errors import InputError
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.plain import read_plain

READERS: dict[str, Callable[[Path], Screenplay]] = {
    ".txt": read_plain,
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
