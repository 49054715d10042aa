"""Paints the sets: walls, floors, furniture and views, as (rows, columns, 4) textures.

Every painter takes its own random generator and colour, so that no two sets are alike. With
`face`, the only module that uses OpenCV to paint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

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


def _plain(colour: Colour, shape: tuple[int, int] = (SIZE, SIZE)) -> Picture:
    picture = np.empty((*shape, 3), dtype=np.float32)
    picture[:] = colour
    return picture


def _speckled(rng: np.random.Generator, picture: Picture, coarse: float, fine: float) -> Picture:
    shape = picture.shape[:2]
    grain = coarse * cloud(rng, shape, 48) + fine * cloud(rng, shape, 3)
    return picture + grain[..., None]


def _solid(picture: Picture, alpha: Picture | None = None) -> Texture:
    rows, columns = picture.shape[:2]
    layer = np.full((rows, columns, 1), 255.0) if alpha is None else 255.0 * alpha[..., None]
    texture: Texture = np.clip(np.concatenate([picture, layer], axis=2), 0, 255).astype(np.uint8)
    return texture


def _shade(colour: Colour, share: float) -> Colour:
    red, green, blue = (min(255.0, c * share) for c in colour)
    return red, green, blue


def _any_colour(rng: np.random.Generator, low: int, high: int) -> Colour:
    red, green, blue = (float(c) for c in rng.integers(low, high, 3))
    return red, green, blue


def _box(picture: Picture, x: float, y: float, w: float, h: float, colour: Colour) -> None:
    """Fill a rectangle given in shares of the picture, y downwards."""
    rows, columns = picture.shape[:2]
    cv2.rectangle(
        picture,
        (round(x * columns), round(y * rows)),
        (round((x + w) * columns) - 1, round((y + h) * rows) - 1),
        colour,
        -1,
    )


def plaster(rng: np.random.Generator, colour: Colour) -> Texture:
    return _solid(_speckled(rng, _plain(colour), 3.5, 2.0))


def wallpaper(rng: np.random.Generator, colour: Colour) -> Texture:
    """Stripes or a small repeated figure, above a wainscot."""
    picture = _plain(colour)
    second = _shade(colour, float(rng.choice([0.84, 0.9, 1.12])))
    if rng.random() < 0.5:
        for x in np.arange(0, 1, 1 / 14):
            _box(picture, x, 0, 1 / 28, 1, second)
    else:
        for i, y in enumerate(np.arange(0.03, 1, 1 / 12)):
            for x in np.arange(0.03 + 0.04 * (i % 2), 1, 1 / 12):
                cv2.circle(picture, (int(x * SIZE), int(y * SIZE)), 5, second, -1, cv2.LINE_AA)
                cv2.circle(picture, (int(x * SIZE), int(y * SIZE)), 10, second, 1, cv2.LINE_AA)
    return _solid(_speckled(rng, picture, 3.0, 2.0))


def planks(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = _plain(colour)
    for n in range(12):
        row = slice(n * SIZE // 12, (n + 1) * SIZE // 12)
        picture[row] *= rng.uniform(0.86, 1.08)
        seam = int(rng.integers(SIZE))
        picture[row, seam : seam + 2] *= 0.7
        picture[row.start : row.start + 2] *= 0.72
    streaks = cv2.resize(rng.normal(size=(SIZE, 12)).astype(np.float32), (SIZE, SIZE))
    return _solid(picture * (1 + 0.05 * streaks[..., None]))


def tiles(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = _plain(colour)
    step = SIZE // 12
    for i in range(12):
        for j in range(12):
            share = rng.uniform(0.94, 1.04) * (0.80 if (i + j) % 2 else 1.0)
            picture[i * step : (i + 1) * step, j * step : (j + 1) * step] *= share
    picture[::step] *= 0.7
    picture[:, ::step] *= 0.7
    return _solid(_speckled(rng, picture, 2.0, 1.2))


def carpet(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = _plain(colour)
    for inset, share in ((0.04, 0.7), (0.07, 1.25), (0.12, 0.8), (0.15, 1.0)):
        _box(picture, inset, inset, 1 - 2 * inset, 1 - 2 * inset, _shade(colour, share))
    cv2.ellipse(picture, (SIZE // 2, SIZE // 2), (70, 110), 0, 0, 360, _shade(colour, 1.3), 9, cv2.LINE_AA)  # fmt: skip  # noqa: E501
    return _solid(_speckled(rng, picture, 3.0, 9.0))


def brick(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = _plain((176, 168, 158))
    rows, columns = 22, 9
    for i in range(rows):
        for j in range(-1, columns):
            x = (j + 0.5 * (i % 2)) / columns
            tone = _shade(colour, float(rng.uniform(0.78, 1.12)))
            _box(picture, max(0.0, x + 0.006), (i + 0.1) / rows, 1 / columns - 0.012 + min(0.0, x), 0.8 / rows, tone)  # fmt: skip  # noqa: E501
    return _solid(_speckled(rng, picture, 4.0, 5.0))


def facade(rng: np.random.Generator, colour: Colour) -> Texture:
    """A house front with rows of windows and a shop below."""
    base = brick(rng, colour)[..., :3].astype(np.float32)
    picture = cv2.resize(base[: SIZE // 2], (SIZE, SIZE))
    for y in (0.06, 0.30):
        for x in (0.07, 0.31, 0.55, 0.79):
            glass = (70, 84, 98) if rng.random() < 0.7 else (214, 196, 130)
            _box(picture, x - 0.012, y - 0.012, 0.165, 0.19, (222, 216, 204))
            _box(picture, x, y, 0.14, 0.166, glass)
            _box(picture, x + 0.065, y, 0.01, 0.166, (222, 216, 204))
            _box(picture, x - 0.02, y + 0.175, 0.18, 0.016, (200, 194, 182))
    sign = _shade((float(rng.integers(60, 200)), float(rng.integers(50, 150)), float(rng.integers(50, 170))), 1.0)  # fmt: skip  # noqa: E501
    _box(picture, 0, 0.54, 1, 0.09, sign)
    for x in np.arange(0.1, 0.9, 0.05):
        if rng.random() < 0.7:
            _box(picture, x, 0.565, 0.03, 0.04, (240, 234, 220))
    for x in (0.05, 0.53):
        _box(picture, x, 0.66, 0.42, 0.30, (46, 56, 64))
        _box(picture, x + 0.02, 0.68, 0.18, 0.26, (96, 112, 120))
        _box(picture, x + 0.22, 0.68, 0.18, 0.26, (82, 98, 108))
    return _solid(_speckled(rng, picture, 5.0, 2.0))


def asphalt(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = _speckled(rng, _plain(colour), 6.0, 9.0)
    return _solid(picture)


def pavement(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = _speckled(rng, _plain(colour), 5.0, 5.0)
    picture[:: SIZE // 6, :] *= 0.75
    picture[:, :: SIZE // 10] *= 0.75
    return _solid(picture)


def grass(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = _plain(colour) * (1 + 0.14 * cloud(rng, (SIZE, SIZE), 30)[..., None])
    return _solid(picture * (1 + 0.20 * cloud(rng, (SIZE, SIZE), 2)[..., None]))


def sky(rng: np.random.Generator, colour: Colour) -> Texture:
    rows = np.linspace(0, 1, SIZE, dtype=np.float32)[:, None, None]
    haze = np.array((236, 234, 228), np.float32)
    picture = np.array(colour, np.float32) * (1 - 0.5 * rows) + haze * 0.5 * rows
    clouds = np.clip(cloud(rng, (SIZE, SIZE), 70) + 0.5 * cloud(rng, (SIZE, SIZE), 25), 0, 2)
    return _solid(picture + 0.35 * clouds[..., None] * (250 - picture))


def leaves(rng: np.random.Generator, colour: Colour) -> Texture:
    """A tree or bush as a cut-out."""
    picture, alpha = _plain(_shade(colour, 0.5)), np.zeros((SIZE, SIZE), dtype=np.float32)
    for depth in np.linspace(0.45, 1.25, 420):
        angle, far = rng.uniform(0, 2 * np.pi), np.sqrt(rng.uniform(0, 1))
        x, y = 0.5 + 0.42 * far * np.cos(angle), 0.5 + 0.42 * far * np.sin(angle)
        centre, size = (int(x * SIZE), int(y * SIZE)), int(rng.integers(6, 17))
        tone = _shade(colour, float(depth * rng.uniform(0.85, 1.15)))
        cv2.circle(picture, centre, size, tone, -1, cv2.LINE_AA)
        cv2.circle(alpha, centre, size, 1.0, -1, cv2.LINE_AA)
    return _solid(picture, alpha)


def bark(rng: np.random.Generator, colour: Colour) -> Texture:
    streaks = cv2.resize(rng.normal(size=(16, SIZE // 3)).astype(np.float32), (SIZE, SIZE))
    return _solid(_plain(colour) * (1 + 0.2 * streaks[..., None]))


def picture_frame(rng: np.random.Generator, colour: Colour) -> Texture:
    """A small painting: hills under a sky, or coloured shapes."""
    picture = _plain((92, 66, 40))
    _box(picture, 0.07, 0.07, 0.86, 0.86, (232, 226, 212))
    if rng.random() < 0.5:
        _box(picture, 0.16, 0.16, 0.68, 0.68, (168, 196, 216))
        for y in (0.5, 0.6, 0.7):
            tone = _shade(colour, float(rng.uniform(0.6, 1.2)))
            cv2.ellipse(picture, (int(rng.uniform(0.3, 0.7) * SIZE), int((y + 0.2) * SIZE)),
                        (int(0.33 * SIZE), int(0.16 * SIZE)), 0, 180, 360, tone, -1)  # fmt: skip
        _box(picture, 0.07, 0.84, 0.86, 0.09, (232, 226, 212))
    else:
        for _ in range(7):
            tone = _any_colour(rng, 40, 230)
            x, y = rng.uniform(0.18, 0.6, 2)
            _box(picture, x, y, rng.uniform(0.08, 0.24), rng.uniform(0.08, 0.24), tone)
    return _solid(_speckled(rng, picture, 2.0, 2.0))


def window(rng: np.random.Generator, colour: Colour) -> Texture:
    view = sky(rng, (150, 186, 224))[..., :3].astype(np.float32)
    for x in np.arange(-0.05, 1, 0.16):
        high = rng.uniform(0.15, 0.45)
        _box(view, max(x, 0), 1 - high, 0.14 + min(x, 0), high, _shade(colour, float(rng.uniform(0.5, 0.9))))  # fmt: skip  # noqa: E501
    frame = (236, 232, 224)
    for x, y, w, h in ((0, 0, 1, 0.045), (0, 0.955, 1, 0.045), (0, 0, 0.04, 1), (0.96, 0, 0.04, 1),
                       (0.48, 0, 0.04, 1), (0, 0.42, 1, 0.03)):  # fmt: skip
        _box(view, x, y, w, h, frame)
    return _solid(view)


def curtain(rng: np.random.Generator, colour: Colour) -> Texture:
    x = np.linspace(0, 1, SIZE, dtype=np.float32)
    folds = (1 + 0.22 * np.sin(2 * np.pi * 5.3 * x + 1.3 * np.sin(9 * x))).astype(np.float32)
    return _solid(_speckled(rng, _plain(colour) * folds[None, :, None], 3.0, 2.0))


def bookshelf(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = _plain(_shade(colour, 0.5))
    for shelf in range(5):
        top, x = shelf / 5, 0.04
        while x < 0.94:
            wide, high = rng.uniform(0.018, 0.05), rng.uniform(0.10, 0.155)
            if rng.random() < 0.9:
                tone = _any_colour(rng, 50, 150)
                _box(picture, x, top + 0.18 - high, wide, high, tone)
                _box(picture, x + wide * 0.2, top + 0.18 - 0.7 * high, wide * 0.6, 0.012, (220, 200, 140))  # fmt: skip  # noqa: E501
            x += wide + 0.003
        _box(picture, 0, top + 0.18, 1, 0.02, colour)
    _box(picture, 0, 0, 0.03, 1, colour)
    _box(picture, 0.97, 0, 0.03, 1, colour)
    return _solid(_speckled(rng, picture, 3.0, 2.0))


def bottles(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = _plain(_shade(colour, 0.45))
    for shelf in range(3):
        base = (shelf + 1) / 3 - 0.03
        for x in np.arange(0.03, 0.94, 0.055):
            tone = _any_colour(rng, 30, 140)
            high = rng.uniform(0.14, 0.19)
            _box(picture, x, base - high, 0.036, high, tone)
            _box(picture, x + 0.011, base - high - 0.06, 0.014, 0.07, tone)
            _box(picture, x + 0.003, base - 0.6 * high, 0.030, 0.3 * high, (226, 216, 190))
        _box(picture, 0, base, 1, 0.03, colour)
    return _solid(_speckled(rng, picture, 3.0, 2.0))


def door(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = _plain(colour)
    for y, high in ((0.08, 0.38), (0.54, 0.38)):
        for x in (0.12, 0.54):
            _box(picture, x, y, 0.34, high, _shade(colour, 0.72))
            _box(picture, x + 0.02, y + 0.012, 0.31, high - 0.022, _shade(colour, 1.08))
    cv2.circle(picture, (int(0.93 * SIZE), int(0.53 * SIZE)), 11, (206, 176, 96), -1, cv2.LINE_AA)
    return _solid(_speckled(rng, picture, 3.0, 2.0))


def cloth(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = _plain(colour)
    for n in range(0, SIZE, SIZE // 8):
        picture[n : n + SIZE // 16] *= 0.88
        picture[:, n : n + SIZE // 16] *= 0.88
    return _solid(_speckled(rng, picture, 2.0, 2.0))


def blanket(rng: np.random.Generator, colour: Colour) -> Texture:
    folds = 1 + 0.10 * cloud(rng, (SIZE, SIZE), 40)[..., None]
    picture = _plain(colour) * folds
    picture[:: SIZE // 9] *= 0.85
    picture[:, :: SIZE // 9] *= 0.85
    return _solid(_speckled(rng, picture, 2.0, 3.0))


def metal(rng: np.random.Generator, colour: Colour) -> Texture:
    rows = np.linspace(0, 1, SIZE, dtype=np.float32)[:, None, None]
    shine = 1.0 + 0.35 * np.exp(-(((rows - 0.25) / 0.12) ** 2)) - 0.25 * rows
    return _solid(_plain(colour) * shine)


_CAR_DOOR = (0.36, 0.21)  # where the front door begins, and how wide it is, in car lengths


def _outline(
    shape: Sequence[tuple[float, float]], columns: int, rows: int
) -> npt.NDArray[np.int32]:
    """Corners in pixels of a shape told in shares of the picture."""
    return np.array([[(int(x * columns), int(y * rows)) for x, y in shape]], dtype=np.int32)


def car_side(rng: np.random.Generator, colour: Colour) -> Texture:
    """The near side of a car, front to the right, with a hole where the front door hangs."""
    rows, columns = 256, 768
    picture, alpha = _plain(colour, (rows, columns)), np.zeros((rows, columns), dtype=np.float32)
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
    _box(picture, 0, 0.52, 1, 0.015, _shade(colour, 1.4))
    _box(picture, 0, 0.72, 1, 0.02, _shade(colour, 0.5))
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
    _box(picture, 0.955, 0.50, 0.035, 0.07, (250, 240, 200))
    _box(picture, 0.01, 0.50, 0.02, 0.08, (190, 30, 30))
    begin, wide = _CAR_DOOR
    _box(alpha, begin, 0.06, wide, 0.70, 0.0)  # type: ignore[arg-type]
    screen = _outline(((0.575, 0.36), (0.575, 0.08), (0.61, 0.08), (0.715, 0.36)), columns, rows)
    cv2.fillPoly(picture, screen, (178, 196, 206), cv2.LINE_AA)
    cv2.fillPoly(alpha, screen, 0.3, cv2.LINE_AA)
    return _solid(picture, alpha)


def car_door(rng: np.random.Generator, colour: Colour) -> Texture:
    """The front door: glass above, metal below."""
    rows, columns = 256, 220
    picture, alpha = _plain(colour, (rows, columns)), np.ones((rows, columns), dtype=np.float32)
    picture *= np.linspace(1.15, 0.72, rows, dtype=np.float32)[:, None, None]
    _box(picture, 0, 0.0, 1, 0.42, _shade(colour, 0.9))
    _box(picture, 0.06, 0.05, 0.88, 0.36, (196, 214, 224))
    _box(alpha, 0.06, 0.05, 0.88, 0.36, 0.16)  # type: ignore[arg-type]
    _box(picture, 0.06, 0.52, 0.16, 0.03, _shade(colour, 0.45))
    _box(picture, 0.02, 0.64, 0.96, 0.015, _shade(colour, 1.35))
    return _solid(picture, alpha)


def scenery(rng: np.random.Generator, colour: Colour) -> Texture:
    """A long strip of houses and trees to drive past."""
    rows, columns = 192, 2048
    picture = _plain((186, 206, 226), (rows, columns))
    x = 0.0
    while x < 1.0:
        wide, high = rng.uniform(0.02, 0.06), rng.uniform(0.25, 0.75)
        tone = _shade(colour, float(rng.uniform(0.5, 1.1)))
        _box(picture, x, 0.85 - high, wide, high, tone)
        for wx in np.arange(x + 0.004, x + wide - 0.006, 0.008):
            for wy in np.arange(0.89 - high, 0.8, 0.11):
                _box(picture, wx, wy, 0.004, 0.05, (70, 78, 92))
        if rng.random() < 0.6:
            spot = (int((x + wide) * columns), int(0.62 * rows))
            cv2.circle(picture, spot, int(rng.integers(16, 34)), (62, 98, 54), -1, cv2.LINE_AA)
        x += wide + rng.uniform(0, 0.02)
    _box(picture, 0, 0.85, 1, 0.15, (104, 104, 108))
    return _solid(_speckled(rng, picture, 5.0, 2.0))


def food(rng: np.random.Generator, colour: Colour) -> Texture:
    """A plate from above: meat, peas, potatoes, a rim."""
    picture, alpha = _plain((238, 236, 230)), np.zeros((SIZE, SIZE), dtype=np.float32)
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
    return _solid(picture, alpha)


def leather(rng: np.random.Generator, colour: Colour) -> Texture:
    picture = _speckled(rng, _plain(colour), 5.0, 3.0)
    picture[:, :: SIZE // 5] *= 0.72
    return _solid(picture)


PAINTERS: dict[str, Painter] = {
    painter.__name__: painter
    for painter in (
        plaster, wallpaper, planks, tiles, carpet, brick, facade, asphalt, pavement, grass, sky,
        leaves, bark, picture_frame, window, curtain, bookshelf, bottles, door, cloth, blanket,
        metal, car_side, car_door, scenery, food, leather,
    )
}  # fmt: skip
