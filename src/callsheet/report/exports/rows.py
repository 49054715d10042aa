"""The plain rows that the table formats share: one a track."""

from __future__ import annotations

from typing import Any

from callsheet.report.sheet import Sheet, SheetTrack

COLUMNS = (
    "film", "track", "kind", "shot", "start", "end", "first_frame", "last_frame", "linked",
    "person", "person_score", "person_margin", "action", "action_score", "action_margin",
)  # fmt: skip


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
    }
