"""Sequences of the MOT benchmark: given detections, true tracks, perhaps the pictures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from callsheet.errors import InputError
from callsheet.video.detection import Detections
from callsheet.video.stream_picture import Picture

_USUAL_RATE = 25.0


@dataclass(frozen=True, slots=True)
class Sequence:
    """One sequence; rows are frame, id, x, y, w, h, confidence."""

    name: str
    detections: NDArray[np.float64]
    truth: NDArray[np.float64]
    pictures: dict[int, Path]
    rate: float

    @property
    def frames(self) -> range:
        """Numbers of its frames."""
        numbers = np.concatenate([self.detections[:, 0], self.truth[:, 0]])
        return range(int(numbers.min()), int(numbers.max()) + 1)

    def detected(self, frame: int) -> Detections:
        """Given detections of a frame. Their confidences have no common scale, only an order:
        each becomes the share of the sequence's detections that are no surer."""
        rows = self.detections[self.detections[:, 0] == frame]
        order = np.sort(self.detections[:, 6])
        ranks = np.searchsorted(order, rows[:, 6], side="right") / len(order)
        return Detections(rows[:, 2:6], ranks)

    def gray(self, frame: int) -> Picture | None:
        """Brightness of a frame; None where the pictures are not at hand."""
        path = self.pictures.get(frame)
        if path is None:
            return None
        picture = cv2.imread(str(path), cv2.IMREAD_GRAYSCALE)
        return None if picture is None else np.asarray(picture, np.uint8)


def read_sequence(folder: Path) -> Sequence:
    """Read `det/det.txt`, `gt/gt.txt` and, where they are, `img1/*.jpg` and `seqinfo.ini`."""
    truth = _rows(folder / "gt" / "gt.txt")
    pictures = {int(p.stem): p for p in sorted((folder / "img1").glob("*.jpg"))}
    # Truth rows with confidence 0 are marked as not to be counted.
    return Sequence(
        folder.name, _rows(folder / "det" / "det.txt"), truth[truth[:, 6] > 0], pictures,
        _rate(folder / "seqinfo.ini"),
    )  # fmt: skip


def _rows(path: Path) -> NDArray[np.float64]:
    try:
        rows = np.loadtxt(path, delimiter=",", ndmin=2)
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is not a MOT table: {error}", path=str(path)) from error
    if rows.shape[1] < 7:
        raise InputError(f"{path} has {rows.shape[1]} columns, a MOT table has 7 or more")
    return np.asarray(rows[:, :7])


def _rate(path: Path) -> float:
    if not path.exists():
        return _USUAL_RATE
    for line in path.read_text(encoding="utf-8").splitlines():
        name, _, value = line.partition("=")
        if name.strip().lower() == "framerate":
            return float(value)
    return _USUAL_RATE
