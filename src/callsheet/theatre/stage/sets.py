"""The places where scenes play, each built anew from a seed.

Actors play about the origin, the audience is towards +z. A set knows its furniture as static
panels and solids; what moves with the action (a door, a car, a phone) is in `props`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from callsheet.theatre.stage.building import Set
from callsheet.theatre.stage.outdoors import in_car, park, street
from callsheet.theatre.stage.rooms import bedroom, cafe, dining_room, hall, living_room, office
from callsheet.theatre.stage.solids import Material

__all__ = ["BUILDERS", "Set", "build_set"]

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
