"""The places where scenes play: rooms, a street, a park, a car; each built anew from a seed.

Actors play about the origin, the audience is towards +z. A set knows its furniture as static
panels and solids; what moves with the action (a door, a car, a phone) is in `props`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from callsheet.theatre.stage.looks import Colour
from callsheet.theatre.stage.paint import PAINTERS, Texture
from callsheet.theatre.stage.solids import Material, Panel, Solids
from callsheet.theatre.stage.vectors import Array, unit

Triple = tuple[float, float, float]

WALLS: tuple[Colour, ...] = (
    (206, 196, 172),
    (168, 182, 178),
    (196, 170, 152),
    (150, 166, 186),
    (184, 190, 160),
    (212, 206, 198),
    (178, 150, 140),
    (140, 154, 140),
)
WOODS: tuple[Colour, ...] = ((134, 94, 60), (96, 66, 44), (168, 130, 88), (110, 84, 66))
STUFFS: tuple[Colour, ...] = (
    (120, 60, 56),
    (70, 92, 110),
    (96, 104, 74),
    (150, 120, 84),
    (96, 76, 102),
    (58, 76, 72),
    (168, 150, 130),
)
PAINTS: tuple[Colour, ...] = (
    (150, 36, 38),
    (38, 70, 122),
    (60, 92, 72),
    (196, 190, 180),
    (52, 54, 60),
    (188, 142, 60),
)


@dataclass(slots=True)
class Set:
    """A set under construction, and then ready to be drawn."""

    name: str
    rng: np.random.Generator
    panels: list[Panel] = field(default_factory=list)
    solids: Solids = field(default_factory=Solids)
    materials: list[Material] = field(default_factory=list)
    textures: dict[str, Texture] = field(default_factory=dict)
    light: Array = field(default_factory=lambda: daylight())
    wall: float = -2.4  # z of the back wall

    def paint(self, painter: str, colour: Colour) -> str:
        """Paint a texture; returns its name."""
        name = f"{painter}{len(self.textures)}"
        self.textures[name] = PAINTERS[painter](self.rng, colour)
        return name

    def pick(self, colours: tuple[Colour, ...]) -> Colour:
        """A colour by lot, a little varied."""
        colour = colours[self.rng.integers(len(colours))]
        red, green, blue = (
            float(np.clip(c * self.rng.uniform(0.92, 1.08), 0, 245)) for c in colour
        )
        return red, green, blue

    def stuff(self, material: Material) -> int:
        self.materials.append(material)
        return len(self.materials) - 1

    def panel(
        self, corner: Triple, u: Triple, v: Triple, texture: str, *, glow: float = 0.0
    ) -> None:
        self.panels.append(Panel(corner, u, v, texture, glow=glow))

    def on_wall(self, x: float, y: float, w: float, h: float, texture: str, *, glow: float = 0.0,
                off: float = 0.03) -> None:  # fmt: skip
        """Hang something flat on the back wall."""
        self.panel(
            (x - w / 2, y - h / 2, self.wall + off), (w, 0, 0), (0, h, 0), texture, glow=glow
        )

    def box(self, middle: Triple, size: Triple, texture: str, *, top: str | None = None) -> None:
        """An upright box; `middle` is the middle of its foot."""
        (x, y, z), (w, h, d) = middle, size
        x0, x1, z0, z1 = x - w / 2, x + w / 2, z - d / 2, z + d / 2
        self.panel((x0, y, z1), (w, 0, 0), (0, h, 0), texture)
        self.panel((x0, y, z0), (w, 0, 0), (0, h, 0), texture)
        self.panel((x0, y, z0), (0, 0, d), (0, h, 0), texture)
        self.panel((x1, y, z0), (0, 0, d), (0, h, 0), texture)
        self.panel((x0, y + h, z1), (w, 0, 0), (0, 0, -d), top or texture)

    def leg(self, x: float, z: float, top: float, material: int, *, radius: float = 0.025) -> None:
        self.solids.add((x, 0, z), (x, top, z), (radius, radius), material=material)


def daylight(*, key: Colour = (0.80, 0.78, 0.74), sky: Colour = (0.44, 0.46, 0.50), ground: Colour = (0.30, 0.28, 0.26), toward: Triple = (-0.5, 0.62, 0.6)) -> Array:  # fmt: skip  # noqa: E501
    """Light from `toward`, with a sky above and a floor that throws some back."""
    direction = unit(np.array(toward))
    return np.concatenate([direction, key, sky, ground])


def _room(stage: Set, *, floor: str, walls: str = "wallpaper") -> None:
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


def _pictures(stage: Set, places: tuple[float, ...]) -> None:
    for x in places:
        if stage.rng.random() < 0.8:
            w, h = stage.rng.uniform(0.4, 0.75), stage.rng.uniform(0.4, 0.65)
            stage.on_wall(x, float(stage.rng.uniform(1.55, 1.75)), float(w), float(h),
                          stage.paint("picture_frame", stage.pick(STUFFS)))  # fmt: skip


def _window(stage: Set, x: float) -> None:
    stage.on_wall(x, 1.6, 1.5, 1.3, stage.paint("window", (150, 130, 120)), glow=0.9)
    drape = stage.paint("curtain", stage.pick(STUFFS))
    for side in (-1, 1):
        stage.on_wall(x + side * 0.9, 1.45, 0.42, 1.9, drape, off=0.09)


def _lamp(stage: Set, x: float, z: float) -> None:
    pole, shade = (
        stage.stuff(Material((90, 78, 60), gloss=0.3)),
        stage.stuff(Material((255, 236, 190))),
    )
    stage.leg(x, z, 1.45, pole, radius=0.018)
    stage.solids.add((x, 0.01, z), (x, 0.03, z), (0.14, 0.12), material=pole)
    stage.solids.add((x, 1.42, z), (x, 1.62, z), (0.19, 0.12), material=shade)


def _plant(stage: Set, x: float, z: float) -> None:
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


def _sofa(stage: Set, x: float, z: float) -> None:
    stuff = stage.paint("leather", stage.pick(STUFFS))
    stage.box((x, 0, z), (1.9, 0.44, 0.75), stuff)
    stage.box((x, 0, z - 0.42), (1.9, 0.85, 0.2), stuff)
    for side in (-1, 1):
        stage.box((x + side * 1.02, 0, z), (0.2, 0.62, 0.85), stuff)


def living_room(stage: Set) -> None:
    _room(stage, floor="planks")
    _window(stage, float(stage.rng.choice([-2.6, 2.6])))
    _pictures(stage, (-0.9, 0.9))
    rug = stage.paint("carpet", stage.pick(STUFFS))
    stage.panel((-1.6, 0.012, 1.5), (3.2, 0, 0), (0, 0, -2.2), rug)
    chair(stage, 0, 0, texture=stage.paint("leather", stage.pick(STUFFS)))
    _sofa(stage, float(stage.rng.choice([-2.4, 2.4])), -1.4)
    _lamp(stage, float(stage.rng.choice([-1.2, 1.3])), -1.9)
    _plant(stage, float(stage.rng.choice([-3.9, 3.9])), -1.8)


def dining_room(stage: Set) -> None:
    _room(stage, floor="tiles", walls="plaster")
    _window(stage, float(stage.rng.choice([-1.9, 1.9])))
    stage.on_wall(
        float(stage.rng.choice([-0.2, 0.3])),
        1.5,
        1.1,
        1.2,
        stage.paint("bookshelf", stage.pick(WOODS)),
    )
    seat = stage.paint("leather", stage.pick(WOODS))
    for x in (-0.55, 0.55):
        chair(stage, x, 0, texture=seat)
    cloth = stage.paint("cloth", stage.pick(STUFFS))
    table(stage, 0, 0.62, (2.0, 0.62), top=cloth)
    stage.panel((-1.0, 0.1, 0.935), (2.0, 0, 0), (0, 0.62, 0), cloth)
    china = stage.stuff(Material((236, 234, 228), gloss=0.3))
    glass = stage.stuff(Material((150, 60, 60), gloss=0.4))
    plate = stage.paint("food", (0, 0, 0))
    for x in (-0.55, 0.55):
        stage.panel((x - 0.15, 0.735, 0.70), (0.3, 0, 0), (0, 0, -0.3), plate)
        stage.solids.add(
            (x + 0.28, 0.73, 0.62), (x + 0.28, 0.84, 0.62), (0.03, 0.04), material=glass
        )
    stage.solids.add((0, 0.70, 0.48), (0, 0.74, 0.48), (0.07, 0.10), material=china)
    for n in range(5):
        fruit = stage.stuff(
            Material(((190, 50, 40), (210, 170, 60), (110, 150, 60))[n % 3], gloss=0.2)
        )
        stage.solids.add(
            (0.045 * (n - 2), 0.845, 0.48),
            (0.045 * (n - 2), 0.845, 0.48),
            (0.038, 0.038),
            material=fruit,
        )


def bedroom(stage: Set) -> None:
    _room(stage, floor="carpet" if stage.rng.random() < 0.3 else "planks")
    _window(stage, 2.3)
    _pictures(stage, (-2.4, -1.2, 0.4))
    sheet = stage.paint("blanket", (226, 222, 214))
    cover = stage.paint("blanket", stage.pick(STUFFS))
    wood = stage.paint("planks", stage.pick(WOODS))
    # The bed runs along x: head at the left, feet to the right.
    stage.box((0.25, 0, 0), (2.1, 0.52, 1.15), sheet)
    stage.box((0.75, 0.02, 0.0), (1.12, 0.53, 1.2), cover)
    stage.box((-0.86, 0, 0), (0.08, 1.1, 1.2), wood)
    pillow = stage.stuff(Material((236, 232, 226), folds=0.04))
    stage.solids.add((-0.62, 0.58, -0.26), (-0.62, 0.58, 0.26), (0.12, 0.12), material=pillow, side=(0, 1, 0), flat=(0.6, 1.3))  # fmt: skip  # noqa: E501
    table(stage, -1.35, -0.3, (0.5, 0.45), top=wood, high=0.55)
    _lamp(stage, -1.45, -1.0)


def hall(stage: Set) -> None:
    """The back wall has a doorway about x = 0; its leaf is a prop."""
    paper = stage.paint("wallpaper", stage.pick(WALLS))
    floor = stage.paint("tiles", stage.pick(STUFFS))
    frame = stage.paint("planks", stage.pick(WOODS))
    beyond = stage.paint("plaster", (150, 142, 126))
    z = stage.wall = -1.0
    for corner, w in ((-6.0, 5.52), (0.48, 5.52)):
        stage.panel((corner, 0, z), (w, 0, 0), (0, 2.9, 0), paper)
    stage.panel((-0.48, 2.1, z), (0.96, 0, 0), (0, 0.8, 0), paper)
    for x in (-0.53, 0.43):
        stage.panel((x, 0, z + 0.02), (0.1, 0, 0), (0, 2.15, 0), frame)
    stage.panel((-0.53, 2.1, z + 0.02), (1.06, 0, 0), (0, 0.1, 0), frame)
    stage.panel((-6, 0, 6), (12, 0, 0), (0, 0, -7), floor)
    stage.panel((-3, 0, z), (6, 0, 0), (0, 0, -3), floor)
    stage.panel((-3, 0, z - 2.6), (6, 0, 0), (0, 2.9, 0), beyond)
    stage.panel((-6, 2.9, z), (12, 0, 0), (0, 0, 7), stage.paint("plaster", (226, 222, 214)))
    _pictures(stage, (-2.2, -1.3, 1.4, 2.5))
    _plant(stage, float(stage.rng.choice([-1.1, 1.2])), -0.7)
    stage.textures["door"] = PAINTERS["door"](stage.rng, stage.pick(WOODS))


def office(stage: Set) -> None:
    _room(stage, floor="planks", walls="plaster")
    for x in (-2.2, 0.2):
        stage.on_wall(x, 1.15, 1.6, 2.2, stage.paint("bookshelf", stage.pick(WOODS)), off=0.2)
    _window(stage, 2.6)
    desk = stage.paint("planks", stage.pick(WOODS))
    stage.box((-1.3, 0, -0.9), (1.5, 0.74, 0.7), desk)
    stage.box((-1.5, 0.74, -0.9), (0.4, 0.05, 0.3), stage.paint("plaster", (232, 230, 224)))
    phone = stage.stuff(Material((34, 34, 38), gloss=0.3))
    stage.solids.add((-0.9, 0.78, -0.8), (-0.75, 0.78, -0.8), (0.05, 0.05), material=phone)
    chair(stage, 0.0, 0, texture=stage.paint("leather", stage.pick(STUFFS)))
    _plant(stage, 1.5, -1.8)


def cafe(stage: Set) -> None:
    _room(stage, floor="tiles", walls="brick")
    for x in (-1.6, 1.0):
        stage.on_wall(x, 1.7, 2.2, 1.2, stage.paint("bottles", stage.pick(WOODS)), off=0.1)
    counter = stage.paint("planks", stage.pick(WOODS))
    stage.box((0.2, 0, -1.5), (5.0, 1.05, 0.5), counter, top=stage.paint("metal", (96, 84, 78)))
    seat = stage.paint("leather", stage.pick(STUFFS))
    for x in (-0.55, 0.55):
        chair(stage, x, 0, texture=seat)
    table(stage, 0, 0.62, (2.0, 0.6), top=counter)
    stage.panel((-1.0, 0.1, 0.925), (2.0, 0, 0), (0, 0.62, 0), counter)
    plate = stage.paint("food", (0, 0, 0))
    cup = stage.stuff(Material((230, 228, 222), gloss=0.3))
    for x in (-0.55, 0.55):
        stage.panel((x - 0.15, 0.735, 0.70), (0.3, 0, 0), (0, 0, -0.3), plate)
        stage.solids.add((x + 0.3, 0.75, 0.6), (x + 0.3, 0.80, 0.6), (0.035, 0.042), material=cup)


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


BUILDERS: dict[str, Callable[[Set], None]] = {
    builder.__name__: builder
    for builder in (living_room, dining_room, bedroom, hall, office, cafe, street, park, in_car)
}


def build_set(name: str, seed: int) -> Set:
    """Build one set; the same name and seed give the same set."""
    stage = Set(name, np.random.default_rng(seed))
    BUILDERS[name](stage)
    stage.materials = stage.materials or [Material((128, 128, 128))]
    return stage
