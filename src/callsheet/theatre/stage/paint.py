"""Every painter of a set by its name: (random generator, colour) -> (rows, columns, 4) texture.

Every painter takes its own random generator and colour, so that no two sets are alike.
"""

from __future__ import annotations

from callsheet.theatre.stage import paint_indoors as indoors
from callsheet.theatre.stage import paint_outdoors as outdoors
from callsheet.theatre.stage.brush import Painter

PAINTERS: dict[str, Painter] = {
    painter.__name__: painter
    for painter in (
        indoors.plaster,
        indoors.wallpaper,
        indoors.planks,
        indoors.tiles,
        indoors.carpet,
        indoors.brick,
        outdoors.facade,
        outdoors.asphalt,
        outdoors.pavement,
        outdoors.grass,
        outdoors.sky,
        outdoors.leaves,
        outdoors.bark,
        indoors.picture_frame,
        outdoors.window,
        indoors.curtain,
        indoors.bookshelf,
        indoors.bottles,
        indoors.door,
        indoors.cloth,
        indoors.blanket,
        indoors.metal,
        outdoors.car_side,
        outdoors.car_door,
        outdoors.scenery,
        indoors.food,
        indoors.leather,
    )
}
