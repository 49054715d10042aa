"""AVA action rows: video, second, x1, y1, x2, y2 (shares of the picture), action, person, score.

As in AVA, boxes stand at whole seconds; a track shorter than a second is given at its middle.
Actions are numbered from 1 in the order of our vocabulary.
"""

from __future__ import annotations

import csv
import math
from pathlib import Path

from callsheet.core import ACTIONS
from callsheet.report.sheet import Picture, Sheet, SheetTrack

Row = tuple[str, str, str, str, str, str, int, int, str]


def write(sheet: Sheet, path: Path) -> None:
    others = {t.deed for t in sheet.tracks if t.deed} - set(ACTIONS)
    numbers = {name: number for number, name in enumerate((*ACTIONS, *sorted(others)), start=1)}
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        for track in sheet.people():
            if track.deed:
                writer.writerows(_rows(sheet, track, numbers[track.deed]))


def _rows(sheet: Sheet, track: SheetTrack, action: int) -> list[Row]:
    score = f"{track.action_score or 0.0:.4f}"
    return [
        (sheet.film, f"{second:g}", *_corners(sheet.picture, track, second), action,
         track.track, score)
        for second in _seconds(track)
    ]  # fmt: skip


def _seconds(track: SheetTrack) -> list[float]:
    whole = range(math.ceil(track.span.start), math.ceil(track.span.end))
    return [float(s) for s in whole] or [round(track.span.middle, 3)]


def _corners(picture: Picture, track: SheetTrack, second: float) -> tuple[str, str, str, str]:
    x, y, w, h = (float(v) for v in track.boxes.nearest(second))
    sides = (
        x / picture.width,
        y / picture.height,
        (x + w) / picture.width,
        (y + h) / picture.height,
    )
    a, b, c, d = (f"{min(1.0, max(0.0, side)):.4f}" for side in sides)
    return a, b, c, d
