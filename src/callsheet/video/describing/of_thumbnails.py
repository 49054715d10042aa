"""A small JPEG of each track at its best moment, for people who look through the result."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from callsheet.store import replacing
from callsheet.video.describing.plan import Rows
from callsheet.video.describing.sight import Sight
from callsheet.video.stream_picture import Picture

_SIDE = 112
_FACE_MARGIN, _BODY_MARGIN = 0.3, 0.05
_JPEG_QUALITY = 85


class ThumbnailWriter:
    """Writes `thumbnails/<track>.jpg`: a face with some margin, or a whole body."""

    name = "thumbnails"

    def __init__(self, rows: Rows, faces: NDArray[np.int64], folder: Path) -> None:
        self._rows = rows
        self._faces = set(faces.tolist())
        self._folder = folder
        self._done: list[int] = []

    def see(self, sight: Sight) -> None:
        for row in range(*self._rows.at(sight.number).indices(len(self._rows))):
            track = int(self._rows["track"][row])
            margin = _FACE_MARGIN if track in self._faces else _BODY_MARGIN
            picture = thumbnail(sight.colours(), self._rows["box"][row], margin=margin)
            self._write(track, picture)

    def take(self) -> dict[str, NDArray[Any]]:
        done, self._done = self._done, []
        return {"track": np.array(done, np.int64)}

    def _write(self, track: int, picture: Picture) -> None:
        write_jpeg(self._folder / f"{track}.jpg", picture)
        self._done.append(track)


def write_jpeg(path: Path, picture: Picture) -> None:
    """Write a small picture atomically."""
    _, content = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    with replacing(path) as temporary:
        temporary.write_bytes(content.tobytes())


def thumbnail(picture: Picture, box: NDArray[np.floating], *, margin: float) -> Picture:
    """The box (x, y, w, h) with a margin on each side, its longer side at most 112 pixels."""
    x, y, w, h = (float(value) for value in box)
    height, width = picture.shape[:2]
    x0, x1 = (int(np.clip(v, 0, width)) for v in (x - margin * w, x + w + margin * w))
    y0, y1 = (int(np.clip(v, 0, height)) for v in (y - margin * h, y + h + margin * h))
    x0, y0 = min(x0, width - 1), min(y0, height - 1)
    crop = picture[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)]
    share = min(1.0, _SIDE / max(crop.shape[:2]))
    size = (max(1, round(crop.shape[1] * share)), max(1, round(crop.shape[0] * share)))
    return np.asarray(cv2.resize(crop, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
