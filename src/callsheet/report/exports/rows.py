"""The plain rows that the table formats share: one a track."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

from callsheet.report.sheet import Sheet, SheetTrack

MEANINGS = {
    "film": "film id",
    "track": "the track's id, as in tracks.parquet",
    "kind": "face or body",
    "shot": "the shot it lies in",
    "start": "first instant, seconds",
    "end": "first instant after, seconds",
    "first_frame": "frame of its first box, from 0",
    "last_frame": "frame of its last box",
    "linked": "track of the other kind that shows the same person; empty: none",
    "person": "cast name or background; empty: abstained or not asked",
    "person_score": "of that name; of the best one where abstained",
    "person_margin": "score minus the best other",
    "action": "action or background; empty: abstained or not asked",
    "action_score": "of that action",
    "action_margin": "score minus the best other",
    "exported": "marks of `person` and `action` as they were exported: an import knows by them what"
    " a person changed",
}
"""Column -> what it holds, in their order."""

COLUMNS = tuple(MEANINGS)


def exported(track: SheetTrack) -> str:
    """Marks of what we say of a track: who it is, what they do."""
    return f"{mark(track.person)} {mark(track.action)}"


def mark(label: str | None) -> str:
    """Eight signs that stand for a label. Not the label itself: whoever replaces a name
    everywhere in a file means the name, not the record of what it was.
    """
    return blake2b((label or "").encode(), digest_size=4).hexdigest()


def rows(sheet: Sheet) -> list[dict[str, Any]]:
    """One dictionary a track, keys in the order of COLUMNS."""
    return [_row(sheet.film, track) for track in sheet.tracks]


def _row(film: str, track: SheetTrack) -> dict[str, Any]:
    return {
        "film": film,
        "track": track.track,
        "kind": track.kind.value,
        "shot": track.shot,
        "start": track.span.start,
        "end": track.span.end,
        "first_frame": int(track.boxes.frame[0]),
        "last_frame": int(track.boxes.frame[-1]),
        "linked": track.linked,
        "person": track.person,
        "person_score": track.person_score,
        "person_margin": track.person_margin,
        "action": track.action,
        "action_score": track.action_score,
        "action_margin": track.action_margin,
        "exported": exported(track),
    }
