"""What a puppet looks like: drawn by lot, and casts chosen so that nobody is another's double."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

import numpy as np

T = TypeVar("T")

Colour = tuple[float, float, float]

SKINS: tuple[Colour, ...] = (
    (236, 200, 176), (224, 182, 152), (205, 160, 124), (178, 130, 96), (140, 98, 70), (104, 72, 54),
    (238, 190, 168), (214, 172, 128),
)  # fmt: skip
HAIRS: tuple[Colour, ...] = (
    (34, 28, 26), (66, 44, 30), (104, 70, 42), (186, 146, 84), (150, 66, 34), (150, 148, 146),
    (222, 196, 136), (214, 212, 208),
)  # fmt: skip
IRISES: tuple[Colour, ...] = (
    (84, 56, 34),
    (96, 128, 150),
    (88, 112, 70),
    (54, 38, 28),
    (120, 96, 56),
)
CLOTHS: tuple[Colour, ...] = (
    (150, 44, 46), (46, 74, 124), (58, 96, 66), (196, 158, 74), (92, 60, 104), (204, 200, 190),
    (70, 74, 82), (196, 104, 62), (60, 128, 136), (120, 84, 58), (224, 190, 196), (32, 36, 48),
)  # fmt: skip
TROUSERS: tuple[Colour, ...] = (
    (44, 48, 62),
    (84, 72, 58),
    (52, 66, 96),
    (34, 34, 38),
    (110, 104, 92),
)


class Hair(StrEnum):
    BALD = "bald"
    CREW = "crew"
    PARTED = "parted"
    CURLY = "curly"
    BOB = "bob"
    LONG = "long"
    BUN = "bun"
    FRINGE = "fringe"


class Beard(StrEnum):
    NONE = "none"
    STUBBLE = "stubble"
    MOUSTACHE = "moustache"
    FULL = "full"
    GOATEE = "goatee"


class Outfit(StrEnum):
    SHIRT = "shirt"
    JACKET = "jacket"
    JUMPER = "jumper"
    DRESS = "dress"
    TEE = "tee"


WOMENS_HAIR = (Hair.BOB, Hair.LONG, Hair.BUN, Hair.FRINGE, Hair.CURLY)
MENS_HAIR = (Hair.BALD, Hair.CREW, Hair.PARTED, Hair.CURLY)


@dataclass(frozen=True, slots=True)
class Look:
    """Shares are about 0 unless said: -1 (small) to 1 (big)."""

    woman: bool
    height: float  # metres
    girth: float  # 1 is slim
    age: float  # 0 young, 1 old
    skin: Colour
    hair: Colour
    hair_style: Hair
    beard: Beard
    glasses: int  # 0 none, 1 round, 2 square, 3 dark rims
    iris: Colour
    jaw: float
    face_width: float
    eye_size: float
    eye_distance: float
    eye_slant: float
    brow_thickness: float
    brow_angle: float
    brow_height: float
    nose_length: float
    nose_width: float
    mouth_width: float
    lip_fullness: float
    lip_colour: float  # 0 bare, 1 painted red
    freckles: float
    outfit: Outfit
    cloth: Colour
    cloth_second: Colour
    pattern: int
    trousers: Colour
    shoes: Colour
    seed: int


def draw_look(rng: np.random.Generator, *, woman: bool) -> Look:
    """One look by lot."""
    shares = {name: float(np.clip(rng.normal(0.0, 0.55), -1, 1)) for name in _SHARES}
    age = float(rng.beta(1.4, 2.2))
    hair = HAIRS[rng.choice([5, 7])] if age > 0.7 else HAIRS[rng.choice([0, 1, 2, 3, 4, 6])]
    skin = SKINS[rng.integers(len(SKINS))]
    return Look(
        woman=woman,
        height=float(rng.normal(1.69 if woman else 1.77, 0.035)),
        girth=float(rng.uniform(0.94, 1.22)),
        age=age,
        skin=_varied(rng, skin, 6),
        hair=_varied(rng, hair, 8),
        hair_style=_one(rng, WOMENS_HAIR if woman else MENS_HAIR),
        beard=Beard.NONE if woman else _one(rng, tuple(Beard)),
        glasses=int(rng.choice([0, 0, 0, 1, 2, 3])),
        iris=IRISES[rng.integers(len(IRISES))],
        lip_colour=float(rng.uniform(0.3, 1.0)) if woman else 0.0,
        freckles=float(max(0.0, rng.normal(-0.2, 0.5))),
        outfit=_one(rng, tuple(Outfit) if woman else tuple(o for o in Outfit if o != Outfit.DRESS)),
        cloth=_varied(rng, CLOTHS[rng.integers(len(CLOTHS))], 10),
        cloth_second=_varied(rng, CLOTHS[rng.integers(len(CLOTHS))], 10),
        pattern=int(rng.choice([0, 0, 1, 2, 3, 4])),
        trousers=_varied(rng, TROUSERS[rng.integers(len(TROUSERS))], 8),
        shoes=_varied(rng, ((40, 30, 26), (24, 24, 26), (120, 84, 56))[rng.integers(3)], 6),
        seed=int(rng.integers(1 << 31)),
        **shares,
    )


def draw_cast(
    rng: np.random.Generator, women: list[bool], *, apart_from: tuple[Look, ...] = ()
) -> tuple[Look, ...]:
    """One look for each entry of `women`, each the most unlike those before it of 24 drawn."""
    chosen: list[Look] = []
    for woman in women:
        drawn = [draw_look(rng, woman=woman) for _ in range(24)]
        others = [*apart_from, *chosen]
        chosen.append(max(drawn, key=lambda look: _distance_to_nearest(look, others)))
    return tuple(chosen)


_SHARES = (
    "jaw", "face_width", "eye_size", "eye_distance", "eye_slant", "brow_thickness", "brow_angle",
    "brow_height", "nose_length", "nose_width", "mouth_width", "lip_fullness",
)  # fmt: skip


def _distance_to_nearest(look: Look, others: list[Look]) -> float:
    return min((_distance(look, other) for other in others), default=0.0)


def _distance(a: Look, b: Look) -> float:
    """How unlike two looks are; hair, beard, glasses and colours count most."""
    kinds = 1.2 * (a.woman != b.woman) + 1.2 * (a.hair_style != b.hair_style)
    kinds += 1.2 * (a.beard != b.beard) + 1.0 * ((a.glasses > 0) != (b.glasses > 0))
    colours = np.abs(np.subtract(a.skin, b.skin)).sum() / 90 + np.abs(np.subtract(a.hair, b.hair)).sum() / 140  # fmt: skip  # noqa: E501
    cloth = np.abs(np.subtract(a.cloth, b.cloth)).sum() / 300
    shares = sum(abs(getattr(a, s) - getattr(b, s)) for s in _SHARES) / 4
    return float(kinds + colours + cloth + shares + 2.0 * abs(a.age - b.age))


def _varied(rng: np.random.Generator, colour: Colour, spread: float) -> Colour:
    red, green, blue = (float(np.clip(c + rng.normal(0, spread), 8, 245)) for c in colour)
    return red, green, blue


def _one(rng: np.random.Generator, choices: tuple[T, ...]) -> T:
    return choices[rng.integers(len(choices))]
