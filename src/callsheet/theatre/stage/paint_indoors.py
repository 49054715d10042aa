"""Paints what is indoors: walls, floors, furniture, things on walls and tables."""

from __future__ import annotations

import cv2
import numpy as np

from callsheet.theatre.stage.brush import (
    SIZE,
    Texture,
    any_colour,
    cloud,
    fill,
    plain,
    shade,
    solid,
    speckled,
)
from callsheet.theatre.stage.looks import Colour


def plaster(rng: np.random.Generator, colour: Colour) -> Texture:
    return solid(speckled(rng, plain(colour), 3.5, 2.0))


def wallpaper(rng: np.random.Generator, colour: Colour) -> Texture:
    """Stripes or a small repeated figure, above a wainscot."""
    picture = plain(colour)
    second = shade(colour, float(rng.choice([0.84, 0.9, 1.12])))
    if rng.random() < 0.5:
        for x in np.arange(0, 1, 1 / 14):
            fill(picture, x, 0, 1 / 28, 1, second)
    else:
        for i, y in enumerate(np.arange(0.03, 1, 1 / 12)):
            for x in np.arange(0.03 + 0.04 * (i % 2), 1, 1 / 12):
                cv2.circle(picture, (int(x * SIZE), int(y * SIZE)), 5, second, -1, cv2.LINE_AA)
                cv2.circle(picture, (int(x * SIZE), int(y * SIZE)), 10, second, 1, cv2.LINE_AA)
    return solid(speckled(rng, picture, 3.0, 2.0))


def planks(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = plain(colour)
    for n in range(12):
        row = slice(n * SIZE // 12, (n + 1) * SIZE // 12)
        picture[row] *= rng.uniform(0.86, 1.08)
        seam = int(rng.integers(SIZE))
        picture[row, seam : seam + 2] *= 0.7
        picture[row.start : row.start + 2] *= 0.72
    streaks = cv2.resize(rng.normal(size=(SIZE, 12)).astype(np.float32), (SIZE, SIZE))
    return solid(picture * (1 + 0.05 * streaks[..., None]))


def tiles(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = plain(colour)
    step = SIZE // 12
    for i in range(12):
        for j in range(12):
            share = rng.uniform(0.94, 1.04) * (0.80 if (i + j) % 2 else 1.0)
            picture[i * step : (i + 1) * step, j * step : (j + 1) * step] *= share
    picture[::step] *= 0.7
    picture[:, ::step] *= 0.7
    return solid(speckled(rng, picture, 2.0, 1.2))


def carpet(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = plain(colour)
    for inset, share in ((0.04, 0.7), (0.07, 1.25), (0.12, 0.8), (0.15, 1.0)):
        fill(picture, inset, inset, 1 - 2 * inset, 1 - 2 * inset, shade(colour, share))
    cv2.ellipse(picture, (SIZE // 2, SIZE // 2), (70, 110), 0, 0, 360, shade(colour, 1.3), 9, cv2.LINE_AA)  # fmt: skip  # noqa: E501
    return solid(speckled(rng, picture, 3.0, 9.0))


def brick(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = plain((176, 168, 158))
    rows, columns = 22, 9
    for i in range(rows):
        for j in range(-1, columns):
            x = (j + 0.5 * (i % 2)) / columns
            tone = shade(colour, float(rng.uniform(0.78, 1.12)))
            fill(picture, max(0.0, x + 0.006), (i + 0.1) / rows, 1 / columns - 0.012 + min(0.0, x), 0.8 / rows, tone)  # fmt: skip  # noqa: E501
    return solid(speckled(rng, picture, 4.0, 5.0))


def picture_frame(rng: np.random.Generator, colour: Colour) -> Texture:
    """A small painting: hills under a sky, or coloured shapes."""
    picture = plain((92, 66, 40))
    fill(picture, 0.07, 0.07, 0.86, 0.86, (232, 226, 212))
    if rng.random() < 0.5:
        fill(picture, 0.16, 0.16, 0.68, 0.68, (168, 196, 216))
        for y in (0.5, 0.6, 0.7):
            tone = shade(colour, float(rng.uniform(0.6, 1.2)))
            cv2.ellipse(picture, (int(rng.uniform(0.3, 0.7) * SIZE), int((y + 0.2) * SIZE)),
                        (int(0.33 * SIZE), int(0.16 * SIZE)), 0, 180, 360, tone, -1)  # fmt: skip
        fill(picture, 0.07, 0.84, 0.86, 0.09, (232, 226, 212))
    else:
        for _ in range(7):
            tone = any_colour(rng, 40, 230)
            x, y = rng.uniform(0.18, 0.6, 2)
            fill(picture, x, y, rng.uniform(0.08, 0.24), rng.uniform(0.08, 0.24), tone)
    return solid(speckled(rng, picture, 2.0, 2.0))


def curtain(rng: np.random.Generator, colour: Colour) -> Texture:
    x = np.linspace(0, 1, SIZE, dtype=np.float32)
    folds = (1 + 0.22 * np.sin(2 * np.pi * 5.3 * x + 1.3 * np.sin(9 * x))).astype(np.float32)
    return solid(speckled(rng, plain(colour) * folds[None, :, None], 3.0, 2.0))


def bookshelf(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = plain(shade(colour, 0.5))
    for shelf in range(5):
        top, x = shelf / 5, 0.04
        while x < 0.94:
            wide, high = rng.uniform(0.018, 0.05), rng.uniform(0.10, 0.155)
            if rng.random() < 0.9:
                tone = any_colour(rng, 50, 150)
                fill(picture, x, top + 0.18 - high, wide, high, tone)
                fill(picture, x + wide * 0.2, top + 0.18 - 0.7 * high, wide * 0.6, 0.012, (220, 200, 140))  # fmt: skip  # noqa: E501
            x += wide + 0.003
        fill(picture, 0, top + 0.18, 1, 0.02, colour)
    fill(picture, 0, 0, 0.03, 1, colour)
    fill(picture, 0.97, 0, 0.03, 1, colour)
    return solid(speckled(rng, picture, 3.0, 2.0))


def bottles(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = plain(shade(colour, 0.45))
    for shelf in range(3):
        base = (shelf + 1) / 3 - 0.03
        for x in np.arange(0.03, 0.94, 0.055):
            tone = any_colour(rng, 30, 140)
            high = rng.uniform(0.14, 0.19)
            fill(picture, x, base - high, 0.036, high, tone)
            fill(picture, x + 0.011, base - high - 0.06, 0.014, 0.07, tone)
            fill(picture, x + 0.003, base - 0.6 * high, 0.030, 0.3 * high, (226, 216, 190))
        fill(picture, 0, base, 1, 0.03, colour)
    return solid(speckled(rng, picture, 3.0, 2.0))


def door(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = plain(colour)
    for y, high in ((0.08, 0.38), (0.54, 0.38)):
        for x in (0.12, 0.54):
            fill(picture, x, y, 0.34, high, shade(colour, 0.72))
            fill(picture, x + 0.02, y + 0.012, 0.31, high - 0.022, shade(colour, 1.08))
    cv2.circle(picture, (int(0.93 * SIZE), int(0.53 * SIZE)), 11, (206, 176, 96), -1, cv2.LINE_AA)
    return solid(speckled(rng, picture, 3.0, 2.0))


def cloth(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = plain(colour)
    for n in range(0, SIZE, SIZE // 8):
        picture[n : n + SIZE // 16] *= 0.88
        picture[:, n : n + SIZE // 16] *= 0.88
    return solid(speckled(rng, picture, 2.0, 2.0))


def blanket(rng: np.random.Generator, colour: Colour) -> Texture:
    folds = 1 + 0.10 * cloud(rng, (SIZE, SIZE), 40)[..., None]
    picture = plain(colour) * folds
    picture[:: SIZE // 9] *= 0.85
    picture[:, :: SIZE // 9] *= 0.85
    return solid(speckled(rng, picture, 2.0, 3.0))


def metal(rng: np.random.Generator, colour: Colour) -> Texture:
    rows = np.linspace(0, 1, SIZE, dtype=np.float32)[:, None, None]
    shine = 1.0 + 0.35 * np.exp(-(((rows - 0.25) / 0.12) ** 2)) - 0.25 * rows
    return solid(plain(colour) * shine)


def food(rng: np.random.Generator, colour: Colour) -> Texture:
    """A plate from above: meat, peas, potatoes, a rim."""
    picture, alpha = plain((238, 236, 230)), np.zeros((SIZE, SIZE), dtype=np.float32)
    middle = (SIZE // 2, SIZE // 2)
    cv2.circle(alpha, middle, SIZE // 2 - 4, 1.0, -1, cv2.LINE_AA)
    cv2.circle(picture, middle, SIZE // 2 - 20, (214, 212, 206), 6, cv2.LINE_AA)
    cv2.ellipse(picture, (150, 170), (70, 46), 25, 0, 360, (132, 78, 44), -1, cv2.LINE_AA)
    for _ in range(60):
        spot = (int(rng.normal(240, 26)), int(rng.normal(180, 26)))
        cv2.circle(picture, spot, 9, (84, 142, 62), -1, cv2.LINE_AA)
    for _ in range(16):
        spot = (int(rng.normal(195, 34)), int(rng.normal(262, 18)))
        cv2.circle(picture, spot, 15, (226, 196, 110), -1, cv2.LINE_AA)
    return solid(picture, alpha)


def leather(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = speckled(rng, plain(colour), 5.0, 3.0)
    picture[:, :: SIZE // 5] *= 0.72
    return solid(picture)
