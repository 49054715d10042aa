"""The inner loops of dense trajectories: orientation histograms of a flow field, summed in cells.

Letters: `u`, `v` flow components in pixels a frame, (height, width) float32; `layers` a summed-
area table (height + 1, width + 1, BINS) float64, so that any rectangle's histogram is four reads.

A pixel votes with its vector's length for the two orientation bins next to its angle, shared
linearly. Channels lie side by side in the last axis: HOF (8 orientations and one bin that counts
pixels at rest), MBHx (8, of the gradient of u), MBHy (8, of the gradient of v).
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

ORIENTATIONS = 8
HOF = slice(0, ORIENTATIONS + 1)
MBHX = slice(ORIENTATIONS + 1, 2 * ORIENTATIONS + 1)
MBHY = slice(2 * ORIENTATIONS + 1, 3 * ORIENTATIONS + 1)
BINS = 3 * ORIENTATIONS + 1

Field = NDArray[np.float32]
Layers = NDArray[np.float64]


@njit(cache=True, nogil=True)
def _vote(row: NDArray[np.float64], first: int, x: float, y: float, length: float) -> None:
    """Add a vector's length to the two orientation bins around its angle."""
    turn = math.atan2(y, x) / (2.0 * math.pi)
    place = (turn - math.floor(turn)) * ORIENTATIONS
    low = int(place)
    share = place - low
    low %= ORIENTATIONS
    row[first + low] += length * (1.0 - share)
    row[first + (low + 1) % ORIENTATIONS] += length * share


@njit(cache=True, nogil=True)
def _vote_flow(row: NDArray[np.float64], x: float, y: float, rest: float) -> None:
    length = math.sqrt(x * x + y * y)
    if length < rest:
        row[ORIENTATIONS] += 1.0
    else:
        _vote(row, 0, x, y, length)


@njit(cache=True, nogil=True)
def _vote_gradient(row: NDArray[np.float64], first: int, x: float, y: float) -> None:
    length = math.sqrt(x * x + y * y)
    if length > 0.0:
        _vote(row, first, x, y, length)


@njit(cache=True, nogil=True)
def orientation_layers(u: Field, v: Field, rest: float) -> Layers:
    """Summed-area table of HOF, MBHx and MBHy votes; slower than `rest` counts as at rest."""
    height, width = u.shape
    layers = np.zeros((height + 1, width + 1, BINS))
    row = np.empty(BINS)
    for y in range(height):
        above, below = max(y - 1, 0), min(y + 1, height - 1)
        row[:] = 0.0
        for x in range(width):
            left, right = max(x - 1, 0), min(x + 1, width - 1)
            _vote_flow(row, u[y, x], v[y, x], rest)
            _vote_gradient(row, 9, (u[y, right] - u[y, left]) / 2, (u[below, x] - u[above, x]) / 2)
            _vote_gradient(row, 17, (v[y, right] - v[y, left]) / 2, (v[below, x] - v[above, x]) / 2)
            for k in range(BINS):
                layers[y + 1, x + 1, k] = layers[y, x + 1, k] + row[k]
    return layers


@njit(cache=True, nogil=True)
def add_cells(
    points: NDArray[np.float32],
    slots: NDArray[np.int64],
    layers: Layers,
    patch: int,
    tubes: NDArray[np.float32],
) -> None:
    """Add to each point's time slot the histograms of the 2 x 2 cells of the patch around it.

    `points` (n, 2) x and y; `slots` (n,) which third of the tube; `tubes` (n, 3, 4, BINS).
    Cells that reach over the border keep the part that lies inside.
    """
    height, width = layers.shape[0] - 1, layers.shape[1] - 1
    half = patch // 2
    for n in range(points.shape[0]):
        left = math.floor(points[n, 0] + 0.5) - half
        top = math.floor(points[n, 1] + 0.5) - half
        for cell in range(4):
            x0 = left + (cell % 2) * half
            y0 = top + (cell // 2) * half
            x1, y1 = min(max(x0 + half, 0), width), min(max(y0 + half, 0), height)
            x0, y0 = min(max(x0, 0), width), min(max(y0, 0), height)
            for k in range(BINS):
                tubes[n, slots[n], cell, k] += (
                    layers[y1, x1, k] - layers[y0, x1, k] - layers[y1, x0, k] + layers[y0, x0, k]
                )


@njit(cache=True, nogil=True)
def sampled(field: Field, points: NDArray[np.float32]) -> NDArray[np.float32]:
    """Bilinear values of a (height, width) field at (n, 2) points, clamped to its border."""
    height, width = field.shape
    values = np.empty(points.shape[0], np.float32)
    for n in range(points.shape[0]):
        x = min(max(points[n, 0], 0.0), width - 1.0)
        y = min(max(points[n, 1], 0.0), height - 1.0)
        x0, y0 = min(int(x), max(width - 2, 0)), min(int(y), max(height - 2, 0))
        x1, y1 = min(x0 + 1, width - 1), min(y0 + 1, height - 1)
        a, b = x - x0, y - y0
        upper = field[y0, x0] * (1 - a) + field[y0, x1] * a
        lower = field[y1, x0] * (1 - a) + field[y1, x1] * a
        values[n] = upper * (1 - b) + lower * b
    return values


@njit(cache=True, nogil=True)
def free_points(
    corners: Field, floor: float, inside: NDArray[np.uint8], taken: NDArray[np.uint8], step: int
) -> NDArray[np.float32]:
    """One point for each free `step` x `step` tile whose middle lies inside and has texture.

    `taken` marks tiles (rows, columns) that a live trajectory stands in.
    """
    height, width = corners.shape
    found = np.empty((taken.size, 2), np.float32)
    count = 0
    for row in range(taken.shape[0]):
        for column in range(taken.shape[1]):
            x, y = column * step + step // 2, row * step + step // 2
            if taken[row, column] or x >= width or y >= height:
                continue
            if inside[y, x] and corners[y, x] > floor:
                found[count, 0], found[count, 1] = x, y
                count += 1
    return found[:count].copy()
