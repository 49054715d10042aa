"""What the picture wing finds: shots and tracks. Boxes stay in tables (one row a frame)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from callsheet.core.span import Span


class TrackKind(StrEnum):
    FACE = "face"
    BODY = "body"


@dataclass(frozen=True, slots=True)
class Shot:
    """Run of frames between cuts."""

    shot: int
    span: Span


@dataclass(frozen=True, slots=True)
class Track:
    """One person's linked boxes within one shot.

    `linked` is the id of the track of the other kind that shows the same person, `row` the
    row of this track's descriptor in `faces.npy` or `bodies.npy` (None: not described).
    """

    track: int
    kind: TrackKind
    shot: int
    span: Span
    best_time: float
    quality: float
    linked: int | None = None
    row: int | None = None
