"""Settings -> detectors, loaded from the user's cache or a given file."""

from __future__ import annotations

from pathlib import Path

from callsheet.errors import ModelFileError
from callsheet.video.detection.detections import Detector
from callsheet.video.models import (
    InputRecipe,
    known_model,
    model_path,
    model_recipe,
    part_path,
)
from callsheet.video.models.cache import looks_like_path
from callsheet.video.settings import TrackSettings

_PLAIN = InputRecipe(640, 640, scale=1 / 255)
"""For a detector given as a bare file: RGB, 0 to 1, 640 pixels."""


def detector_files(settings: TrackSettings) -> list[Path]:
    """The files of the networks that the settings look with."""
    files = [model_path(settings.face_model)] if settings.faces else []
    if settings.bodies:
        files += _person_files(settings.person_model)
    return files


def face_detector(settings: TrackSettings) -> Detector:
    """The face detector that the settings name."""
    from callsheet.video.detection.faces import YuNetFaces

    return YuNetFaces(
        model_path(settings.face_model),
        confidence=settings.face_confidence * settings.low_confidence,
        smallest=settings.min_face,
    )


def person_detector(settings: TrackSettings) -> Detector:
    """The person detector that the settings name."""
    from callsheet.video.detection.persons import OnnxPersons, SsdPersons

    name = settings.person_model
    confidence = settings.person_confidence * settings.low_confidence
    path, *text = _person_files(name)
    if text:
        return SsdPersons(path, text[0], confidence=confidence)
    recipe = _PLAIN if looks_like_path(name) else model_recipe(name) or _PLAIN
    return OnnxPersons(path, recipe, confidence=confidence)


def _person_files(name: str) -> list[Path]:
    """An ONNX network, or the two files of the SSD: its weights and its graph."""
    path = model_path(name)
    if path.suffix == ".onnx":
        return [path]
    if name != "ssd-person":
        raise ModelFileError(f"{name} is no person detector; give ssd-person or an .onnx file")
    model = known_model(name)
    return [path, part_path(model, model.parts[1])]
