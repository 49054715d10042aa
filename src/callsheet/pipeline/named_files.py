"""Files and networks that a setting names: what is in them counts, not only how they are called."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from callsheet.errors import ModelFileError
from callsheet.store import file_fingerprint

NAMING = {
    "tracks": ("face_model", "person_model"),
    "features": ("face_model", "motion_words", "appearance_model", "clip_model"),
    "evidence": ("action_model",),
}
"""Section -> its settings that name a file, or a network that the user may have added."""


def named_contents(section: str, settings: Any) -> Iterator[tuple[str, str | None]]:
    """Setting and fingerprint of the file it names (None: not there); networks that come with
    callsheet are told apart by their names and its version.
    """
    for name in NAMING.get(section, ()):
        value = getattr(settings, name)
        if not value:
            continue
        path = Path(value)
        if path.is_file():
            yield f"{section}.{name}", _of_file(path)
        elif path.name != value:
            yield f"{section}.{name}", None
        elif (mark := _of_added(value)) is not None:
            yield f"{section}.{name}", mark


def _of_file(path: Path) -> str:
    state = path.stat()
    return _fingerprint(path, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=64)
def _fingerprint(path: Path, _size: int, _changed: int) -> str:
    """Read once a run: every film of a library asks for the same networks."""
    return file_fingerprint(path)


def _of_added(name: str) -> str | None:
    from callsheet.video.models import added_models

    try:
        added = added_models().get(name)
    except ModelFileError:
        return None  # the stage that uses it says so
    return None if added is None else added.sha256
