"""What rooms are made of: walls and floor, windows, pictures, lamps, plants, seats, tables."""

from __future__ import annotations

from callsheet.theatre.stage.building import STUFFS, WALLS, WOODS, Set, daylight
from callsheet.theatre.stage.looks import Colour
from callsheet.theatre.stage.solids import Material


def room(stage: Set, *, floor: str, walls: str = "wallpaper") -> None:
    paper = stage.paint(walls, stage.pick(WALLS))
    wood = stage.paint("planks", stage.pick(WOODS))
    ground = stage.paint(floor, stage.pick(WOODS if floor == "planks" else STUFFS))
    z = stage.wall
    for n in range(3):
        stage.panel((-6 + 4 * n, 0, z), (4, 0, 0), (0, 2.9, 0), paper)
    for x in (-6.0, 6.0):
        stage.panel((x, 0, z), (0, 0, 7), (0, 2.9, 0), paper)
    for n in range(3):
        stage.panel((-6 + 4 * n, 0, 6), (4, 0, 0), (0, 0, z - 6), ground)
    stage.panel((-6, 2.9, z), (12, 0, 0), (0, 0, 7), stage.paint("plaster", (226, 222, 214)))
    stage.panel((-6, 0, z + 0.02), (12, 0, 0), (0, 0.12, 0), wood)
    stage.light = daylight(
        key=_warm(stage, (0.82, 0.78, 0.70)), toward=(float(stage.rng.uniform(-0.7, 0.7)), 0.6, 0.7)
    )


def _warm(stage: Set, colour: Colour) -> Colour:
    share = float(stage.rng.uniform(0.92, 1.06))
    red, green, blue = colour
    return red * share, green, blue / share


def pictures(stage: Set, places: tuple[float, ...]) -> None:
    for x in places:
        if stage.rng.random() < 0.8:
            w, h = stage.rng.uniform(0.4, 0.75), stage.rng.uniform(0.4, 0.65)
            stage.on_wall(x, float(stage.rng.uniform(1.55, 1.75)), float(w), float(h),
                          stage.paint("picture_frame", stage.pick(STUFFS)))  # fmt: skip


def window(stage: Set, x: float) -> None:
    stage.on_wall(x, 1.6, 1.5, 1.3, stage.paint("window", (150, 130, 120)), glow=0.9)
    drape = stage.paint("curtain", stage.pick(STUFFS))
    for side in (-1, 1):
        stage.on_wall(x + side * 0.9, 1.45, 0.42, 1.9, drape, off=0.09)


def lamp(stage: Set, x: float, z: float) -> None:
    pole, shade = (
        stage.stuff(Material((90, 78, 60), gloss=0.3)),
        stage.stuff(Material((255, 236, 190))),
    )
    stage.leg(x, z, 1.45, pole, radius=0.018)
    stage.solids.add((x, 0.01, z), (x, 0.03, z), (0.14, 0.12), material=pole)
    stage.solids.add((x, 1.42, z), (x, 1.62, z), (0.19, 0.12), material=shade)


def plant(stage: Set, x: float, z: float) -> None:
    pot = stage.stuff(Material((156, 92, 62), gloss=0.1))
    stage.solids.add((x, 0.1, z), (x, 0.3, z), (0.12, 0.16), material=pot)
    leaf = stage.paint("leaves", (74, 118, 60))
    stage.panel((x - 0.4, 0.35, z), (0.8, 0, 0), (0, 0.9, 0), leaf)


def chair(stage: Set, x: float, z: float, *, texture: str, seat: float = 0.46) -> None:
    """A chair with a low back that faces the audience."""
    stage.box((x, seat - 0.07, z), (0.46, 0.07, 0.44), texture)
    stage.box((x, seat + 0.05, z - 0.23), (0.44, 0.42, 0.05), texture)
    legs = stage.stuff(Material((70, 52, 38)))
    for dx in (-0.2, 0.2):
        for dz in (-0.2, 0.2):
            stage.leg(x + dx, z + dz, seat - 0.06, legs)


def table(stage: Set, x: float, z: float, size: tuple[float, float], *, top: str, high: float = 0.72) -> None:  # fmt: skip  # noqa: E501
    w, d = size
    stage.box((x, high - 0.05, z), (w, 0.05, d), top)
    legs = stage.stuff(Material((84, 60, 42)))
    for dx in (-w / 2 + 0.06, w / 2 - 0.06):
        for dz in (-d / 2 + 0.06, d / 2 - 0.06):
            stage.leg(x + dx, z + dz, high - 0.05, legs, radius=0.03)


def sofa(stage: Set, x: float, z: float) -> None:
    stuff = stage.paint("leather", stage.pick(STUFFS))
    stage.box((x, 0, z), (1.9, 0.44, 0.75), stuff)
    stage.box((x, 0, z - 0.42), (1.9, 0.85, 0.2), stuff)
    for side in (-1, 1):
        stage.box((x + side * 1.02, 0, z), (0.2, 0.62, 0.85), stuff)
