"""What all painters share: colours, noise, rectangles, and the texture that comes out.

With `face` and the painters, the only modules that use OpenCV to paint.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from callsheet.theatre.stage.looks import Colour

Texture = npt.NDArray[np.uint8]
Picture = npt.NDArray[np.float32]
Painter = Callable[[np.random.Generator, Colour], Texture]

SIZE = 384


def cloud(rng: np.random.Generator, shape: tuple[int, int], cell: int) -> Picture:
    """Smooth noise of about unit spread."""
    rows, columns = shape
    small = rng.normal(size=(rows // cell + 2, columns // cell + 2)).astype(np.float32)
    picture: Picture = cv2.resize(small, (columns, rows), interpolation=cv2.INTER_CUBIC)
    return picture


def plain(colour: Colour, shape: tuple[int, int] = (SIZE, SIZE)) -> Picture:
    picture = np.empty((*shape, 3), dtype=np.float32)
    picture[:] = colour
    return picture


def speckled(rng: np.random.Generator, picture: Picture, coarse: float, fine: float) -> Picture:
    shape = picture.shape[:2]
    grain = coarse * cloud(rng, shape, 48) + fine * cloud(rng, shape, 3)
    return picture + grain[..., None]


def solid(picture: Picture, alpha: Picture | None = None) -> Texture:
    rows, columns = picture.shape[:2]
    layer = np.full((rows, columns, 1), 255.0) if alpha is None else 255.0 * alpha[..., None]
    texture: Texture = np.clip(np.concatenate([picture, layer], axis=2), 0, 255).astype(np.uint8)
    return texture


def shade(colour: Colour, share: float) -> Colour:
    red, green, blue = (min(255.0, c * share) for c in colour)
    return red, green, blue


def any_colour(rng: np.random.Generator, low: int, high: int) -> Colour:
    red, green, blue = (float(c) for c in rng.integers(low, high, 3))
    return red, green, blue


def fill(picture: Picture, x: float, y: float, w: float, h: float, colour: Colour) -> None:
    """Fill a rectangle given in shares of the picture, y downwards."""
    rows, columns = picture.shape[:2]
    cv2.rectangle(
        picture,
        (round(x * columns), round(y * rows)),
        (round((x + w) * columns) - 1, round((y + h) * rows) - 1),
        colour,
        -1,
    )
