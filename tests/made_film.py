"""A small made film folder: two people, four tracks, one kiss, one abstention.

Shared by the tests of the report and of the pipeline.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from callsheet.store import SCHEMAS, write_rows

RATE = Fraction(24000, 1001)


def _boxes(track: int, frames: range, x: float, size: tuple[float, float]) -> list[dict[str, Any]]:
    return [
        {"track": track, "time": float(f / RATE), "frame": f, "x": x + f, "y": 20.0,
         "w": size[0], "h": size[1], "confidence": 0.9}
        for f in frames
    ]  # fmt: skip


def _track(track: int, kind: str, frames: range, linked: int | None) -> dict[str, Any]:
    return {"track": track, "kind": kind, "shot": 0, "start": float(frames.start / RATE),
            "end": float(frames.stop / RATE), "best_time": float(frames.start / RATE),
            "quality": 0.8, "linked": linked, "row": track // 2}  # fmt: skip


def _label(track: int, person: str | None, action: str | None) -> dict[str, Any]:
    return {"track": track, "person": person, "person_score": 0.75, "person_margin": 0.5,
            "person_reasons": [0], "action": action, "action_score": 0.5,
            "action_margin": 0.25, "action_reasons": []}  # fmt: skip


FRAMES = {0: range(48), 1: range(48), 2: range(24, 96), 3: range(90, 100)}


def write_film(folder: Path) -> None:
    """Write the tables of the made film."""
    write_rows(folder / "stream.parquet", SCHEMAS["stream"],
               [{"width": 640, "height": 360, "rate_numerator": 24000, "rate_denominator": 1001,
                 "frames": 100, "duration": float(100 / RATE)}])  # fmt: skip
    write_rows(folder / "shots.parquet", SCHEMAS["shots"],
               [{"shot": 0, "start": 0.0, "end": float(100 / RATE)}])  # fmt: skip
    write_rows(folder / "tracks.parquet", SCHEMAS["tracks"],
               [_track(0, "face", FRAMES[0], 1), _track(1, "body", FRAMES[1], 0),
                _track(2, "body", FRAMES[2], None),
                _track(3, "body", FRAMES[3], None)])  # fmt: skip
    write_rows(folder / "boxes.parquet", SCHEMAS["boxes"],
               [*_boxes(0, FRAMES[0], 100.0, (40.0, 50.0)),
                *_boxes(1, FRAMES[1], 80.0, (90.0, 250.0)),
                *_boxes(2, FRAMES[2], 300.0, (90.0, 260.0)),
                *_boxes(3, FRAMES[3], 400.0, (80.0, 200.0))])  # fmt: skip
    write_rows(folder / "labels.parquet", SCHEMAS["labels"],
               [_label(0, "RICK BLAINE", "Kiss"), _label(1, "RICK BLAINE", "Kiss"),
                _label(2, "ILSA <3 & co", "background"), _label(3, None, None)])  # fmt: skip


def write_crowd(folder: Path, *, tracks: int, people: int) -> None:
    """Write the tables of a film of two hours in which people come and go all the time."""
    seconds = 7200.0
    step = seconds / tracks
    frames = [range(int(i * step * RATE), int(i * step * RATE) + 48) for i in range(tracks)]
    write_film(folder)
    write_rows(folder / "stream.parquet", SCHEMAS["stream"],
               [{"width": 640, "height": 360, "rate_numerator": 24000, "rate_denominator": 1001,
                 "frames": int(seconds * RATE), "duration": seconds}])  # fmt: skip
    write_rows(folder / "shots.parquet", SCHEMAS["shots"],
               [{"shot": i, "start": 4.0 * i, "end": 4.0 * (i + 1)}
                for i in range(1800)])  # fmt: skip
    write_rows(folder / "tracks.parquet", SCHEMAS["tracks"],
               [_track(i, "body", span, None) for i, span in enumerate(frames)])  # fmt: skip
    boxes = (_boxes(i, span[:1], 100.0, (90.0, 250.0)) for i, span in enumerate(frames))
    write_rows(folder / "boxes.parquet", SCHEMAS["boxes"], [box for of in boxes for box in of])
    write_rows(folder / "labels.parquet", SCHEMAS["labels"],
               [_label(i, f"PERSON {i % people}", "Kiss" if i % 9 == 0 else None)
                for i in range(tracks)])  # fmt: skip
