"""Clothes a skeleton: turns a stance and a look into round cones.

Each puppet has its own small table of materials (`WARDROBE` order) and, for each pixel, a code:
3 n + part for puppet n, so that the truth can be read off the picture.
"""

from __future__ import annotations

import numpy as np

from callsheet.theatre.stage import tracing
from callsheet.theatre.stage.camera import Array
from callsheet.theatre.stage.looks import Beard, Colour, Hair, Look, Outfit
from callsheet.theatre.stage.pose import HEAD, Stance
from callsheet.theatre.stage.solids import Material, Solids

BODY, FACE, SCALP = 0, 1, 2
PARTS = 3
SKIN, HEAD_SKIN, TOP, SLEEVE, UNDER, LEGS, SHOES, HAIR_STUFF, BELT, LIPS = range(10)


def materials(look: Look) -> Array:
    """Rows of the puppet's materials."""
    dark = tuple(0.55 * c for c in look.trousers)
    bare_legs = look.outfit is Outfit.DRESS
    cloth = {"second": look.cloth_second, "folds": 0.11}
    pattern = look.pattern if look.outfit not in (Outfit.JACKET,) else tracing.PLAIN
    scales = {tracing.STRIPES: 14.0, tracing.HOOPS: 9.0, tracing.CHECKS: 12.0, tracing.DOTS: 10.0}
    sleeve = Material(look.cloth, pattern=pattern, scale=0.5 * scales.get(pattern, 0), **cloth)
    if look.outfit is Outfit.JACKET:
        top = Material(look.cloth, pattern=tracing.OPENING, scale=0.0, **cloth)
    else:
        top = Material(look.cloth, pattern=pattern, scale=scales.get(pattern, 0), **cloth)
    strands = tuple(min(255.0, 1.35 * c + 14) for c in look.hair)
    wardrobe = {
        SKIN: Material(look.skin, gloss=0.05),
        HEAD_SKIN: Material(look.skin, gloss=0.06, textured=True),
        TOP: top,
        SLEEVE: sleeve,
        UNDER: Material(look.cloth_second, folds=0.06),
        LEGS: Material(look.skin, gloss=0.04) if bare_legs else Material(look.trousers, folds=0.13),
        SHOES: Material(look.shoes, gloss=0.22),
        HAIR_STUFF: Material(look.hair, second=strands, pattern=tracing.HAIR, gloss=0.10),
        BELT: Material(_triple(dark), gloss=0.1),
        LIPS: Material(_nose_colour(look)),
    }
    return np.array([wardrobe[n].row() for n in sorted(wardrobe)])


def _triple(values: tuple[float, ...]) -> Colour:
    red, green, blue = values
    return red, green, blue


def _nose_colour(look: Look) -> Colour:
    return _triple(tuple(0.97 * s + o for s, o in zip(look.skin, (3, 0, 0), strict=True)))


def head_frame(look: Look, stance: Stance) -> Array:
    """Middle, axes and height of the head, as `shade_solids` wants them."""
    return np.concatenate([stance.head, stance.head_axes.ravel(), [HEAD * stance.height]])


def clothe(look: Look, stance: Stance, number: int) -> Solids:
    """All cones of puppet `number`."""
    solids = Solids()
    code = PARTS * number
    _torso(solids, look, stance, code)
    for n in range(2):
        _arm(solids, look, stance, n, code)
        _leg(solids, look, stance, n, code)
    _head(solids, look, stance, code)
    _hair(solids, look, stance, code + SCALP)
    return solids


def _torso(solids: Solids, look: Look, stance: Stance, code: int) -> None:
    h, wide = stance.height, look.girth
    left, up, front = stance.chest_axes
    hip_left, hip_up, _ = stance.hip_axes
    skirt = look.outfit is Outfit.DRESS
    low = TOP if skirt else LEGS
    chest = stance.waist + 0.090 * h * up + 0.004 * h * front
    solids.add(stance.hips[0] + 0.012 * h * hip_up, stance.hips[1] + 0.012 * h * hip_up,
               (0.052 * h * wide, 0.052 * h * wide), material=low, code=code, side=hip_up, flat=(1.0, 1.05))  # fmt: skip  # noqa: E501
    solids.add(stance.pelvis + 0.035 * h * hip_up, stance.waist, (0.072 * h * wide, 0.068 * h * wide),
               material=TOP, code=code, side=hip_left, flat=(1.14, 0.86))  # fmt: skip
    solids.add(stance.waist, chest, (0.068 * h * wide, 0.080 * h * (0.5 + 0.5 * wide)),
               material=TOP, code=code, side=left, flat=(1.16, 0.82))  # fmt: skip
    if look.woman:
        for side in (1, -1):
            bust = chest + h * (side * 0.036 * left - 0.020 * up + 0.030 * front)
            solids.add(bust, bust + h * (0.035 * up - 0.012 * front), (0.042 * h, 0.036 * h),
                       material=SLEEVE, code=code)  # fmt: skip
    solids.add(chest, stance.neck - 0.030 * h * up, (0.079 * h, 0.045 * h), material=TOP, code=code,
               side=left, flat=(1.2, 0.8))  # fmt: skip
    for n in range(2):
        solids.add(stance.neck - 0.006 * h * up, stance.shoulders[n], (0.034 * h, 0.035 * h),
                   material=SLEEVE, code=code, side=front, flat=(1.0, 0.9))  # fmt: skip
    belt = UNDER if look.outfit is Outfit.JUMPER else BELT
    hem = stance.pelvis + 0.033 * h * hip_up
    solids.add(hem, hem + 0.012 * h * hip_up, (0.073 * h * wide, 0.073 * h * wide), material=belt,
               code=code, side=hip_left, flat=(1.15, 0.86))  # fmt: skip
    if skirt:
        knees = stance.knees.mean(axis=0)
        end = stance.pelvis + 0.85 * (knees - stance.pelvis)
        spread = 0.5 * float(np.linalg.norm(stance.knees[0] - stance.knees[1]))
        solids.add(stance.pelvis, end, (0.085 * h, 0.072 * h + spread), material=TOP, code=code,
                   side=hip_left, flat=(1.05, 0.85))  # fmt: skip
    collar = stance.neck + 0.012 * h * stance.chest_axes[1]
    cloth = UNDER if look.outfit in (Outfit.JACKET, Outfit.SHIRT, Outfit.JUMPER) else TOP
    if look.outfit is not Outfit.TEE:
        solids.add(
            collar - 0.012 * h * up, collar, (0.037 * h, 0.033 * h), material=cloth, code=code
        )
    solids.add(stance.neck - 0.01 * h * up, stance.head - 0.02 * h * stance.head_axes[2],
               (0.033 * h, 0.031 * h), material=SKIN, code=code)  # fmt: skip


def _arm(solids: Solids, look: Look, stance: Stance, n: int, code: int) -> None:
    h = stance.height
    shoulder, elbow, wrist = stance.shoulders[n], stance.elbows[n], stance.wrists[n]
    short = look.outfit in (Outfit.TEE, Outfit.DRESS)
    thick = 0.5 + 0.5 * look.girth
    if short:
        middle = shoulder + 0.62 * (elbow - shoulder)
        solids.add(
            shoulder, middle, (0.035 * h * thick, 0.033 * h * thick), material=SLEEVE, code=code
        )
        solids.add(shoulder, elbow, (0.030 * h * thick, 0.024 * h), material=SKIN, code=code)
        solids.add(elbow, wrist, (0.025 * h, 0.0165 * h), material=SKIN, code=code)
    else:
        cuff = elbow + 0.93 * (wrist - elbow)
        solids.add(
            shoulder, elbow, (0.035 * h * thick, 0.028 * h * thick), material=SLEEVE, code=code
        )
        solids.add(elbow, cuff, (0.028 * h * thick, 0.0205 * h), material=SLEEVE, code=code)
        solids.add(elbow, wrist, (0.02 * h, 0.0165 * h), material=SKIN, code=code)
    _hand(solids, stance, n, code)


def _hand(solids: Solids, stance: Stance, n: int, code: int) -> None:
    """A palm, four fingers a little bent, and a thumb."""
    h = stance.height
    way = _unit(stance.wrists[n] - stance.elbows[n])
    inward = _unit(np.cross(way, stance.chest_axes[2]) + 0.3 * stance.chest_axes[0])
    broad = _unit(np.cross(inward, way))
    palm = stance.wrists[n] + 0.045 * h * way
    solids.add(stance.wrists[n], palm, (0.017 * h, 0.021 * h), material=SKIN, code=code, side=broad,
               flat=(1.15, 0.62))  # fmt: skip
    for finger in (-1.2, 0.0, 1.2):
        root = palm + 0.0095 * h * finger * broad
        tip = root + h * (0.042 - 0.003 * abs(finger)) * _unit(way + 0.25 * inward)
        solids.add(root, tip, (0.0085 * h, 0.0065 * h), material=SKIN, code=code)
    thumb = stance.wrists[n] + h * (0.022 * way + 0.016 * broad)
    solids.add(thumb, thumb + h * (0.026 * way + 0.014 * broad), (0.009 * h, 0.007 * h),
               material=SKIN, code=code)  # fmt: skip


def _leg(solids: Solids, look: Look, stance: Stance, n: int, code: int) -> None:
    h, wide = stance.height, 0.4 + 0.6 * look.girth
    hip, knee, ankle = stance.hips[n], stance.knees[n], stance.ankles[n]
    solids.add(hip, knee, (0.056 * h * wide, 0.039 * h * wide), material=LEGS, code=code)
    calf = knee + 0.3 * (ankle - knee) - 0.008 * h * stance.hip_axes[2]
    loose = 0.026 if look.outfit is Outfit.DRESS else 0.032
    solids.add(knee, calf, (0.039 * h * wide, 0.038 * h), material=LEGS, code=code)
    solids.add(calf, ankle, (0.038 * h, loose * h), material=LEGS, code=code)
    down = _unit(ankle - knee)
    ahead = stance.hip_axes[2]
    ahead = _unit(ahead - 0.85 * (ahead @ down) * down)
    heel = ankle + h * (0.018 * down - 0.012 * ahead)
    toe = ankle + h * (0.026 * down + 0.088 * ahead)
    solids.add(heel, toe, (0.026 * h, 0.019 * h), material=SHOES, code=code, side=_unit(np.cross(down, ahead)),
               flat=(1.0, 0.9))  # fmt: skip


def _head(solids: Solids, look: Look, stance: Stance, code: int) -> None:
    """The skull narrows to the chin; nose and ears stand out."""
    size = HEAD * stance.height
    left, up, front = stance.head_axes
    slim = 0.86 * (1 + 0.07 * look.face_width)
    jaw = 0.205 * (1 + 0.14 * look.jaw)

    def place(x: float, y: float, z: float) -> Array:
        return stance.head + size * (x * left + y * up + z * front)

    solids.add(place(0, 0.12, 0), place(0, -0.29, 0.13), (0.38 * size, jaw * size),
               material=HEAD_SKIN, code=code + FACE, side=left, flat=(slim, 1.04))  # fmt: skip
    long = 0.02 * look.nose_length
    solids.add(place(0, 0.03, 0.335), place(0, -0.145 - long, 0.395), (0.022 * size, 0.040 * size),
               material=HEAD_SKIN, code=code + FACE, side=left, flat=(1 + 0.2 * look.nose_width, 1.0))  # fmt: skip  # noqa: E501
    for side in (1, -1):
        ear = side * 0.36 * slim / 0.86
        solids.add(place(ear, 0.03, -0.03), place(ear, -0.10, 0.0), (0.062 * size, 0.045 * size),
                   material=SKIN, code=code + FACE, side=left, flat=(0.5, 0.9))  # fmt: skip
    if look.beard is Beard.FULL:
        solids.add(place(0, -0.30, 0.10), place(0, -0.37, 0.17), (0.2 * size, 0.15 * size),
                   material=HEAD_SKIN, code=code + FACE, side=left, flat=(0.95, 1.0))  # fmt: skip


def _hair(solids: Solids, look: Look, stance: Stance, code: int) -> None:
    size = HEAD * stance.height
    axes = stance.head_axes
    slim = 0.86 * (1 + 0.07 * look.face_width)

    def lock(start: tuple[float, float, float], end: tuple[float, float, float],
             radii: tuple[float, float], flat: tuple[float, float] = (1.0, 1.0)) -> None:  # fmt: skip
        solids.add(stance.head + size * np.array(start) @ axes, stance.head + size * np.array(end) @ axes,
                   (radii[0] * size, radii[1] * size), material=HAIR_STUFF, code=code, side=axes[0],
                   flat=flat)  # fmt: skip

    cap = (slim * 1.05, 1.0)
    style = look.hair_style
    if style is Hair.BALD:
        return
    puff = {Hair.CREW: 0.375, Hair.PARTED: 0.39, Hair.CURLY: 0.40}.get(style, 0.395)
    lock((0, 0.185, -0.055), (0, 0.03, -0.09), (puff, 0.36), cap)
    if style is Hair.PARTED:
        lock((0.10, 0.43, 0.16), (-0.24, 0.36, 0.18), (0.10, 0.12))
        lock((-0.24, 0.36, 0.14), (-0.33, 0.12, 0.05), (0.10, 0.05))
    if style is Hair.CURLY:
        rng = np.random.default_rng(look.seed)
        for angle in np.linspace(0, 2 * np.pi, 13)[:-1]:
            for y, reach in ((0.14, 0.37), (0.34, 0.27)):
                x, z = reach * slim * 1.1 * np.sin(angle), reach * np.cos(angle) - 0.08
                if y > 0.2 or z < 0.12:
                    wobble = rng.uniform(-0.03, 0.03, 3)
                    spot = (x + wobble[0], y + wobble[1] + 0.03, z + wobble[2])
                    lock(spot, spot, (0.125, 0.125))
    if style is Hair.BUN:
        lock((0, 0.50, -0.20), (0, 0.54, -0.22), (0.15, 0.13))
    if style in (Hair.BOB, Hair.FRINGE):
        lock((0, 0.05, -0.14), (0, -0.26, -0.12), (0.37, 0.30), (slim * 1.08, 0.8))
        for side in (1, -1):
            lock((side * 0.35, 0.16, 0.03), (side * 0.37, -0.28, 0.06), (0.10, 0.085), (0.75, 1.2))
    if style is Hair.FRINGE:
        lock((0.16, 0.30, 0.24), (-0.16, 0.30, 0.24), (0.13, 0.13), (1.0, 0.9))
    if style is Hair.LONG:
        lock((0, 0.05, -0.15), (0, -0.62, -0.20), (0.37, 0.26), (slim * 1.1, 0.7))
        for side in (1, -1):
            lock((side * 0.34, 0.20, 0.02), (side * 0.39, -0.32, 0.02), (0.10, 0.09), (0.75, 1.1))
            lock((side * 0.39, -0.32, 0.02), (side * 0.34, -0.72, 0.08), (0.09, 0.05))


def _unit(vector: Array) -> Array:
    return vector / max(float(np.linalg.norm(vector)), 1e-9)
