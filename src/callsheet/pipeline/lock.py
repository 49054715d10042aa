"""One run at a time on a library: the second is told who holds it."""

from __future__ import annotations

import fcntl
import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import TextIO

from callsheet.errors import StoreError


class LibraryBusyError(StoreError):
    """Another run holds the library."""


@contextmanager
def holding(folder: Path) -> Iterator[None]:
    """Hold `<folder>/lock` while the body runs; the system frees it even after a kill."""
    path = folder / "lock"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = path.open("a+", encoding="utf-8")
    except OSError as error:
        raise StoreError(
            f"cannot write into {folder}: {error.strerror or error}; callsheet keeps its results"
            " there, so make the folder writable",
            path=str(folder),
        ) from error
    with file:
        _take(file, folder)
        try:
            yield
        finally:
            with suppress(OSError):
                file.truncate(0)


def _take(file: TextIO, folder: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise LibraryBusyError(
            f"{folder.parent} is in use by {_holder(file)}; wait for it or stop it",
            path=str(folder),
        ) from None
    except OSError as error:
        raise StoreError(
            f"cannot lock {folder / 'lock'}: {error.strerror or error}; two runs at once would"
            " spoil each other's results, so put the library on a disk that knows locks",
            path=str(folder),
        ) from error
    _sign(file, folder)


def _sign(file: TextIO, folder: Path) -> None:
    """Say who holds it. Written past the buffer, which would fail a second time at its closing."""
    since = datetime.now().astimezone().isoformat(timespec="seconds")
    who = {"process": os.getpid(), "host": socket.gethostname(), "since": since}
    try:
        file.truncate(0)
        os.write(file.fileno(), json.dumps(who).encode())
    except OSError as error:
        raise StoreError(
            f"cannot write {folder / 'lock'}: {error.strerror or error}; free some space, then run"
            " again (nothing was changed)",
            path=str(folder),
        ) from error


def _holder(file: TextIO) -> str:
    file.seek(0)
    try:
        who = json.load(file)
        return f"process {who['process']} on {who['host']} since {who['since']}"
    except (ValueError, KeyError, TypeError):
        return "another run"
