"""Run any ONNX network that takes pictures: by its recipe in, its first output out.

The backend is ONNX Runtime on the processor. As many threads are used as OMP_NUM_THREADS says,
all cores where it is not set.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from callsheet.errors import ModelFileError
from callsheet.video.models import InputRecipe, model_path, model_recipe
from callsheet.video.models.cache import looks_like_path
from callsheet.video.stream_picture import Picture

_BATCH = 8


class PictureNetwork:
    """A network and how to feed it. `run` takes BGR pictures already of the recipe's size."""

    def __init__(self, path: Path, recipe: InputRecipe) -> None:
        self.path = path
        self.recipe = recipe
        self._session = session_of(path)
        taken = self._session.get_inputs()[0]
        self._input: str = taken.name
        self._output: str = self._session.get_outputs()[0].name
        if len(taken.shape) != 4:
            raise ModelFileError(
                f"{path} takes an input of shape {taken.shape}; a picture network takes four axes",
                path=str(path),
            )
        self._fixed = fixed_batch(taken.shape)

    def run(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        """The first output, one row a picture (n, ...)."""
        return np.concatenate([self._one_batch(batch) for batch in self._batches(pictures)])

    def gives(self) -> tuple[int, ...]:
        """Shape of what it gives a picture, found by trying."""
        blank = np.zeros((self.recipe.height, self.recipe.width, 3), np.uint8)
        return self.run([blank]).shape[1:]

    def _batches(self, pictures: Sequence[Picture]) -> Iterator[Sequence[Picture]]:
        size = self._fixed or _BATCH
        for first in range(0, len(pictures), size):
            yield pictures[first : first + size]

    def _one_batch(self, pictures: Sequence[Picture]) -> NDArray[np.float32]:
        values = filled_up(network_input(pictures, self.recipe), self._fixed)
        try:
            given = self._session.run([self._output], {self._input: values})[0]
        except Exception as error:  # onnxruntime's own classes are not public
            raise ModelFileError(
                f"{self.path} does not take pictures of {self.recipe.width} x {self.recipe.height}"
                f" ({self.recipe.layout}): {error}",
                path=str(self.path),
            ) from error
        return np.asarray(given, dtype=np.float32)[: len(pictures)]


def picture_network(name: str, otherwise: InputRecipe) -> PictureNetwork:
    """The network of that name; a bare file is fed by the recipe `otherwise`."""
    recipe = None if looks_like_path(name) else model_recipe(name)
    path = model_path(name)
    if path.suffix != ".onnx":
        raise ModelFileError(f"{name} is no ONNX network for pictures; see `callsheet models list`")
    return PictureNetwork(path, recipe or otherwise)


def network_input(pictures: Sequence[Picture], recipe: InputRecipe) -> NDArray[np.float32]:
    """BGR pictures of the recipe's size as one float32 tensor in its layout."""
    values = np.stack(pictures).astype(np.float32)
    if recipe.order == "rgb":
        values = values[..., ::-1]
    mean, scale = np.array(recipe.mean, np.float32), np.float32(recipe.scale)
    values = (values - mean) * scale
    if recipe.layout == "nchw":
        values = values.transpose(0, 3, 1, 2)
    return np.ascontiguousarray(values, dtype=np.float32)


def fixed_batch(shape: Sequence[int | str | None]) -> int | None:
    """How many inputs a network insists on taking at once; None: as many as come."""
    return shape[0] if isinstance(shape[0], int) and shape[0] > 0 else None


def filled_up(values: NDArray[np.float32], count: int | None) -> NDArray[np.float32]:
    """Blank rows added up to the count that a network is fixed to."""
    missing = max(0, (count or 0) - len(values))
    if not missing:
        return values
    return np.concatenate([values, np.zeros((missing, *values.shape[1:]), np.float32)])


def resized(picture: Picture, recipe: InputRecipe) -> Picture:
    """The whole picture at the recipe's size."""
    shrinks = picture.shape[0] > recipe.height
    method = cv2.INTER_AREA if shrinks else cv2.INTER_LINEAR
    small = cv2.resize(picture, (recipe.width, recipe.height), interpolation=method)
    return np.asarray(small, dtype=np.uint8)


def session_of(path: Path) -> Any:
    """An ONNX Runtime session on the processor."""
    import onnxruntime

    onnxruntime.set_default_logger_severity(3)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = int(os.environ.get("OMP_NUM_THREADS", "0") or 0)
    # Threads that wait must not eat the cores of the other stages.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(str(path), options, ["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own classes are not public
        raise ModelFileError(f"{path} is not an ONNX network: {error}", path=str(path)) from error
