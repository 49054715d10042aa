"""Paints the skin that is wrapped round a puppet's head: features, hairline, beard, glasses.

Places on the face are (x, y) in head heights from the middle of the head, x to the puppet's
left, y up; the eyes lie at y = 0. Only this module and its siblings `paint*` use OpenCV.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from callsheet.theatre.stage.looks import Beard, Colour, Hair, Look
from callsheet.theatre.stage.tracing import TEXTURE_REACH, TEXTURE_TOP

Picture = npt.NDArray[np.float32]

ROWS, COLUMNS = 480, 560
_FACE_RADIUS = 0.36  # head heights: how far the skin lies from the head's axis at the eyes
_PER_X = COLUMNS / (2 * TEXTURE_REACH * _FACE_RADIUS)
_PER_Y = ROWS / (2 * TEXTURE_TOP)
_SHIFT = 4  # OpenCV draws with this many bits of a pixel's fraction

EYE_Y, NOSE_Y, MOUTH_Y, CHIN_Y = 0.0, -0.16, -0.265, -0.44


@dataclass(frozen=True, slots=True)
class Expression:
    """`mouth` 0 shut to 1 wide open, `lids` 0 open to 1 shut, `smile` -1 sad to 1 glad."""

    mouth: float = 0.0
    lids: float = 0.0
    smile: float = 0.0


def paint_face(look: Look, expression: Expression) -> npt.NDArray[np.uint8]:
    """Paint the (ROWS, COLUMNS, 3) texture of one look with one expression."""
    rng = np.random.default_rng(look.seed)
    skin = _skin(look, rng)
    for side in (-1, 1):
        _socket(skin, look, side)
    _nose(skin, look)
    _wrinkles(skin, look)
    _hairline(skin, look, rng)
    _beard(skin, look, rng)
    _mouth(skin, look, expression)
    for side in (-1, 1):
        _eye(skin, look, expression, side)
        _brow(skin, look, expression, side, rng)
    _glasses(skin, look)
    return np.clip(skin, 0, 255).astype(np.uint8)


def _at(x: float, y: float) -> tuple[int, int]:
    """Texture place in OpenCV's fixed point."""
    column = COLUMNS / 2 + x * _PER_X
    row = ROWS / 2 - y * _PER_Y
    return round(column * (1 << _SHIFT)), round(row * (1 << _SHIFT))


def _points(places: list[tuple[float, float]]) -> npt.NDArray[np.int32]:
    return np.array([[_at(x, y) for x, y in places]], dtype=np.int32)


def _mixed(a: Colour, b: Colour, share: float) -> Colour:
    red, green, blue = (p + (q - p) * share for p, q in zip(a, b, strict=True))
    return red, green, blue


def _darker(colour: Colour, share: float) -> Colour:
    return _mixed(colour, (30, 16, 14), share)


def _fill(picture: Picture, places: list[tuple[float, float]], colour: Colour) -> None:
    cv2.fillPoly(picture, _points(places), colour, cv2.LINE_AA, _SHIFT)


def _line(
    picture: Picture, places: list[tuple[float, float]], colour: Colour, width: float
) -> None:
    thickness = max(1, round(width * _PER_Y))
    cv2.polylines(picture, _points(places), False, colour, thickness, cv2.LINE_AA, _SHIFT)


def _disc(picture: Picture, x: float, y: float, radius: float, colour: Colour) -> None:
    axes = (round(radius * _PER_X * (1 << _SHIFT)), round(radius * _PER_Y * (1 << _SHIFT)))
    cv2.ellipse(picture, _at(x, y), axes, 0, 0, 360, colour, -1, cv2.LINE_AA, _SHIFT)


def _grid() -> tuple[Picture, Picture]:
    """x and y of every texture pixel."""
    x = (np.arange(COLUMNS, dtype=np.float32) + 0.5 - COLUMNS / 2) / _PER_X
    y = (ROWS / 2 - np.arange(ROWS, dtype=np.float32) - 0.5) / _PER_Y
    return x[None, :], y[:, None]


def _wash(picture: Picture, x: float, y: float, size: tuple[float, float], colour: Colour, share: float) -> None:  # fmt: skip  # noqa: E501
    """Lay a soft patch of colour over the skin."""
    gx, gy = _grid()
    weight = share * np.exp(-(((gx - x) / size[0]) ** 2) - ((gy - y) / size[1]) ** 2)
    picture += weight[..., None] * (np.array(colour, np.float32) - picture)


def _cloud(rng: np.random.Generator, cell: int) -> Picture:
    """Smooth noise of about unit spread."""
    small = rng.normal(size=(ROWS // cell + 2, COLUMNS // cell + 2)).astype(np.float32)
    picture: Picture = cv2.resize(small, (COLUMNS, ROWS), interpolation=cv2.INTER_CUBIC)
    return picture


def _skin(look: Look, rng: np.random.Generator) -> Picture:
    skin = np.empty((ROWS, COLUMNS, 3), dtype=np.float32)
    skin[:] = look.skin
    skin += (2.2 * _cloud(rng, 40) + 1.2 * _cloud(rng, 6))[..., None]
    blush = _mixed(look.skin, (206, 84, 74), 0.5)
    for side in (-1, 1):
        _wash(skin, side * 0.19, -0.14, (0.09, 0.07), blush, 0.34)
        _wash(skin, side * 0.44, -0.1, (0.16, 0.4), _darker(look.skin, 0.5), 0.5)
        _wash(skin, side * 0.15, -0.1, (0.05, 0.03), _mixed(look.skin, (255, 240, 225), 0.6), 0.3)
    _wash(skin, 0, 0.2, (0.22, 0.09), _mixed(look.skin, (255, 244, 232), 0.6), 0.35)
    _wash(skin, 0, CHIN_Y - 0.05, (0.3, 0.05), _darker(look.skin, 0.55), 0.6)
    if look.freckles > 0.1:
        for _ in range(int(90 * look.freckles)):
            x, y = rng.normal(0, 0.15), rng.normal(-0.1, 0.06)
            _disc(skin, x, y, 0.004, _darker(look.skin, 0.25))
    return skin


def _eye_place(look: Look, side: int) -> tuple[float, float]:
    return side * (0.142 + 0.014 * look.eye_distance), EYE_Y


def _socket(skin: Picture, look: Look, side: int) -> None:
    x, y = _eye_place(look, side)
    _wash(skin, x, y + 0.015, (0.085, 0.05), _darker(look.skin, 0.55), 0.5)
    _wash(skin, x * 0.55, y + 0.01, (0.03, 0.06), _darker(look.skin, 0.5), 0.4)
    _wash(skin, x, y - 0.05, (0.06, 0.018), _darker(look.skin, 0.45), 0.2 + 0.35 * look.age)


def _eye(skin: Picture, look: Look, expression: Expression, side: int) -> None:
    x, y = _eye_place(look, side)
    wide, high = 0.064 * (1 + 0.12 * look.eye_size), 0.027 * (1 + 0.22 * look.eye_size)
    slant = 0.012 * look.eye_slant
    high *= 1.0 - expression.lids
    turn = np.linspace(0, np.pi, 13)
    upper = [(x + side * -wide * np.cos(a), y + high * 1.15 * np.sin(a) - slant * np.cos(a)) for a in turn]  # fmt: skip  # noqa: E501
    lower = [(x + side * -wide * np.cos(a), y - high * 0.8 * np.sin(a) - slant * np.cos(a)) for a in turn]  # fmt: skip  # noqa: E501
    dark = _darker(look.skin, 0.85)
    if expression.lids < 0.75:
        eye = skin.copy()
        eye[:] = (236, 230, 226)
        iris = 0.031
        _disc(eye, x, y + 0.002, iris, _darker(look.iris, 0.6))
        _disc(eye, x, y + 0.002, iris * 0.86, look.iris)
        _wash(eye, x, y - 0.012, (0.014, 0.009), _mixed(look.iris, (255, 240, 200), 0.6), 0.6)
        _disc(eye, x, y + 0.002, iris * 0.46, (14, 12, 12))
        _wash(eye, x, y + high * 1.3, (0.09, 0.016), (60, 44, 40), 0.75)
        _disc(eye, x + 0.010, y + 0.013, 0.0065, (255, 255, 255))
        mask = np.zeros((ROWS, COLUMNS), dtype=np.float32)
        cv2.fillPoly(mask, _points(upper + lower[::-1]), 1.0, cv2.LINE_AA, _SHIFT)
        skin += mask[..., None] * (eye - skin)
    _line(skin, upper, dark if not look.woman else (26, 18, 18), 0.010 if look.woman else 0.007)
    _line(skin, lower, _darker(look.skin, 0.45), 0.003)
    fold = [(px, py + 0.018 + 0.008 * look.eye_size) for px, py in upper[2:-2]]
    _line(skin, fold, _darker(look.skin, 0.4), 0.004)


def _brow(skin: Picture, look: Look, expression: Expression, side: int, rng: np.random.Generator) -> None:  # fmt: skip  # noqa: E501
    x, y = _eye_place(look, side)
    thick = 0.017 * (1 + 0.55 * look.brow_thickness) * (0.75 if look.woman else 1.15)
    level = y + 0.075 + 0.012 * look.brow_height + 0.008 * max(0.0, expression.smile)
    colour = _darker(look.hair, 0.35) if sum(look.hair) < 520 else _darker(look.hair, 0.5)
    for part in np.linspace(0, 1, 46):
        px = x + side * (-0.075 + 0.155 * part)
        arch = 0.022 * np.sin(np.pi * (0.15 + 0.75 * part)) + 0.016 * look.brow_angle * (part - 0.4)
        arch -= 0.014 * min(0.0, expression.smile) * (part - 0.6)
        here = thick * (0.55 + 0.6 * np.sin(np.pi * (0.12 + 0.8 * (1 - part))))
        root = level + arch + rng.normal(0, 0.001)
        tip = (px + side * 0.016, root + here * 0.75 + rng.normal(0, 0.002))
        _line(skin, [(px, root - here * 0.25), tip], colour, 0.007)


def _nose(skin: Picture, look: Look) -> None:
    tip = NOSE_Y - 0.02 * look.nose_length
    wide = 0.055 * (1 + 0.22 * look.nose_width)
    dark = _darker(look.skin, 0.55)
    for side in (-1, 1):
        _wash(skin, side * wide * 0.75, (tip + EYE_Y) / 2 + 0.01, (0.018, 0.085), dark, 0.32)
        _wash(skin, side * wide * 1.0, tip + 0.004, (0.016, 0.024), dark, 0.5)
        _disc(skin, side * wide * 0.5, tip - 0.021, 0.0125, _darker(look.skin, 0.72))
    _wash(skin, 0, tip - 0.036, (wide * 1.1, 0.014), dark, 0.6)
    light = _mixed(look.skin, (255, 246, 236), 0.75)
    _wash(skin, 0, tip / 2, (0.012, 0.08), light, 0.5)
    _wash(skin, 0.003, tip + 0.012, (0.02, 0.018), light, 0.6)


def _mouth(skin: Picture, look: Look, expression: Expression) -> None:
    wide = 0.098 * (1 + 0.18 * look.mouth_width) * (1 - 0.16 * expression.mouth)
    full = 0.020 * (1 + 0.4 * look.lip_fullness)
    drop = 0.085 * expression.mouth
    corner = 0.020 * expression.smile
    bare = _mixed(look.skin, (160, 66, 66), 0.46)
    lips = _mixed(bare, (168, 30, 46), 0.75 * look.lip_colour)
    xs = np.linspace(-1, 1, 17)
    bow = [1 - x * x - 0.28 * np.exp(-((x / 0.16) ** 2)) for x in xs]
    bend = [corner * x * x for x in xs]
    top = [(wide * x, MOUTH_Y + full * b + c + 0.2 * drop * (1 - x * x)) for x, b, c in zip(xs, bow, bend, strict=True)]  # fmt: skip  # noqa: E501
    seam_up = [(wide * x, MOUTH_Y + c + 0.15 * drop * (1 - x * x)) for x, c in zip(xs, bend, strict=True)]  # fmt: skip  # noqa: E501
    seam_low = [(wide * x, MOUTH_Y + c - drop * (1 - x * x) ** 0.7) for x, c in zip(xs, bend, strict=True)]  # fmt: skip  # noqa: E501
    low = [(wide * x, MOUTH_Y + c - drop * (1 - x * x) ** 0.7 - 1.25 * full * (1 - x * x)) for x, c in zip(xs, bend, strict=True)]  # fmt: skip  # noqa: E501
    _wash(skin, 0, MOUTH_Y - drop - 0.06, (0.07, 0.014), _darker(look.skin, 0.5), 0.45)
    _fill(skin, top + low[::-1], _mixed(lips, (255, 210, 200), 0.10))
    _fill(skin, top + seam_up[::-1], _darker(lips, 0.22))
    if expression.mouth > 0.08:
        _fill(skin, seam_up + seam_low[::-1], (52, 18, 20))
        teeth = [(0.8 * px, py) for px, py in seam_up]
        _fill(skin, teeth + [(px, py - 0.35 * drop) for px, py in teeth[::-1]], (228, 222, 210))
        _wash(skin, 0, MOUTH_Y - 0.9 * drop, (0.04, 0.014), (176, 78, 80), 0.6 * expression.mouth)
    else:
        _line(skin, seam_up, _darker(lips, 0.68), 0.006)
    _wash(skin, 0, MOUTH_Y - drop - 0.7 * full, (0.03, 0.006), (255, 224, 218), 0.35)
    for side in (-1, 1):
        _wash(skin, side * (wide + 0.012), MOUTH_Y + corner, (0.012, 0.014), _darker(look.skin, 0.6), 0.5)  # fmt: skip  # noqa: E501


def _wrinkles(skin: Picture, look: Look) -> None:
    depth = 0.10 + 0.5 * look.age
    dark = _mixed(look.skin, _darker(look.skin, 0.5), depth)
    for side in (-1, 1):
        _line(skin, [(side * 0.075, -0.15), (side * 0.115, -0.21), (side * 0.125, -0.26)], dark, 0.006)  # fmt: skip  # noqa: E501
        if look.age > 0.5:
            for y in (0.005, -0.015):
                _line(skin, [(side * 0.225, y), (side * 0.26, 1.8 * y + 0.005)], dark, 0.004)
    if look.age > 0.45:
        for y in (0.16, 0.2, 0.24):
            _line(skin, [(-0.12, y), (0, y + 0.008), (0.12, y)], dark, 0.004)
    skin[:] = cv2.GaussianBlur(skin, (0, 0), 1.6)


def _strands(look: Look, rng: np.random.Generator) -> Picture:
    """Hair colour with streaks that run down."""
    streaks = cv2.resize(rng.normal(size=(10, COLUMNS)).astype(np.float32), (COLUMNS, ROWS))
    hair = np.empty((ROWS, COLUMNS, 3), dtype=np.float32)
    hair[:] = look.hair
    hair *= 1.0 + 0.16 * streaks[..., None]
    return hair


def _hairline(skin: Picture, look: Look, rng: np.random.Generator) -> None:
    """Hair grows above a line that dips at the temples (and has drawn back on the bald)."""
    x, y = _grid()
    ragged = 0.012 * _cloud(rng, 5)
    if look.hair_style is Hair.BALD:
        edge = 0.62 - 1.5 * np.maximum(0.0, np.abs(x) - 0.33) * 2.2
    elif look.hair_style is Hair.FRINGE:
        edge = 0.14 - 0.55 * np.maximum(0.0, np.abs(x) - 0.24)
    else:
        edge = 0.31 - 0.06 * look.age - 3.2 * np.maximum(0.0, np.abs(x) - 0.27) ** 1.3
    edge = np.maximum(edge, -0.06 - 10.0 * np.maximum(0.0, np.abs(x) - 0.40))
    weight = np.clip((y + ragged - edge) / 0.02, 0, 1)
    shade = 1.0 - 0.25 * np.exp(-(((y - edge) / 0.03) ** 2))
    skin += weight[..., None] * (_strands(look, rng) * shade[..., None] - skin)


def _beard(skin: Picture, look: Look, rng: np.random.Generator) -> None:
    if look.beard is Beard.NONE:
        return
    x, y = _grid()
    jaw = (y < -0.19 - 0.25 * np.maximum(0.0, 0.3 - np.abs(x))) | ((np.abs(x) > 0.3) & (y < 0.02))
    moustache = (np.abs(y + 0.212 + 0.5 * x * x) < 0.026) & (np.abs(x) < 0.13)
    goatee = (np.abs(x) < 0.09) & (y < -0.31)
    parts = {
        Beard.STUBBLE: (jaw | moustache, 0.34),
        Beard.MOUSTACHE: (moustache, 0.92),
        Beard.FULL: (jaw | moustache, 0.92),
        Beard.GOATEE: (goatee | moustache, 0.88),
    }
    mask, density = parts[look.beard]
    weight = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), 4)
    grain = np.clip(0.85 + 0.22 * rng.normal(size=(ROWS, COLUMNS)), 0.3, 1).astype(np.float32)
    weight *= density * cv2.GaussianBlur(grain, (0, 0), 0.8)
    hair = _strands(look, rng) * (0.75 + 0.1 * _cloud(rng, 3))[..., None]
    skin += weight[..., None] * (hair - skin)


def _glasses(skin: Picture, look: Look) -> None:
    if not look.glasses:
        return
    rim = {1: (120, 96, 60), 2: (40, 40, 44), 3: (16, 14, 16)}[look.glasses]
    thick = {1: 0.009, 2: 0.011, 3: 0.021}[look.glasses]
    for side in (-1, 1):
        x, y = _eye_place(look, side)
        x *= 1.03
        turn = np.linspace(0, 2 * np.pi, 41)
        power = 1.0 if look.glasses == 1 else 0.45  # below 1: squarer
        ring = [
            (
                x + 0.105 * np.sign(np.cos(a)) * abs(np.cos(a)) ** power,
                y - 0.012 + 0.082 * np.sign(np.sin(a)) * abs(np.sin(a)) ** power,
            )
            for a in turn
        ]
        _wash(skin, x - 0.03, y + 0.03, (0.03, 0.02), (240, 246, 250), 0.16)
        _line(skin, ring, rim, thick)
        _line(skin, [(x + side * 0.105, y + 0.01), (side * 0.50, y + 0.02)], rim, thick)
    _line(skin, [(-0.05, 0.004), (0, 0.014), (0.05, 0.004)], rim, thick)
