"""Persons: SSD-MobileNetV2 through OpenCV, or any ONNX detector of the declared form.

The declared form of an added ONNX detector: one picture in (by its `InputRecipe`, the whole
frame resized), three outputs whose names contain `box`, `label` or `class`, and `score`: corners
x1, y1, x2, y2 in pixels of the input, COCO-style labels in which 1 is a person, 0 to 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from callsheet.errors import ModelFileError
from callsheet.video.detection.detections import Detections
from callsheet.video.geometry import clipped
from callsheet.video.models import InputRecipe
from callsheet.video.network import session_of
from callsheet.video.stream_picture import Picture

_PERSON = 1
_SIDE = 300


class SsdPersons:
    """TensorFlow's SSD-MobileNetV2, all pictures of a batch in one pass."""

    def __init__(self, graph: Path, text: Path, *, confidence: float) -> None:
        self._confidence = confidence
        try:
            self._net: Any = cv2.dnn.readNetFromTensorflow(str(graph), str(text))
        except cv2.error as error:
            raise ModelFileError(
                f"{graph} is not a TensorFlow SSD graph that OpenCV reads; give an .onnx file or"
                " run `callsheet models list`",
                path=str(graph),
            ) from error

    def detect(self, pictures: Sequence[Picture]) -> list[Detections]:
        if not pictures:
            return []
        blob = cv2.dnn.blobFromImages(list(pictures), size=(_SIDE, _SIDE), swapRB=True)
        self._net.setInput(blob)
        rows = self._net.forward().reshape(-1, 7).astype(np.float64)
        return [self._of(rows[rows[:, 0] == i], picture) for i, picture in enumerate(pictures)]

    def _of(self, rows: NDArray[np.float64], picture: Picture) -> Detections:
        height, width = picture.shape[:2]
        rows = rows[(rows[:, 1] == _PERSON) & (rows[:, 2] >= self._confidence)]
        corners = rows[:, 3:7] * [width, height, width, height]
        return _from_corners(corners, rows[:, 2], picture)


class OnnxPersons:
    """A user's ONNX person detector (see the declared form above)."""

    def __init__(self, model: Path, recipe: InputRecipe, *, confidence: float) -> None:
        self._confidence = confidence
        self._model, self._recipe = model, recipe
        self._session = session_of(model)
        names = [output.name for output in self._session.get_outputs()]
        self._outputs = [
            _named(names, words, model) for words in (("box",), ("label", "class"), ("score",))
        ]

    def detect(self, pictures: Sequence[Picture]) -> list[Detections]:
        return [self._one(picture) for picture in pictures]

    def _one(self, picture: Picture) -> Detections:
        tensor = network_input(picture, self._recipe)
        name = self._session.get_inputs()[0].name
        try:
            boxes, labels, scores = self._session.run(self._outputs, {name: tensor})
        except Exception as error:  # onnxruntime's own classes are not public
            raise ModelFileError(
                f"{self._model} does not take pictures of {self._recipe.width} x"
                f" {self._recipe.height} ({self._recipe.layout}): {error}",
                path=str(self._model),
            ) from error
        chosen = (labels.reshape(-1) == _PERSON) & (scores.reshape(-1) >= self._confidence)
        height, width = picture.shape[:2]
        scale = [width / self._recipe.width, height / self._recipe.height] * 2
        corners = boxes.reshape(-1, 4)[chosen].astype(np.float64) * scale
        return _from_corners(corners, scores.reshape(-1)[chosen].astype(np.float64), picture)


def network_input(picture: Picture, recipe: InputRecipe) -> NDArray[np.float32]:
    """A BGR picture as the network wants it, with a leading axis of one."""
    resized = cv2.resize(picture, (recipe.width, recipe.height)).astype(np.float32)
    if recipe.order == "rgb":
        resized = resized[..., ::-1]
    values = (resized - np.asarray(recipe.mean, np.float32)) * np.float32(recipe.scale)
    if recipe.layout == "nchw":
        values = values.transpose(2, 0, 1)
    return np.ascontiguousarray(values[None], dtype=np.float32)


def _from_corners(
    corners: NDArray[np.float64], confidences: NDArray[np.float64], picture: Picture
) -> Detections:
    height, width = picture.shape[:2]
    boxes = np.hstack([corners[:, :2], corners[:, 2:] - corners[:, :2]])
    return Detections(clipped(boxes, width, height), confidences)


def _named(names: list[str], words: tuple[str, ...], model: Path) -> str:
    for name in names:
        if any(word in name.lower() for word in words):
            return name
    raise ModelFileError(
        f"{model} has the outputs {', '.join(names)}; a person detector needs one whose name"
        f" contains {' or '.join(words)} (see docs/models.md)",
        path=str(model),
    )
