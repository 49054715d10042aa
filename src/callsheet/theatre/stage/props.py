"""Things that move with the action: doors, a car, a phone, forks, a steering wheel.

A prop is a function of the moment and of who holds it; it adds panels and solids to the
picture. Its materials are `MATERIALS`, shared by all props.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from callsheet.theatre.stage import moves
from callsheet.theatre.stage.pose import Stance
from callsheet.theatre.stage.solids import Material, Panel, Solids
from callsheet.theatre.stage.vectors import Array, unit

STEEL, BLACK, WHITE, RUBBER = range(4)
MATERIALS: Array = np.array(
    [
        Material((196, 198, 204), gloss=0.5).row(),
        Material((28, 28, 32), gloss=0.35).row(),
        Material((240, 238, 232), gloss=0.3).row(),
        Material((44, 42, 42), gloss=0.15).row(),
    ]
)


@dataclass(slots=True)
class Hand:
    """What a prop may add to a frame, and what it may look at."""

    share: float
    time: float
    stances: Sequence[Stance]
    solids: Solids = field(default_factory=Solids)
    panels: list[Panel] = field(default_factory=list)


Prop = Callable[[Hand], None]


def _right_grip(stance: Stance) -> tuple[Array, Array]:
    """Where the right hand closes, and the way it points."""
    way = stance.wrists[1] - stance.elbows[1]
    way = unit(way)
    return stance.wrists[1] + 0.05 * stance.height * way, way


def phone(hand: Hand) -> None:
    stance = hand.stances[0]
    if hand.share < 0.2:
        return
    grip, _ = _right_grip(stance)
    up = stance.head_axes[1]
    ahead = stance.head_axes[2]
    hand.solids.add(
        grip - 0.055 * up,
        grip + 0.075 * up - 0.01 * ahead,
        (0.032, 0.032),
        material=BLACK,
        side=stance.head_axes[0],
        flat=(0.45, 1.0),
    )


def fork(hand: Hand) -> None:
    for stance in hand.stances:
        grip, _ = _right_grip(stance)
        mouth = stance.head + 0.06 * stance.head_axes[2] - 0.05 * stance.head_axes[1]
        way = mouth - grip
        tip = grip + 0.13 * unit(way)
        hand.solids.add(grip, tip, (0.008, 0.006), material=STEEL)
        hand.solids.add(tip, tip, (0.016, 0.016), material=STEEL)


def cup(hand: Hand) -> None:
    grip, _ = _right_grip(hand.stances[0])
    top = np.array([0, 0.055, 0])
    hand.solids.add(grip - top, grip + top, (0.034, 0.042), material=WHITE)


def book(hand: Hand) -> None:
    stance = hand.stances[0]
    middle = stance.wrists.mean(axis=0) + 0.06 * stance.chest_axes[2]
    left, up = stance.chest_axes[0], stance.chest_axes[1] - 0.5 * stance.chest_axes[2]
    hand.solids.add(
        middle - 0.1 * left,
        middle + 0.1 * left,
        (0.10, 0.10),
        material=RUBBER,
        side=up,
        flat=(1.0, 0.12),
    )


DOOR_Z, DOOR_WIDTH, DOOR_HIGH = -1.0, 0.94, 2.09


def door(hand: Hand) -> None:
    """The leaf hangs on the left of the doorway and swings away from us."""
    angle = moves.door_angle(hand.share)
    way = (DOOR_WIDTH * float(np.cos(angle)), 0.0, -DOOR_WIDTH * float(np.sin(angle)))
    hand.panels.append(Panel((-0.47, 0.0, DOOR_Z), way, (0, DOOR_HIGH, 0), "door"))


def door_handle(share: float) -> Array:
    """Where the inner handle is."""
    angle = moves.door_angle(share)
    return np.array([-0.47 + 0.86 * np.cos(angle), 1.0, DOOR_Z - 0.06 - 0.86 * np.sin(angle)])


def shut_door(hand: Hand) -> None:
    hand.panels.append(Panel((-0.47, 0.0, DOOR_Z), (DOOR_WIDTH, 0, 0), (0, DOOR_HIGH, 0), "door"))


def wheel(hand: Hand) -> None:
    """A steering wheel before the driver (the first who plays)."""
    stance = hand.stances[0]
    middle = stance.shoulders.mean(axis=0) + stance.height * (
        -0.115 * stance.chest_axes[1] + 0.285 * stance.chest_axes[2]
    )
    left, up = stance.chest_axes[0], stance.chest_axes[1]
    radius = 0.105 * stance.height
    angles = np.linspace(0, 2 * np.pi, 15)
    ring = [middle + radius * (np.cos(a) * left + np.sin(a) * up) for a in angles]
    for before, after in pairwise(ring):
        hand.solids.add(before, after, (0.016, 0.016), material=BLACK)
    turn = moves.wheel_angle(hand.time)
    for a in (turn, turn + np.pi):
        rim = middle + radius * (np.cos(a) * left + np.sin(a) * up)
        hand.solids.add(middle, rim, (0.022, 0.012), material=RUBBER)


def road(hand: Hand) -> None:
    """What passes behind the windows."""
    shift = -18.0 + (3.4 * hand.time) % 14.0
    hand.panels.append(Panel((shift, -0.4, -4.0), (36.0, 0, 0), (0, 3.6, 0), "scenery", glow=0.5))


CAR_LONG, CAR_HIGH, CAR_X, CAR_Z = 4.3, 1.45, -2.05, 0.0


def car(hand: Hand) -> None:
    """A parked car, its near side at z = 0, front to the right; the front door opens."""
    z = CAR_Z
    angle = 1.15 * (moves.smooth((hand.share - 0.04) / 0.28))
    hand.panels.append(Panel((CAR_X, 0.0, z - 1.55), (CAR_LONG, 0, 0), (0, CAR_HIGH, 0), "car_far"))
    inner = CAR_X + 0.33 * CAR_LONG
    hand.panels.append(Panel((inner, 0.3, z - 1.4), (1.15, 0, 0), (0, 0.55, 0), "seat"))
    hand.panels.append(Panel((inner, 0.3, z - 0.9), (0, 0, 0.8), (-0.12, 0.8, 0), "seat"))
    roof = Panel((CAR_X + 0.27 * CAR_LONG, CAR_HIGH - 0.02, z), (0.32 * CAR_LONG, 0, 0), (0, 0.03, -1.5), "car_paint")  # fmt: skip  # noqa: E501
    hood = Panel((CAR_X + 0.73 * CAR_LONG, 0.62 * CAR_HIGH, z), (0.24 * CAR_LONG, -0.08, 0), (0, 0.03, -1.5), "car_paint")  # fmt: skip  # noqa: E501
    hand.panels.extend([roof, hood])
    hand.panels.append(Panel((CAR_X, 0.0, z), (CAR_LONG, 0, 0), (0, CAR_HIGH, 0), "car_side"))
    hinge = CAR_X + 0.57 * CAR_LONG
    wide = 0.21 * CAR_LONG
    way = (-wide * float(np.cos(angle)), 0.0, wide * float(np.sin(angle)))
    corner = (hinge + way[0], 0.34, z + 0.02 + way[2])
    hand.panels.append(Panel(corner, (-way[0], 0.0, -way[2]), (0, 1.02, 0), "car_door"))


PROPS: dict[str, Prop] = {"door": door, "shut_door": shut_door, "road": road, "car": car}
"""What stands on a set and moves."""

HELD: dict[str, Prop] = {
    "AnswerPhone": phone, "Eat": fork, "drink": cup, "read": book, "Drive": wheel,
}  # fmt: skip
"""Move -> what those who make it hold (`Hand.stances` has one entry)."""
