"""Take in a user's own network: tried on a blank picture first, then kept in the cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from callsheet.errors import ModelFileError
from callsheet.video.clips.network import ClipNetwork
from callsheet.video.detection.faces import YuNetFaces
from callsheet.video.detection.persons import OnnxPersons
from callsheet.video.models import AddedModel, InputRecipe, Task, add_model
from callsheet.video.network import PictureNetwork


def add_network(name: str, file: Path, *, task: Task, recipe: InputRecipe) -> AddedModel:
    """Copy a network into the cache under a name; one that cannot be fed by its recipe, or does
    not give what the task asks for, is refused."""
    if recipe.layout not in _LAYOUTS[task]:
        raise ModelFileError(
            f"the layout of a {task.value} is {' or '.join(_LAYOUTS[task])}, got {recipe.layout}"
        )
    _TRIALS[task](file, recipe)
    return add_model(name, file, task=task, recipe=recipe)


def _try_faces(file: Path, recipe: InputRecipe) -> None:
    blank = np.zeros((recipe.height, recipe.width, 3), np.uint8)
    YuNetFaces(file, confidence=0.5).detect([blank])


def _try_pictures(file: Path, recipe: InputRecipe) -> None:
    PictureNetwork(file, recipe).gives()


def _try_persons(file: Path, recipe: InputRecipe) -> None:
    blank = np.zeros((recipe.height, recipe.width, 3), np.uint8)
    OnnxPersons(file, recipe, confidence=0.5).detect([blank])


def _try_clips(file: Path, recipe: InputRecipe) -> None:
    ClipNetwork(file, recipe).width()


_OF_PICTURES = ("nchw", "nhwc")
_LAYOUTS = dict.fromkeys(Task, _OF_PICTURES) | {Task.MOTION: (*_OF_PICTURES, "ncthw")}
_TRIALS: dict[Task, Callable[[Path, InputRecipe], None]] = {
    Task.FACE_DETECTOR: _try_faces,
    Task.FACE_DESCRIPTOR: _try_pictures,
    Task.APPEARANCE: _try_pictures,
    Task.PERSON_DETECTOR: _try_persons,
    Task.MOTION: _try_clips,
}
