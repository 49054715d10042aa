"""Write whole files or nothing: a temporary name in the same folder, then a rename."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from callsheet.errors import StoreError

TEMPORARY_MARK = ".callsheet-tmp-"


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path; rename it to `path` when the body ends well, else remove it."""
    temporary = path.with_name(f"{path.name}{TEMPORARY_MARK}{os.getpid()}-{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield temporary
        _flush_to_disk(temporary)
        temporary.replace(path)
    except OSError as error:
        raise StoreError(
            f"cannot write {path}: {error.strerror or error}; free some space or check the"
            " permissions, then run again (nothing was changed)",
            path=str(path),
        ) from error
    finally:
        temporary.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Replace a text file (UTF-8) atomically."""
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def remove_leftovers(folder: Path) -> int:
    """Remove temporary files of runs that were killed; return how many."""
    leftovers = list(folder.rglob(f"*{TEMPORARY_MARK}*")) if folder.is_dir() else []
    for path in leftovers:
        path.unlink(missing_ok=True)
    return len(leftovers)


def _flush_to_disk(path: Path) -> None:
    """Make the bytes durable before the rename makes them visible."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
