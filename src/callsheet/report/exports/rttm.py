"""RTTM-like presence: a SPEAKER row for every stretch a person is on screen."""

from __future__ import annotations

from pathlib import Path

from callsheet.report.sheet import Sheet, presences


def write(sheet: Sheet, path: Path) -> None:
    film = _word(sheet.film)
    lines = [
        f"SPEAKER {film} 1 {p.span.start:.3f} {p.span.duration:.3f} <NA> <NA> {_word(p.name)}"
        f" {p.score:.4f} <NA>\n"
        for p in presences(sheet.tracks, "name")
    ]
    path.write_text("".join(lines), encoding="utf-8")


def _word(name: str) -> str:
    """RTTM fields are split at spaces."""
    return "_".join(name.split())
