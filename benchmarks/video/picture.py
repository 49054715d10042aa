"""Draw what the picture wing found into frames of a film: boxes, links, landmarks.

    callsheet demo render puppets/ --films 1 --seed 3 --seconds 25
    callsheet tracks puppets/film-01/film.mp4 --out tables/
    python benchmarks/video/picture.py puppets/film-01/film.mp4 tables/ docs/pictures/tracks.jpg

Six shots in which faces and bodies are seen, spread over the film; of each the frame in its
middle. Thick boxes are faces, thin ones bodies; a face and its body have one colour. The small
circles are the five landmarks of a detected face.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from callsheet.store import SCHEMAS, read_rows
from callsheet.video import open_film

COLOURS = ((60, 200, 250), (250, 170, 60), (120, 230, 120), (220, 120, 240), (90, 120, 255))
SHOTS, WIDTH = 6, 480
FONT = cv2.FONT_HERSHEY_SIMPLEX
MARKS = ("right_eye", "left_eye", "nose", "right_mouth", "left_mouth")
Rows = dict[int, list[dict[str, Any]]]


def main(video: Path, folder: Path, picture: Path) -> None:
    """Draw the frames and write them as one sheet, two in a row."""
    tracks = {row["track"]: row for row in _read(folder, "tracks")}
    boxes, marks = (_by_frame(_read(folder, name)) for name in ("boxes", "landmarks"))
    film = open_film(video)
    drawn = []
    for number in _chosen(tracks, _read(folder, "boxes")):
        frame = film.frame_at(boxes[number][0]["time"]).picture()
        for box in sorted(boxes[number], key=lambda b: tracks[b["track"]]["kind"]):  # bodies first
            _draw_box(frame, box, tracks[box["track"]])
        for mark in marks.get(number, []):  # faces are detected on every n-th frame only
            _draw_marks(frame, mark)
        height = round(frame.shape[0] * WIDTH / frame.shape[1])
        drawn.append(cv2.resize(frame, (WIDTH, height), interpolation=cv2.INTER_AREA))
    sheet = [np.hstack(drawn[i : i + 2]) for i in range(0, len(drawn), 2)]
    cv2.imwrite(str(picture), np.vstack(sheet), [cv2.IMWRITE_JPEG_QUALITY, 88])


def _read(folder: Path, name: str) -> list[dict[str, Any]]:
    return read_rows(folder / f"{name}.parquet", SCHEMAS[name])


def _by_frame(rows: list[dict[str, Any]]) -> Rows:
    found: Rows = defaultdict(list)
    for row in rows:
        found[row["frame"]].append(row)
    return found


def _chosen(tracks: dict[int, dict[str, Any]], boxes: list[dict[str, Any]]) -> list[int]:
    """The middle frame of six shots with linked faces, spread over the film."""
    frames = defaultdict(list)
    for box in boxes:
        track = tracks[box["track"]]
        if track["kind"] == "face" and track["linked"] is not None:
            frames[track["shot"]].append(box["frame"])
    middles = [sorted(of_shot)[len(of_shot) // 2] // 5 * 5 for of_shot in frames.values()]
    return [middles[i] for i in np.linspace(0, len(middles) - 1, SHOTS).astype(int)]


def _draw_box(frame: NDArray[np.uint8], box: dict[str, Any], track: dict[str, Any]) -> None:
    face = track["kind"] == "face"
    person = track["track"] if track["linked"] is None else min(track["track"], track["linked"])
    colour = COLOURS[person % len(COLOURS)]
    x, y, w, h = (round(box[side]) for side in "xywh")
    cv2.rectangle(frame, (x, y), (x + w, y + h), colour, 3 if face else 2, cv2.LINE_AA)
    text = f"{track['kind']} {track['track']}"
    (wide, high), _ = cv2.getTextSize(text, FONT, 0.6, 1)
    top = max(y - high - 9, 0) if face else min(y + h, frame.shape[0]) - high - 9
    cv2.rectangle(frame, (x, top), (x + wide + 6, top + high + 8), colour, -1)
    cv2.putText(frame, text, (x + 3, top + high + 3), FONT, 0.6, (20, 20, 20), 1, cv2.LINE_AA)


def _draw_marks(frame: NDArray[np.uint8], mark: dict[str, Any]) -> None:
    for name in MARKS:
        place = (round(mark[f"{name}_x"]), round(mark[f"{name}_y"]))
        cv2.circle(frame, place, 2, (255, 255, 255), -1, cv2.LINE_AA)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
