"""Run any ONNX network that takes clips: by its recipe in, one vector a clip out.

A recipe's layout says where the channels of a clip (n, time, ...) stand: `nhwc` last, as I3D wants
them; `nchw` before rows and columns; `ncthw` before time too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import ModelFileError
from callsheet.video.models import InputRecipe, model_path, model_recipe
from callsheet.video.models.cache import looks_like_path
from callsheet.video.network import filled_up, fixed_batch, session_of
from callsheet.video.stream_picture import Picture

PLAIN = InputRecipe(
    224, 224, mean=(127.5, 127.5, 127.5), scale=1 / 127.5, order="rgb", layout="nhwc"
)
"""For a network given as a bare file: fed as I3D is."""

_USUAL_LENGTH = 16
_AXES = {"nhwc": (0, 1, 2, 3, 4), "nchw": (0, 1, 4, 2, 3), "ncthw": (0, 4, 1, 2, 3)}
_LENGTH_AXIS = {"nhwc": 1, "nchw": 1, "ncthw": 2}


class ClipNetwork:
    """A network and how to feed it. `length` pictures make a clip."""

    def __init__(self, path: Path, recipe: InputRecipe) -> None:
        self.path, self.recipe = path, recipe
        self._session = session_of(path)
        taken = self._session.get_inputs()[0]
        self._input: str = taken.name
        self._output: str = self._session.get_outputs()[0].name
        if len(taken.shape) != 5:
            raise ModelFileError(
                f"{path} takes an input of shape {taken.shape}; a clip network takes five axes",
                path=str(path),
            )
        self._fixed = fixed_batch(taken.shape)
        length = taken.shape[_LENGTH_AXIS[recipe.layout]]
        self.length: int = length if isinstance(length, int) else _USUAL_LENGTH

    def run(self, clip: Sequence[Picture]) -> NDArray[np.float32]:
        """One vector (d,) of one clip: BGR pictures of the recipe's size; where there are fewer
        than `length`, the last one stays on."""
        held = [*clip, *[clip[-1]] * (self.length - len(clip))]
        values = filled_up(clip_input(held, self.recipe), self._fixed)
        try:
            given = self._session.run([self._output], {self._input: values})[0]
        except Exception as error:  # onnxruntime's own classes are not public
            raise ModelFileError(
                f"{self.path} does not take clips of {self.length} pictures of"
                f" {self.recipe.width} x {self.recipe.height} ({self.recipe.layout}): {error}",
                path=str(self.path),
            ) from error
        features = np.asarray(given, np.float32)[0]
        return np.asarray(features.reshape(len(features), -1).mean(axis=1))

    def width(self) -> int:
        """Numbers that it gives a clip, found by trying."""
        return len(self.run([np.zeros((self.recipe.height, self.recipe.width, 3), np.uint8)]))


def clip_network(name: str) -> ClipNetwork:
    """The network of that name; a bare file is fed as I3D is."""
    recipe = None if looks_like_path(name) else model_recipe(name)
    path = model_path(name)
    if path.suffix != ".onnx":
        raise ModelFileError(f"{name} is no ONNX network for clips; see `callsheet models list`")
    return ClipNetwork(path, recipe or PLAIN)


def clip_input(pictures: Sequence[Picture], recipe: InputRecipe) -> NDArray[np.float32]:
    """BGR pictures of the recipe's size as one float32 tensor of five axes in its layout."""
    values = np.stack(pictures)[None].astype(np.float32)
    if recipe.order == "rgb":
        values = values[..., ::-1]
    values = (values - np.array(recipe.mean, np.float32)) * np.float32(recipe.scale)
    return np.ascontiguousarray(values.transpose(_AXES[recipe.layout]), dtype=np.float32)
