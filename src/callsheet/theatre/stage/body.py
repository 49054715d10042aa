"""Clothes a skeleton: turns a stance and a look into round cones.

Each puppet has its own small table of materials (`WARDROBE` order) and, for each pixel, a code:
3 n + part for puppet n, so that the truth can be read off the picture.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from callsheet.theatre.stage import tracing
from callsheet.theatre.stage.looks import Beard, Hair, Look, Outfit
from callsheet.theatre.stage.pose import HEAD, Stance
from callsheet.theatre.stage.solids import Material, Solids
from callsheet.theatre.stage.vectors import Array, dot, placed, unit

BODY, FACE, SCALP = 0, 1, 2
PARTS = 3
SKIN, HEAD_SKIN, TOP, SLEEVE, UNDER, LEGS, SHOES, HAIR_STUFF = range(8)


_SCALES = {tracing.STRIPES: 13.0, tracing.HOOPS: 8.0, tracing.CHECKS: 12.0, tracing.DOTS: 10.0}
_TORSO, _LIMBS, _HAIR = 1, 2, 3  # groups whose cones flow into each other


def materials(look: Look) -> Array:
    """Rows of the puppet's materials."""
    jacket = look.outfit is Outfit.JACKET
    pattern = tracing.PLAIN if jacket else look.pattern
    scale = _SCALES.get(pattern, 0.0)
    top = Material(
        look.cloth,
        second=look.cloth_second,
        pattern=tracing.OPENING if jacket else pattern,
        scale=scale,
        folds=0.10,
        textured=tracing.CHEST,
        group=_TORSO,
    )
    sleeve = replace(top, pattern=pattern, scale=0.5 * scale, textured=tracing.OWN)
    if look.outfit is Outfit.DRESS:
        legs = Material(look.skin, gloss=0.04, group=_LIMBS)
    else:
        legs = Material(look.trousers, folds=0.11, group=_LIMBS)
    red, green, blue = (min(255.0, 1.35 * c + 14) for c in look.hair)
    wardrobe = {
        SKIN: Material(look.skin, gloss=0.05),
        HEAD_SKIN: Material(look.skin, gloss=0.06, textured=tracing.FACE),
        TOP: top,
        SLEEVE: sleeve,
        UNDER: Material(look.cloth_second, folds=0.05),
        LEGS: legs,
        SHOES: Material(look.shoes, gloss=0.22),
        HAIR_STUFF: Material(look.hair, second=(red, green, blue), pattern=tracing.HAIR, gloss=0.10,
                             group=_HAIR),
    }  # fmt: skip
    return np.array([wardrobe[n].row() for n in sorted(wardrobe)])


def own_frames(look: Look, stance: Stance) -> Array:
    """Middle, axes and size of head and chest, as `shade_solids` wants them."""
    head = [*stance.head, *stance.head_axes.ravel(), HEAD * stance.height]
    return np.array([*head, *stance.waist, *stance.chest_axes.ravel(), 1.0])


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
    """Seat, belly, ribs and shoulders."""
    h, wide = stance.height, look.girth
    left, up, front = stance.chest_axes
    hip_left, hip_up, _ = stance.hip_axes
    chest = stance.waist + h * (0.090 * up + 0.004 * front)
    hips = stance.hips + 0.012 * h * hip_up
    seat = TOP if look.outfit is Outfit.DRESS else LEGS
    solids.add(hips[0], hips[1], (0.059 * h * wide, 0.059 * h * wide), material=seat, code=code,
               side=hip_up, flat=(1.0, 1.06))  # fmt: skip
    hem = stance.pelvis + 0.048 * h * hip_up
    ribs = 0.080 * h * (0.5 + 0.5 * wide)
    for start, end, radii, side, flat in (
        (hem, stance.waist, (0.067 * h * wide, 0.068 * h * wide), hip_left, (1.14, 0.88)),
        (stance.waist, chest, (0.068 * h * wide, ribs), left, (1.16, 0.84)),
        (chest, stance.neck - 0.030 * h * up, (ribs, 0.045 * h), left, (1.18, 0.82)),
    ):
        solids.add(start, end, radii, material=TOP, code=code, side=side, flat=flat)
    for shoulder in stance.shoulders:
        solids.add(stance.neck - 0.008 * h * up, shoulder, (0.034 * h, 0.033 * h), material=TOP,
                   code=code, side=front, flat=(1.0, 0.95))  # fmt: skip
    if look.woman:
        _bust(solids, stance, chest, code)
    if look.outfit is Outfit.DRESS:
        _skirt(solids, look, stance, code)
    _throat(solids, look, stance, code)


def _bust(solids: Solids, stance: Stance, chest: Array, code: int) -> None:
    h = stance.height
    left, up, front = stance.chest_axes
    for side in (1, -1):
        low = chest + h * (side * 0.036 * left - 0.018 * up + 0.030 * front)
        solids.add(low, low + h * (0.05 * up - 0.016 * front), (0.041 * h, 0.036 * h), material=TOP,
                   code=code)  # fmt: skip


def _skirt(solids: Solids, look: Look, stance: Stance, code: int) -> None:
    """Cloth round each thigh and between them, to the knee."""
    h, wide = stance.height, 0.4 + 0.6 * look.girth
    for hip, knee in zip(stance.hips, stance.knees, strict=True):
        end = hip + 0.88 * (knee - hip)
        solids.add(hip, end, (0.066 * h * wide, 0.060 * h * wide), material=TOP, code=code)
    knees = stance.knees.mean(axis=0)
    end = stance.pelvis + 0.85 * (knees - stance.pelvis)
    solids.add(stance.pelvis, end, (0.075 * h * wide, 0.062 * h), material=TOP, code=code,
               side=stance.hip_axes[0], flat=(1.1, 0.9))  # fmt: skip


def _throat(solids: Solids, look: Look, stance: Stance, code: int) -> None:
    h, up = stance.height, stance.chest_axes[1]
    if look.outfit in (Outfit.JACKET, Outfit.SHIRT, Outfit.JUMPER):
        collar = stance.neck + 0.010 * h * up
        solids.add(
            collar - 0.014 * h * up, collar, (0.039 * h, 0.035 * h), material=UNDER, code=code
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
    way = unit(stance.wrists[n] - stance.elbows[n])
    inward = unit(np.cross(way, stance.chest_axes[2]) + 0.3 * stance.chest_axes[0])
    broad = unit(np.cross(inward, way))
    palm = stance.wrists[n] + 0.045 * h * way
    solids.add(stance.wrists[n], palm, (0.017 * h, 0.021 * h), material=SKIN, code=code, side=broad,
               flat=(1.15, 0.62))  # fmt: skip
    for finger in (-1.2, 0.0, 1.2):
        root = palm + 0.0095 * h * finger * broad
        tip = root + h * (0.042 - 0.003 * abs(finger)) * unit(way + 0.25 * inward)
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
    down = unit(ankle - knee)
    ahead = stance.hip_axes[2]
    ahead = unit(ahead - 0.85 * dot(ahead, down) * down)
    heel = ankle + h * (0.018 * down - 0.012 * ahead)
    toe = ankle + h * (0.026 * down + 0.088 * ahead)
    solids.add(
        heel,
        toe,
        (0.026 * h, 0.019 * h),
        material=SHOES,
        code=code,
        side=unit(np.cross(down, ahead)),
        flat=(1.0, 0.9),
    )


def _head(solids: Solids, look: Look, stance: Stance, code: int) -> None:
    """The skull narrows to the chin; nose and ears stand out."""
    size = HEAD * stance.height
    left, up, front = stance.head_axes
    slim = 0.86 * (1 + 0.07 * look.face_width)
    jaw = 0.205 * (1 + 0.14 * look.jaw)

    def place(x: float, y: float, z: float) -> Array:
        spot: Array = stance.head + size * (x * left + y * up + z * front)
        return spot

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

    def lock(
        start: tuple[float, float, float],
        end: tuple[float, float, float],
        radii: tuple[float, float],
        flat: tuple[float, float] = (1.0, 1.0),
    ) -> None:
        solids.add(
            stance.head + size * placed(np.array(start), axes),
            stance.head + size * placed(np.array(end), axes),
            (radii[0] * size, radii[1] * size),
            material=HAIR_STUFF,
            code=code,
            side=axes[0],
            flat=flat,
        )

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
