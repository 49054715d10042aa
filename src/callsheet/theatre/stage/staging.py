"""Puts actions on a set: who stands where, which props, and how the camera takes it in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import pi

import numpy as np

from callsheet.core import BACKGROUND
from callsheet.theatre.stage.pose import Mark
from callsheet.theatre.stage.shot import Framing, Player, Size

Generator = np.random.Generator

PLACES: dict[str, tuple[str, ...]] = {
    "StandUp": ("living_room", "office"),
    "SitDown": ("living_room", "office"),
    "Eat": ("dining_room", "cafe"),
    "SitUp": ("bedroom",),
    "HandShake": ("office", "cafe", "street", "hall", "park"),
    "Fight": ("street", "park", "hall", "living_room"),
    "GetOutOfCar": ("street",),
    "Kiss": ("park", "living_room", "street", "bedroom"),
    "Hug": ("park", "living_room", "street", "hall", "office"),
    "AnswerPhone": ("office", "living_room", "street", "hall", "park"),
    "Run": ("street", "park"),
    "OpenDoor": ("hall",),
    "Drive": ("in_car",),
}
"""Action -> the sets on which it can be played."""

PAIRED = frozenset({"HandShake", "Fight", "Kiss", "Hug"})
SEATED_PLACES = frozenset({"dining_room", "in_car"})


@dataclass(frozen=True, slots=True)
class Staging:
    """How one action is played and seen."""

    players: tuple[Player, ...]
    framing: Framing
    size: Size
    props: tuple[str, ...] = ()


def _phase(rng: Generator) -> float:
    return float(rng.uniform(0, 6))


def _azimuth(rng: Generator, spread: float = 0.32) -> float:
    return float(rng.uniform(-spread, spread))


def open_stage(place: str) -> float:
    """z of the free floor before the furniture of a set."""
    return {"hall": 0.5, "street": 1.6, "park": 0.4, "cafe": 1.6, "dining_room": 1.7,
            "bedroom": 1.3}.get(place, 0.9)  # fmt: skip


def _on_chair(action: str, rng: Generator, place: str, who: Sequence[int]) -> Staging:
    mark = Mark(0.0, 0.03, _azimuth(rng, 0.2))
    framing = Framing((0.0, 0.95, 0.2), float(rng.uniform(1.98, 2.1)), _azimuth(rng))
    return Staging((Player(who[0], mark, action, action, phase=_phase(rng)),), framing, Size.WIDE)


def _eat(rng: Generator, place: str, who: Sequence[int]) -> Staging:
    side = float(rng.choice([-1, 1]))
    players = [Player(who[0], Mark(0.55 * side, 0.03, 0.0), "Eat", "Eat", phase=_phase(rng))]
    if len(who) > 1:
        players.append(
            Player(who[1], Mark(-0.55 * side, 0.03, 0.15 * side), "sit", phase=_phase(rng))
        )
    x = 0.0 if len(who) > 1 else 0.5 * side
    framing = Framing((x, 1.0, 0.2), 1.5 if len(who) > 1 else 1.25, _azimuth(rng, 0.22), tilt=0.12)
    return Staging(tuple(players), framing, Size.MEDIUM)


def _sit_up(rng: Generator, place: str, who: Sequence[int]) -> Staging:
    player = Player(who[0], Mark(0.0, 0.0, pi / 2), "SitUp", "SitUp", phase=_phase(rng), look=-0.35)
    framing = Framing(
        (0.15, 0.82, 0.0), float(rng.uniform(1.7, 1.95)), float(rng.uniform(0.45, 0.75)), tilt=0.16
    )
    return Staging((player,), framing, Size.WIDE)


_APART = {"HandShake": 0.80, "Fight": 0.90, "Hug": 0.32, "Kiss": 0.46}
_OPEN = {"HandShake": 0.42, "Fight": 0.30, "Kiss": 0.22, "Hug": 0.0}  # turned to us, radians


def _paired(action: str, rng: Generator, place: str, who: Sequence[int]) -> Staging:
    """Two face each other across the picture, a little turned to the audience."""
    half, z = 0.5 * _APART[action], open_stage(place)
    open_up = _OPEN[action]
    players = tuple(
        Player(
            person,
            Mark(side * half, z, -side * (pi / 2 - open_up)),
            action,
            action,
            role,
            _phase(rng),
        )
        for role, (person, side) in enumerate(zip(who[:2], (-1, 1), strict=True))
    )
    if action == "Fight":
        players = tuple(replace(p, phase=players[0].phase) for p in players)
    tall, high = {
        "HandShake": (1.25, 1.45),
        "Fight": (0.98, 1.98),
        "Hug": (1.22, 1.5),
        "Kiss": (1.36, 1.2),
    }[action]
    framing = Framing((0.0, tall, z), high * float(rng.uniform(0.95, 1.1)), _side_on(rng, action))
    return Staging(players, framing, Size.WIDE if action == "Fight" else Size.MEDIUM)


def _side_on(rng: Generator, action: str) -> float:
    turn = float(rng.uniform(0.25, 0.6) if action == "Hug" else rng.uniform(0.03, 0.25))
    return turn * float(rng.choice([-1, 1]))


def _answer_phone(rng: Generator, place: str, who: Sequence[int]) -> Staging:
    z = open_stage(place)
    player = Player(
        who[0], Mark(0.0, z, _azimuth(rng, 0.25)), "AnswerPhone", "AnswerPhone", phase=_phase(rng)
    )
    framing = Framing((0.0, 1.28, z), float(rng.uniform(1.15, 1.4)), _azimuth(rng))
    return Staging((player,), framing, Size.MEDIUM)


def _run(rng: Generator, place: str, who: Sequence[int]) -> Staging:
    """Towards us from afar, or aslant across the picture with the camera swinging along."""
    side = float(rng.choice([-1, 1]))
    if rng.random() < 0.5:
        mark = Mark(-side * 1.6, -2.9, side * float(rng.uniform(0.32, 0.4)))
        framing = Framing((-0.2 * side, 0.95, 0.9), 3.0, 0.0, pan=(0.4 * side, 0.0))
    else:
        mark = Mark(-side * 3.2, -2.6, side * float(rng.uniform(0.95, 1.1)))
        framing = Framing((-side * 0.9, 0.95, -0.3), 3.0, 0.0, pan=(side * 1.9, 0.0))
    return Staging((Player(who[0], mark, "Run", "Run", phase=_phase(rng)),), framing, Size.WIDE)


def _open_door(rng: Generator, place: str, who: Sequence[int]) -> Staging:
    player = Player(who[0], Mark(0.08, -1.5, 0.0), "OpenDoor", "OpenDoor", phase=_phase(rng))
    framing = Framing((0.0, 1.1, -0.6), float(rng.uniform(1.9, 2.1)), _azimuth(rng, 0.2))
    return Staging((player,), framing, Size.WIDE, ("door",))


def _drive(rng: Generator, place: str, who: Sequence[int]) -> Staging:
    players = [Player(who[0], Mark(0.38, 0.05, 0.0), "Drive", "Drive", phase=_phase(rng))]
    if len(who) > 1:
        players.append(Player(who[1], Mark(-0.38, 0.05, 0.1), "ride", phase=_phase(rng)))
    x = 0.05 if len(who) > 1 else 0.25
    framing = Framing((x, 1.0, 0.1), float(rng.uniform(1.1, 1.3)), _azimuth(rng, 0.15), tilt=0.1)
    return Staging(tuple(players), framing, Size.MEDIUM, ("road",))


def _get_out(rng: Generator, place: str, who: Sequence[int]) -> Staging:
    player = Player(who[0], Mark(-0.12, -0.5, 0.0), "GetOutOfCar", "GetOutOfCar", phase=_phase(rng))
    framing = Framing(
        (-0.1, 0.93, 0.2), float(rng.uniform(1.95, 2.1)), float(rng.uniform(-0.35, 0.05))
    )
    return Staging((player,), framing, Size.WIDE, ("car",))


Stager = Callable[[Generator, str, Sequence[int]], Staging]

_STAGERS: dict[str, Stager] = {
    "Eat": _eat, "SitUp": _sit_up, "AnswerPhone": _answer_phone, "Run": _run,
    "OpenDoor": _open_door, "Drive": _drive, "GetOutOfCar": _get_out,
}  # fmt: skip


def stage_action(action: str, rng: Generator, place: str, who: Sequence[int]) -> Staging:
    """Stage `action` for the people `who` (those it needs, then at most one who looks on)."""
    if action in PAIRED:
        return _with_door(_paired(action, rng, place, who), place)
    if action in ("StandUp", "SitDown"):
        return _on_chair(action, rng, place, who)
    return _with_door(_STAGERS[action](rng, place, who), place)


def _with_door(staging: Staging, place: str) -> Staging:
    """In the hall the door is shut, unless it is opened."""
    return (
        replace(staging, props=("shut_door",)) if place == "hall" and not staging.props else staging
    )


_BEHIND = {"street": -1.9, "park": -1.8, "living_room": -1.6}
"""How far back people walk by, metres, where there is room."""


def stage_talk(rng: Generator, place: str, speaker: int, listeners: Sequence[int], tall: float, size: Size) -> Staging:  # fmt: skip  # noqa: E501
    """One who speaks, and perhaps somebody behind or beside."""
    seated = place == "dining_room" or (place == "cafe" and rng.random() < 0.5)
    x, z = (0.55 * float(rng.choice([-1, 1])), 0.03) if seated else (0.0, open_stage(place))
    head = 0.46 + 0.46 * tall if seated else 0.93 * tall
    mark = Mark(x, z, _azimuth(rng, 0.45))
    phase = _phase(rng)
    glance = _glance(mark, phase)
    players = [Player(speaker, mark, "sit" if seated else "stand", phase=phase, glance=glance)]
    high, drop = {Size.CLOSE: (0.70, 0.10), Size.MEDIUM: (1.15, 0.28), Size.WIDE: (2.3, 0.72)}[size]
    if listeners and size is not Size.CLOSE:
        side = float(rng.choice([-1, 1])) if not seated else -np.sign(x)
        spot = Mark(
            x + side * (1.1 if seated else 0.72), z - (0.0 if seated else 0.25), -0.5 * side
        )
        move = "sit" if seated else str(rng.choice(["stand", "arms_folded", "drink"]))
        if size is Size.WIDE and not seated and place in _BEHIND:
            # Who is spoken of, or to, comes by behind.
            spot, move = Mark(x + 1.75 * side, _BEHIND[place], -0.8 * side), "walk"
        players.append(Player(listeners[0], spot, move, phase=_phase(rng)))
        x += 0.36 * side
        high *= 1.08
    target = (x + float(rng.uniform(-0.12, 0.12)) * high, head - drop, z)
    framing = Framing(target, high * float(rng.uniform(0.92, 1.1)), _azimuth(rng, 0.3))
    return _with_door(Staging(tuple(players), framing, size), place)


def _glance(mark: Mark, phase: float) -> float:
    """By how much a speaker's head turns for a while: past the camera, to the other side."""
    away = 0.30 + 0.18 * abs(np.sin(phase))
    return float(-away if mark.facing > 0 else away)


def stage_ride(rng: Generator, driver: int, riders: Sequence[int]) -> Staging:
    """The driver drives on while either speaks."""
    x = 0.38
    players = [Player(driver, Mark(x, 0.05, 0.0), "Drive", "Drive", phase=_phase(rng))]
    if riders:
        players.append(Player(riders[0], Mark(-x, 0.05, 0.1), "ride", phase=_phase(rng)))
    framing = Framing((0.2 if not riders else 0.05, 1.05, 0.1), 0.95 if not riders else 1.1, _azimuth(rng, 0.15), tilt=0.08)  # fmt: skip  # noqa: E501
    return Staging(tuple(players), framing, Size.MEDIUM, ("road",))


def with_crowd(staging: Staging, rng: Generator, place: str, extras: Sequence[int]) -> Staging:
    """Add people of no name in the background."""
    depth = {
        "street": -1.9,
        "park": -1.8,
        "cafe": -0.75,
        "office": -1.2,
        "living_room": -1.6,
        "hall": 0.0,
    }
    if place not in depth:
        return staging
    sides = rng.permutation([-1.75, 1.8, -2.7, 2.6, 3.5])
    crowd = []
    for person, x in zip(extras, sides, strict=False):
        move = str(rng.choice(["stand", "arms_folded", "drink", "walk", "point"] if place != "office" else ["stand", "arms_folded"]))  # fmt: skip  # noqa: E501
        facing = float(-np.sign(x) * rng.uniform(0.2, 1.2))
        crowd.append(
            Player(
                person, Mark(float(x), depth[place], facing), move, BACKGROUND, phase=_phase(rng)
            )
        )
    return replace(staging, players=(*staging.players, *crowd))
