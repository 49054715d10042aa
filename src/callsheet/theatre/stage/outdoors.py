"""The sets under the sky: street, park, and the inside of a car on the road."""

from __future__ import annotations

import numpy as np

from callsheet.theatre.stage.building import PAINTS, Set, daylight
from callsheet.theatre.stage.looks import Colour
from callsheet.theatre.stage.paint import PAINTERS
from callsheet.theatre.stage.solids import Material


def _outdoors(stage: Set, ground: str, colour: Colour) -> None:
    heaven = stage.paint("sky", (120, 164, 214))
    stage.panel((-40, 0, -22), (80, 0, 0), (0, 24, 0), heaven, glow=0.95)
    soil = stage.paint(ground, colour)
    for x in range(-40, 40, 10):
        for z in range(8, -22, -10):
            stage.panel((x, 0, z), (10, 0, 0), (0, 0, -10), soil)
    stage.light = daylight(
        key=(0.86, 0.83, 0.76),
        sky=(0.46, 0.50, 0.56),
        toward=(float(stage.rng.uniform(-0.8, 0.8)), 0.8, 0.6),
    )


def street(stage: Set) -> None:
    _outdoors(stage, "asphalt", (108, 108, 112))
    side = stage.paint("pavement", (158, 152, 144))
    for n in range(5):
        stage.panel((-15 + 6 * n, 0.012, -1.4), (6, 0, 0), (0, 0, -2.2), side)
    for n in range(6):
        x = -15.0 + 5 * n
        front = stage.paint("facade", stage.pick(((150, 92, 76), (168, 150, 126), (134, 120, 116), (176, 164, 150))))  # fmt: skip  # noqa: E501
        stage.panel((x, 0, -3.6), (5, 0, 0), (0, 5.5, 0), front)
    pole = stage.stuff(Material((70, 74, 76), gloss=0.2))
    for x in (-4.2, 3.4):
        stage.leg(x, -1.7, 4.2, pole, radius=0.05)
    lack = stage.pick(PAINTS)
    for name, painter in (
        ("car_side", "car_side"),
        ("car_far", "car_side"),
        ("car_door", "car_door"),
        ("car_paint", "metal"),
    ):
        stage.textures[name] = PAINTERS[painter](np.random.default_rng(0), lack)
    stage.textures["seat"] = PAINTERS["leather"](stage.rng, (70, 62, 58))


def park(stage: Set) -> None:
    _outdoors(stage, "grass", (86, 120, 62))
    path = stage.paint("pavement", (182, 166, 138))
    for n in range(5):
        stage.panel((-15 + 6 * n, 0.012, 1.2), (6, 0, 0), (0, 0, -2.0), path)
    trunk = stage.paint("bark", (96, 76, 58))
    for _ in range(9):
        x, z = float(stage.rng.uniform(-11, 11)), float(stage.rng.uniform(-11, -3))
        high = float(stage.rng.uniform(2.2, 3.4))
        stage.panel((x - 0.14, 0, z), (0.28, 0, 0), (0, high, 0), trunk)
        crown = stage.paint("leaves", stage.pick(((78, 116, 58), (98, 128, 60), (60, 98, 56))))
        stage.panel((x - 1.6, 0.55 * high, z + 0.1), (3.2, 0, 0), (0, 3.0, 0), crown)
    bush = stage.paint("leaves", (70, 104, 54))
    for x in np.arange(-9, 9, 1.7):
        stage.panel((float(x), -0.1, -2.6 + float(stage.rng.uniform(-0.4, 0.4))), (1.9, 0, 0), (0, 1.1, 0), bush)  # fmt: skip  # noqa: E501


def in_car(stage: Set) -> None:
    """Seats that face the audience, seen through where the windscreen would be."""
    stage.textures["scenery"] = PAINTERS["scenery"](stage.rng, stage.pick(((150, 110, 96), (140, 140, 136), (120, 110, 104))))  # fmt: skip  # noqa: E501
    seat = stage.paint("leather", stage.pick(((60, 54, 52), (96, 80, 64), (72, 74, 80))))
    body = stage.paint("metal", stage.pick(PAINTS))
    inside = stage.paint("plaster", (58, 56, 58))
    for x in (-0.38, 0.38):
        stage.box((x, 0.3, 0.0), (0.56, 0.22, 0.5), seat)
        stage.box((x, 0.5, -0.30), (0.54, 0.62, 0.12), seat)
        stage.box((x, 1.12, -0.30), (0.26, 0.2, 0.1), seat)
    for x in (-0.86, 0.80):
        stage.box((x + 0.03, 0.2, 0.0), (0.06, 0.72, 2.2), body)
        stage.panel((x + 0.03, 0.9, 0.55), (0.0, 0, 0.12), (0, 0.62, -0.18), inside)
        stage.panel((x + 0.03, 0.9, -0.75), (0.0, 0, 0.10), (0, 0.60, 0.0), inside)
    stage.panel((-0.86, 1.50, 0.4), (1.72, 0, 0), (0, 0.0, -1.4), inside)
    stage.box((0, 0.30, 0.86), (1.76, 0.52, 0.36), inside)
    stage.box((0, 0.30, 1.3), (1.80, 0.42, 0.6), body)
    stage.panel((-0.83, 0.3, -1.0), (1.66, 0, 0), (0, 0.6, 0), inside)
    stage.light = daylight(key=(0.78, 0.78, 0.78), sky=(0.42, 0.46, 0.52), toward=(0.3, 0.7, 0.8))
    stage.wall = -4.0
