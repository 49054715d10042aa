"""Fingerprints of files and settings: equal fingerprint, nothing to do again."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from callsheet.errors import InputError

_WHOLE = 8 << 20
_PIECE = 64 << 10
_PIECES = 64


def file_fingerprint(path: Path) -> str:
    """Hash of the content; of a large file (films), its size and 64 spread pieces.

    A film of many gigabytes is replaced, not edited in place, and a replaced film differs
    in size or in one of the pieces; hashing it whole would cost a minute at every run.
    """
    digest = hashlib.blake2b(digest_size=16)
    try:
        size = path.stat().st_size
        digest.update(str(size).encode())
        with path.open("rb") as file:
            for offset, length in _pieces(size):
                file.seek(offset)
                digest.update(file.read(length))
    except OSError as error:
        raise InputError(
            f"cannot read {path}: {error.strerror or error}", path=str(path)
        ) from error
    return digest.hexdigest()


def value_fingerprint(value: Any) -> str:
    """Hash of a JSON-able value (settings, versions)."""
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _pieces(size: int) -> list[tuple[int, int]]:
    if size <= _WHOLE:
        return [(0, size)]
    return [(i * (size - _PIECE) // (_PIECES - 1), _PIECE) for i in range(_PIECES)]
