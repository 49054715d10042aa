"""Faces with five landmarks: YuNet through OpenCV."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from callsheet.errors import ModelFileError
from callsheet.video.detection.detections import NOTHING, Detections
from callsheet.video.geometry import Boxes, clipped
from callsheet.video.stream_picture import Picture

_OVERLAP = 0.3
_MOST = 500
_SHARPNESS_SIDE = 48
_SHARP = 100.0


class YuNetFaces:
    """Every face of at least `smallest` pixels of height and the least confidence."""

    def __init__(self, model: Path, *, confidence: float, smallest: float = 0) -> None:
        self._smallest, self._model = smallest, model
        try:
            self._net: Any = cv2.FaceDetectorYN.create(
                str(model), "", (320, 320), confidence, _OVERLAP, _MOST
            )
        except cv2.error as error:
            raise _not_yunet(model) from error

    def detect(self, pictures: Sequence[Picture]) -> list[Detections]:
        return [self._one(picture) for picture in pictures]

    def _one(self, picture: Picture) -> Detections:
        height, width = picture.shape[:2]
        self._net.setInputSize((width, height))
        try:
            rows = self._net.detect(picture)[1]
        except cv2.error as error:  # a network of another form is only noticed when it runs
            raise _not_yunet(self._model) from error
        if rows is None:
            return NOTHING
        rows = rows[rows[:, 3] >= self._smallest].astype(np.float64)
        landmarks = rows[:, 4:14].reshape(-1, 5, 2)
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        return Detections(rows[:, :4], rows[:, 14], landmarks, sharpness(gray, rows[:, :4]))


def _not_yunet(model: Path) -> ModelFileError:
    return ModelFileError(
        f"{model} is not a face detector of YuNet's form; run `callsheet models list`",
        path=str(model),
    )


def sharpness(gray: Picture, boxes: Boxes) -> NDArray[np.float64]:
    """0 (no detail) to 1 of each box: variance of the Laplacian at one common size."""
    inside = clipped(boxes, gray.shape[1], gray.shape[0]).round().astype(int)
    return np.array([_sharpness(gray[y : y + h, x : x + w]) for x, y, w, h in inside])


def _sharpness(crop: Picture) -> float:
    if min(crop.shape) < 2:
        return 0.0
    side = (_SHARPNESS_SIDE, _SHARPNESS_SIDE)
    variance = float(cv2.Laplacian(cv2.resize(crop, side), cv2.CV_64F).var())
    return variance / (variance + _SHARP)
