"""AVA action rows: video, second, x1, y1, x2, y2 (shares of the picture), action, score.

The eight columns that AVA's own evaluation reads as detections, with whole seconds as it wants
them; a track that holds no whole second stands at the one it is nearest to. Actions are numbered
from 1, the same in every film of a library; `label_map` says which is which, in AVA's own form.
"""

from __future__ import annotations

import csv
import math
from pathlib import Path

from callsheet.report.sheet import Picture, Sheet, SheetTrack

Row = tuple[str, int, str, str, str, str, int, str]

LABEL_MAP = "actions.ava.pbtxt"


def write(sheet: Sheet, path: Path) -> None:
    numbers = {name: number for number, name in enumerate(sheet.actions, start=1)}
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        for track in sheet.people():
            if track.deed:
                writer.writerows(_rows(sheet, track, numbers[track.deed]))


def label_map(sheet: Sheet) -> str:
    """Name and number of every action of the library."""
    return "".join(
        f'label {{\n  name: "{name}"\n  label_id: {number}\n}}\n'
        for number, name in enumerate(sheet.actions, start=1)
    )


def _rows(sheet: Sheet, track: SheetTrack, action: int) -> list[Row]:
    score = f"{track.action_score or 0.0:.4f}"
    return [
        (sheet.film, second, *_corners(sheet.picture, track, second), action, score)
        for second in _seconds(track)
    ]


def _seconds(track: SheetTrack) -> list[int]:
    whole = range(math.ceil(track.span.start), math.ceil(track.span.end))
    return [*whole] or [round(track.span.middle)]


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
