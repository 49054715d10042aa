"""Where hands go that touch something: the other's hand, back or shoulder, a door handle."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from callsheet.theatre.stage import moves, props
from callsheet.theatre.stage.moves import Moment, smooth
from callsheet.theatre.stage.pose import Stance
from callsheet.theatre.stage.vectors import Array, unit

Reach = dict[str, Array]


def _eased(stance: Stance, side: int, goal: Array, share: float) -> Array:
    start: Array = stance.wrists[side]
    return start + (goal - start) * share


def _handshake(moment: Moment, own: Stance, other: Stance) -> Reach:
    near = smooth(3.2 * moment.share) - smooth(6.0 * (moment.share - 0.83))
    middle = 0.5 * (own.neck + other.neck)
    middle[1] = 0.5 * (own.height + other.height) * (0.60 + moves.pump(moment))
    # The wrist stays a hand's length short of the meeting place.
    back = own.neck - other.neck
    back[1] = 0.0
    goal = middle + 0.045 * own.height * unit(back)
    return {"right": _eased(own, 1, goal, near)}


def _hug(moment: Moment, own: Stance, other: Stance) -> Reach:
    near = smooth(2.2 * (moment.share - 0.12))
    h = other.height
    reach = {}
    for side, name in enumerate(("left", "right")):
        across = (0.02, -0.02)[side]
        high = 0.05 if (side + moment.role) % 2 else -0.09
        goal = other.neck - h * ((0.10 - high) * other.chest_axes[1] + 0.075 * other.chest_axes[2]
                                 + across * other.chest_axes[0])  # fmt: skip
        reach[name] = _eased(own, side, goal, near)
    return reach


def _kiss(moment: Moment, own: Stance, other: Stance) -> Reach:
    near = smooth(2.4 * moment.share)
    h = other.height
    shoulder = other.shoulders[0] + 0.03 * h * other.chest_axes[1]
    waist = other.waist + 0.085 * h * other.chest_axes[0] * -1.0
    return {"right": _eased(own, 1, shoulder, near), "left": _eased(own, 0, waist, near)}


_MEETINGS: dict[str, Callable[[Moment, Stance, Stance], Reach]] = {
    "HandShake": _handshake, "Hug": _hug, "Kiss": _kiss,
}  # fmt: skip


def reach_of(move: str, moment: Moment, own: Stance, others: Sequence[Stance]) -> Reach | None:
    """Places for the hands of one player, or None where the pose says it all."""
    if move in _MEETINGS and others:
        return _MEETINGS[move](moment, own, others[0])
    if move == "OpenDoor":
        hold = 1.0 - smooth(5.0 * (moment.share - 0.62))
        return {"right": _eased(own, 1, props.door_handle(moment.share), hold)}
    return None
