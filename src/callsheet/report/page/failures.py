"""What failed in a film, from the notes that a run leaves, and what that makes of its script."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

_ENDING = ".failure.txt"


def read_failures(folder: Path) -> dict[str, str]:
    """Stage -> why it failed, of a film's folder or of the library's."""
    notes = sorted(folder.glob(f"*{_ENDING}")) if folder.is_dir() else []
    return {
        note.name.removesuffix(_ENDING): note.read_text(encoding="utf-8", errors="replace").strip()
        for note in notes
    }


def script_verdict(alignment: Mapping[str, Any], failures: Mapping[str, str]) -> str | None:
    """What is said of a film's script: the alignment's verdict, or that it was refused or failed.

    None: there is none, or it was not looked at yet.
    """
    if "verdict" in alignment:
        return str(alignment["verdict"])
    if "align" in failures:
        return "refused" if "refuse" in failures["align"] else "failed"
    return "failed" if {"script", "cast", "cues"} & set(failures) else None
