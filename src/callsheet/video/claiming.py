"""A folder of tables belongs to one video: the verbs on single files note which."""

from __future__ import annotations

from pathlib import Path

from callsheet.errors import InputError
from callsheet.store import file_fingerprint, write_text

_NOTE = "video.txt"


def claim_folder(folder: Path, video: Path) -> None:
    """Note that the folder's tables are of this video; refuse a folder of another one's."""
    note, found = folder / _NOTE, file_fingerprint(video)
    if not note.exists():
        write_text(note, f"{found} {video.name}\n")
        return
    known, _, name = note.read_text(encoding="utf-8").strip().partition(" ")
    if known != found:
        raise InputError(
            f"{folder} holds tables of another video ({name}); give another --out, or delete it",
            path=str(folder),
        )
