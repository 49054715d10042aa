"""Faces brought into one place: the similarity that moves five landmarks onto a template.

The template is that of the usual face networks: 112 x 112 pixels, both eyes, the nose and both
corners of the mouth of a frontal face (by the person's own right and left, so the right eye is at
the left of the picture).
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from callsheet.video.models import InputRecipe
from callsheet.video.stream_picture import Picture

TEMPLATE_SIDE = 112
TEMPLATE = np.array(
    [[38.2946, 51.6963], [73.5318, 51.5014], [56.0252, 71.7366], [41.5493, 92.3655],
     [70.7299, 92.2041]]
)  # fmt: skip
"""Where the five landmarks of a face go, pixels."""

Matrix = NDArray[np.float64]


def similarity(points: NDArray[np.floating], target: NDArray[np.floating]) -> Matrix:
    """The (2, 3) turn, scale and shift that best moves `points` onto `target` (least squares).

    With points as complex numbers z and w it is w = a z + b; a mirror image is never made.
    """
    z, w = points[:, 0] + 1j * points[:, 1], target[:, 0] + 1j * target[:, 1]
    z0, w0 = z - z.mean(), w - w.mean()
    a = np.vdot(z0, w0) / np.vdot(z0, z0).real
    b = w.mean() - a * z.mean()
    return np.array([[a.real, -a.imag, b.real], [a.imag, a.real, b.imag]])


def is_usable(points: NDArray[np.floating]) -> bool:
    """Whether five points can place a face: finite, and not all in one spot."""
    return bool(np.isfinite(points).all() and np.ptp(points, axis=0).max() > 1)


def aligned_face(picture: Picture, points: NDArray[np.floating], recipe: InputRecipe) -> Picture:
    """The face at the recipe's size with its landmarks on the scaled template."""
    scale = np.array([recipe.width, recipe.height]) / TEMPLATE_SIDE
    matrix = similarity(points, TEMPLATE * scale)
    return warped(picture, matrix, (recipe.width, recipe.height))


def warped(picture: Picture, matrix: Matrix, size: tuple[int, int]) -> Picture:
    """The part of a picture that `matrix` moves into `size`; large faces are shrunk first, so
    that no detail is skipped over."""
    factor = float(np.hypot(matrix[0, 0], matrix[1, 0]))
    if factor < 0.5:
        picture, matrix = _shrunk(picture, matrix, size, factor)
    return np.asarray(cv2.warpAffine(picture, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)


def boxed_face(picture: Picture, box: NDArray[np.floating], recipe: InputRecipe) -> Picture:
    """The box (x, y, w, h) at the recipe's size, for networks that align nothing."""
    x, y, w, h = (float(value) for value in box)
    across, down = recipe.width / max(w, 1.0), recipe.height / max(h, 1.0)
    matrix = np.array([[across, 0, -x * across], [0, down, -y * down]])
    return warped(picture, matrix, (recipe.width, recipe.height))


def _shrunk(
    picture: Picture, matrix: Matrix, size: tuple[int, int], factor: float
) -> tuple[Picture, Matrix]:
    """The needed part of the picture at about the target's scale, and the matrix from there."""
    back = cv2.invertAffineTransform(matrix)
    corners = np.array([[0, 0, 1], [size[0], 0, 1], [0, size[1], 1], [*size, 1]]) @ back.T
    limits = np.array([picture.shape[1], picture.shape[0]])
    low = np.clip(np.floor(corners.min(0)), 0, limits - 1).astype(int)
    high = np.clip(np.ceil(corners.max(0)) + 1, low + 1, limits).astype(int)
    part = picture[low[1] : high[1], low[0] : high[0]]
    small_size = np.maximum(np.rint((high - low) * factor), 1).astype(int)
    small = cv2.resize(part, tuple(map(int, small_size)), interpolation=cv2.INTER_AREA)
    step = (high - low) / small_size
    moved = matrix.copy()
    moved[:, 2] += matrix[:, :2] @ (low + 0.5 * step - 0.5)
    moved[:, :2] = matrix[:, :2] * step
    return np.asarray(small, np.uint8), moved
