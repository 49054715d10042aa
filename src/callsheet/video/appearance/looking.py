"""What a body looks like: the picture network's last feature map, averaged over its box."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from callsheet.video.models import InputRecipe
from callsheet.video.network import PictureNetwork, resized
from callsheet.video.stream_picture import Picture

PLAIN = InputRecipe(224, 224, mean=(127.5, 127.5, 127.5), scale=1 / 127.5)
"""For a network given as a bare file: RGB, -1 to 1, 224 pixels."""

_MARGIN = 0.05


class Looker:
    """Describes bodies; `width` numbers each, of length one."""

    def __init__(self, network: PictureNetwork) -> None:
        self._network = network
        self.width = network.gives()[0]

    def look(self, picture: Picture, boxes: NDArray[np.floating]) -> NDArray[np.float32]:
        """One row a box (n, 4: x, y, w, h in pixels of the BGR picture)."""
        crops = [resized(cut_out(picture, box), self._network.recipe) for box in boxes]
        maps = self._network.run(crops)
        vectors = maps.reshape(len(maps), maps.shape[1], -1).mean(axis=2)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)


def cut_out(picture: Picture, box: NDArray[np.floating]) -> Picture:
    """The box with a small margin, cut at the picture's border; at least one pixel."""
    x, y, w, h = (float(value) for value in box)
    height, width = picture.shape[:2]
    x0 = int(np.clip(np.floor(x - _MARGIN * w), 0, width - 1))
    y0 = int(np.clip(np.floor(y - _MARGIN * h), 0, height - 1))
    x1 = int(np.clip(np.ceil(x + w + _MARGIN * w), x0 + 1, width))
    y1 = int(np.clip(np.ceil(y + h + _MARGIN * h), y0 + 1, height))
    return picture[y0:y1, x0:x1]
