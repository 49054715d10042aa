"""Thumbnails as `data:` addresses, so that a page needs no other file."""

from __future__ import annotations

import base64
from pathlib import Path


class Pictures:
    """The thumbnails of a film, read once each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, str | None] = {}

    def of(self, track: int) -> str | None:
        """A track's picture, or None where there is none."""
        return self._address(f"{track}.jpg")

    def of_shot(self, shot: int) -> str | None:
        return self._address(f"shot-{shot}.jpg")

    def _address(self, name: str) -> str | None:
        if name not in self._read:
            path = self._folder / name
            self._read[name] = _encoded(path) if path.exists() else None
        return self._read[name]


def _encoded(path: Path) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(path.read_bytes()).decode()
