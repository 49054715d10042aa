"""MOTChallenge rows: frame, id, left, top, width, height, confidence, -1, -1, -1.

Frames and pixels count from 1 there. Body tracks; where a film has none, its face tracks.
"""

from __future__ import annotations

from pathlib import Path

from callsheet.core import TrackKind
from callsheet.report.sheet import Sheet


def write(sheet: Sheet, path: Path) -> None:
    tracks = sheet.of_kind(TrackKind.BODY) or sheet.of_kind(TrackKind.FACE)
    lines: list[tuple[int, int, str]] = []
    for track in tracks:
        b = track.boxes
        for frame, (x, y, w, h), confidence in zip(b.frame, b.box, b.confidence, strict=True):
            row = f"{x + 1:.2f},{y + 1:.2f},{w:.2f},{h:.2f},{confidence:.4f},-1,-1,-1"
            lines.append((int(frame) + 1, track.track + 1, row))
    text = "".join(f"{frame},{track},{row}\n" for frame, track, row in sorted(lines))
    path.write_text(text, encoding="ascii")
