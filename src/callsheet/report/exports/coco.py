"""COCO annotations with track ids: an image for every frame that has a box."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from callsheet.core import TrackKind
from callsheet.report.sheet import Sheet, SheetTrack

CATEGORIES = {TrackKind.BODY: 1, TrackKind.FACE: 2}


def write(sheet: Sheet, path: Path) -> None:
    annotations = [a for track in sheet.tracks for a in _annotations(track)]
    for number, annotation in enumerate(annotations, start=1):
        annotation["id"] = number
    content = {
        "info": {"description": f"callsheet: {sheet.film}"},
        "images": _images(sheet),
        "categories": [{"id": 1, "name": "person"}, {"id": 2, "name": "face"}],
        "annotations": annotations,
    }
    path.write_text(json.dumps(content, ensure_ascii=False), encoding="utf-8")


def _images(sheet: Sheet) -> list[dict[str, Any]]:
    times = {
        int(f): float(t)
        for track in sheet.tracks
        for f, t in zip(track.boxes.frame, track.boxes.time, strict=True)
    }
    size = {"width": sheet.picture.width, "height": sheet.picture.height}
    return [
        {"id": f, "file_name": f"{sheet.film}/{f:06}.jpg", "frame_id": f, "time": t, **size}
        for f, t in sorted(times.items())
    ]


def _annotations(track: SheetTrack) -> list[dict[str, Any]]:
    about = {
        "category_id": CATEGORIES[track.kind],
        "track_id": track.track,
        "iscrowd": 0,
        "attributes": {"person": track.person, "action": track.action},
    }
    rows = zip(track.boxes.frame, track.boxes.box, track.boxes.confidence, strict=True)
    return [
        {
            **about,
            "image_id": int(frame),
            "bbox": [round(float(v), 2) for v in box],
            "area": round(float(box[2] * box[3]), 2),
            "score": round(float(confidence), 4),
        }
        for frame, box, confidence in rows
    ]
