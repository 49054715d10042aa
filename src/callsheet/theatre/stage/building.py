"""A set under construction: its panels, solids, materials and textures, its colours and light.

Actors play about the origin, the audience is towards +z.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from callsheet.theatre.stage.brush import Texture
from callsheet.theatre.stage.looks import Colour
from callsheet.theatre.stage.paint import PAINTERS
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
