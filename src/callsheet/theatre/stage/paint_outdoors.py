"""Paints what is outdoors: house fronts, ground, sky, trees, cars, and views."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from callsheet.theatre.stage.brush import SIZE, Texture, cloud, fill, plain, shade, solid, speckled
from callsheet.theatre.stage.looks import Colour
from callsheet.theatre.stage.paint_indoors import brick


def facade(rng: np.random.Generator, colour: Colour) -> Texture:
    """A house front with rows of windows and a shop below."""
    base = brick(rng, colour)[..., :3].astype(np.float32)
    picture = cv2.resize(base[: SIZE // 2], (SIZE, SIZE))
    for y in (0.06, 0.30):
        for x in (0.07, 0.31, 0.55, 0.79):
            glass = (70, 84, 98) if rng.random() < 0.7 else (214, 196, 130)
            fill(picture, x - 0.012, y - 0.012, 0.165, 0.19, (222, 216, 204))
            fill(picture, x, y, 0.14, 0.166, glass)
            fill(picture, x + 0.065, y, 0.01, 0.166, (222, 216, 204))
            fill(picture, x - 0.02, y + 0.175, 0.18, 0.016, (200, 194, 182))
    sign = shade((float(rng.integers(60, 200)), float(rng.integers(50, 150)), float(rng.integers(50, 170))), 1.0)  # fmt: skip  # noqa: E501
    fill(picture, 0, 0.54, 1, 0.09, sign)
    for x in np.arange(0.1, 0.9, 0.05):
        if rng.random() < 0.7:
            fill(picture, x, 0.565, 0.03, 0.04, (240, 234, 220))
    for x in (0.05, 0.53):
        fill(picture, x, 0.66, 0.42, 0.30, (46, 56, 64))
        fill(picture, x + 0.02, 0.68, 0.18, 0.26, (96, 112, 120))
        fill(picture, x + 0.22, 0.68, 0.18, 0.26, (82, 98, 108))
    return solid(speckled(rng, picture, 5.0, 2.0))


def asphalt(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = speckled(rng, plain(colour), 6.0, 9.0)
    return solid(picture)


def pavement(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = speckled(rng, plain(colour), 5.0, 5.0)
    picture[:: SIZE // 6, :] *= 0.75
    picture[:, :: SIZE // 10] *= 0.75
    return solid(picture)


def grass(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = plain(colour) * (1 + 0.14 * cloud(rng, (SIZE, SIZE), 30)[..., None])
    return solid(picture * (1 + 0.20 * cloud(rng, (SIZE, SIZE), 2)[..., None]))


def sky(rng: np.random.Generator, colour: Colour) -> Texture:
    rows = np.linspace(0, 1, SIZE, dtype=np.float32)[:, None, None]
    haze = np.array((236, 234, 228), np.float32)
    picture = np.array(colour, np.float32) * (1 - 0.5 * rows) + haze * 0.5 * rows
    clouds = np.clip(cloud(rng, (SIZE, SIZE), 70) + 0.5 * cloud(rng, (SIZE, SIZE), 25), 0, 2)
    return solid(picture + 0.35 * clouds[..., None] * (250 - picture))


def leaves(rng: np.random.Generator, colour: Colour) -> Texture:
    """A tree or bush as a cut-out."""
    picture, alpha = plain(shade(colour, 0.5)), np.zeros((SIZE, SIZE), dtype=np.float32)
    for depth in np.linspace(0.45, 1.25, 420):
        angle, far = rng.uniform(0, 2 * np.pi), np.sqrt(rng.uniform(0, 1))
        x, y = 0.5 + 0.42 * far * np.cos(angle), 0.5 + 0.42 * far * np.sin(angle)
        centre, size = (int(x * SIZE), int(y * SIZE)), int(rng.integers(6, 17))
        tone = shade(colour, float(depth * rng.uniform(0.85, 1.15)))
        cv2.circle(picture, centre, size, tone, -1, cv2.LINE_AA)
        cv2.circle(alpha, centre, size, 1.0, -1, cv2.LINE_AA)
    return solid(picture, alpha)


def bark(rng: np.random.Generator, colour: Colour) -> Texture:
    streaks = cv2.resize(rng.normal(size=(16, SIZE // 3)).astype(np.float32), (SIZE, SIZE))
    return solid(plain(colour) * (1 + 0.2 * streaks[..., None]))


_CAR_DOOR = (0.36, 0.21)  # where the front door begins, and how wide it is, in car lengths


def _outline(
    shape: Sequence[tuple[float, float]], columns: int, rows: int
) -> npt.NDArray[np.int32]:
    """Corners in pixels of a shape told in shares of the picture."""
    return np.array([[(int(x * columns), int(y * rows)) for x, y in shape]], dtype=np.int32)


def car_side(rng: np.random.Generator, colour: Colour) -> Texture:
    """The near side of a car, front to the right, with a hole where the front door hangs."""
    rows, columns = 256, 768
    picture, alpha = plain(colour, (rows, columns)), np.zeros((rows, columns), dtype=np.float32)
    shape = [
        (0.01, 0.80),
        (0.01, 0.50),
        (0.05, 0.43),
        (0.16, 0.38),
        (0.24, 0.05),
        (0.32, 0.01),
        (0.55, 0.01),
        (0.62, 0.06),
        (0.73, 0.38),
        (0.93, 0.45),
        (0.99, 0.55),
        (0.99, 0.80),
    ]
    cv2.fillPoly(alpha, _outline(shape, columns, rows), 1.0, cv2.LINE_AA)
    tone = np.linspace(1.18, 0.66, rows, dtype=np.float32)[:, None, None]
    picture *= tone
    fill(picture, 0, 0.52, 1, 0.015, shade(colour, 1.4))
    fill(picture, 0, 0.72, 1, 0.02, shade(colour, 0.5))
    glass = _outline(((0.20, 0.36), (0.26, 0.09), (0.345, 0.07), (0.345, 0.36)), columns, rows)
    cv2.fillPoly(picture, glass, (58, 70, 80), cv2.LINE_AA)
    for x in (0.18, 0.81):
        cv2.circle(picture, (int(x * columns), int(0.80 * rows)), 58, (26, 26, 28), -1, cv2.LINE_AA)
        cv2.circle(alpha, (int(x * columns), int(0.80 * rows)), 50, 1.0, -1, cv2.LINE_AA)
        cv2.circle(
            picture, (int(x * columns), int(0.80 * rows)), 30, (150, 152, 156), -1, cv2.LINE_AA
        )
        cv2.circle(
            picture, (int(x * columns), int(0.80 * rows)), 22, (96, 98, 104), -1, cv2.LINE_AA
        )
    fill(picture, 0.955, 0.50, 0.035, 0.07, (250, 240, 200))
    fill(picture, 0.01, 0.50, 0.02, 0.08, (190, 30, 30))
    begin, wide = _CAR_DOOR
    fill(alpha, begin, 0.06, wide, 0.70, 0.0)  # type: ignore[arg-type]
    screen = _outline(((0.575, 0.36), (0.575, 0.08), (0.61, 0.08), (0.715, 0.36)), columns, rows)
    cv2.fillPoly(picture, screen, (178, 196, 206), cv2.LINE_AA)
    cv2.fillPoly(alpha, screen, 0.3, cv2.LINE_AA)
    return solid(picture, alpha)


def car_door(rng: np.random.Generator, colour: Colour) -> Texture:
    """The front door: glass above, metal below."""
    rows, columns = 256, 220
    picture, alpha = plain(colour, (rows, columns)), np.ones((rows, columns), dtype=np.float32)
    picture *= np.linspace(1.15, 0.72, rows, dtype=np.float32)[:, None, None]
    fill(picture, 0, 0.0, 1, 0.42, shade(colour, 0.9))
    fill(picture, 0.06, 0.05, 0.88, 0.36, (196, 214, 224))
    fill(alpha, 0.06, 0.05, 0.88, 0.36, 0.16)  # type: ignore[arg-type]
    fill(picture, 0.06, 0.52, 0.16, 0.03, shade(colour, 0.45))
    fill(picture, 0.02, 0.64, 0.96, 0.015, shade(colour, 1.35))
    return solid(picture, alpha)


def scenery(rng: np.random.Generator, colour: Colour) -> Texture:
    """A long strip of houses and trees to drive past."""
    rows, columns = 192, 2048
    picture = plain((186, 206, 226), (rows, columns))
    x = 0.0
    while x < 1.0:
        wide, high = rng.uniform(0.02, 0.06), rng.uniform(0.25, 0.75)
        tone = shade(colour, float(rng.uniform(0.5, 1.1)))
        fill(picture, x, 0.85 - high, wide, high, tone)
        for wx in np.arange(x + 0.004, x + wide - 0.006, 0.008):
            for wy in np.arange(0.89 - high, 0.8, 0.11):
                fill(picture, wx, wy, 0.004, 0.05, (70, 78, 92))
        if rng.random() < 0.6:
            spot = (int((x + wide) * columns), int(0.62 * rows))
            cv2.circle(picture, spot, int(rng.integers(16, 34)), (62, 98, 54), -1, cv2.LINE_AA)
        x += wide + rng.uniform(0, 0.02)
    fill(picture, 0, 0.85, 1, 0.15, (104, 104, 108))
    return solid(speckled(rng, picture, 5.0, 2.0))


def window(rng: np.random.Generator, colour: Colour) -> Texture:
    view = sky(rng, (150, 186, 224))[..., :3].astype(np.float32)
    for x in np.arange(-0.05, 1, 0.16):
        high = rng.uniform(0.15, 0.45)
        fill(view, max(x, 0), 1 - high, 0.14 + min(x, 0), high, shade(colour, float(rng.uniform(0.5, 0.9))))  # fmt: skip  # noqa: E501
    frame = (236, 232, 224)
    for x, y, w, h in ((0, 0, 1, 0.045), (0, 0.955, 1, 0.045), (0, 0, 0.04, 1), (0.96, 0, 0.04, 1),
                       (0.48, 0, 0.04, 1), (0, 0.42, 1, 0.03)):  # fmt: skip
        fill(view, x, y, w, h, frame)
    return solid(view)
