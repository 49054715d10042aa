"""Numba kernels that colour what `tracing` found: normals, cloth, nooks, light.

Columns of solids, materials and lights are those of `tracing`, and so are the buffers.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from callsheet.theatre.stage.tracing import (
    CHECKS,
    CHEST,
    CODE,
    COLOUR,
    DOTS,
    EYE,
    FACE,
    FOLDS,
    GLOSS,
    GROUP,
    HOOPS,
    LENGTH,
    MATERIAL,
    OPENING,
    PATTERN,
    RA,
    RB,
    SCALE,
    SECOND,
    SEED,
    STRIPES,
    TEXTURE_REACH,
    TEXTURE_TOP,
    TEXTURED,
    sample,
)


@njit(cache=True, nogil=True)
def _cloth(material, x, y, z):  # type: ignore[no-untyped-def]
    """Weight of the second colour at a place of the part, 0 to 1."""
    kind, scale = int(material[PATTERN]), material[SCALE]
    angle = math.atan2(x, z)
    if kind == STRIPES:
        return 1.0 if math.sin(angle * scale) > 0.2 else 0.0
    if kind == HOOPS:
        return 1.0 if math.sin(y * scale * 9.0) > 0.1 else 0.0
    if kind == CHECKS:
        a = 1.0 if math.sin(angle * scale) > 0.0 else 0.0
        b = 1.0 if math.sin(y * scale * 8.0) > 0.0 else 0.0
        return 0.5 * (a + b)
    if kind == DOTS:
        a, b = math.sin(angle * scale * 1.3), math.sin(y * scale * 11.0)
        return 1.0 if a * b > 0.45 else 0.0
    if kind == OPENING:
        return 1.0 if abs(angle) < 0.34 else (-0.35 if abs(angle) < 0.40 else 0.0)
    strand = math.sin(angle * 23.0 + 2.0 * math.sin(y * 31.0)) * math.sin(angle * 57.0 + y * 20.0)
    return 0.5 + 0.5 * strand


_RING = np.array(
    [
        (1.0, 0.0),
        (0.35, 0.35),
        (0.0, 1.0),
        (-0.35, 0.35),
        (-1.0, 0.0),
        (-0.35, -0.35),
        (0.0, -1.0),
        (0.35, -0.35),
    ]
)


@njit(cache=True, nogil=True)
def _nearness(depth, px, py, t, reach):  # type: ignore[no-untyped-def]
    """Light left in a nook: neighbours a hand's breadth nearer than this place shade it."""
    rows, columns = depth.shape
    shut = 0.0
    for n in range(8):
        j, i = px + int(reach * _RING[n, 0]), py + int(reach * _RING[n, 1])
        if 0 <= i < rows and 0 <= j < columns:
            gap = t - depth[i, j]
            if gap > 0.012:
                shut += 1.0 if gap < 0.18 else max(0.0, 1.0 - (gap - 0.18) * 4.0)
    return 1.0 - 0.062 * shut


@njit(cache=True, nogil=True)
def solid_normals(  # type: ignore[no-untyped-def]
    normal, depth, owner, solids, materials, right, up, forward, lens, box
):
    """Write the unit normals of the solids' pixels into `normal`, with the folds of cloth."""
    focal, cx, cy = lens[0], lens[1], lens[2]
    for py in range(box[1], box[3]):
        for px in range(box[0], box[2]):
            n = owner[py, px]
            if n < 0:
                continue
            s, t = solids[n], depth[py, px]
            x, y, z = _own_place(s, t, px, py, right, up, forward, focal, cx, cy)
            length = s[LENGTH]
            k = (s[RB] - s[RA]) / length if length > abs(s[RB] - s[RA]) else 0.0
            along = min(max(y + k * math.sqrt((x * x + z * z) / (1.0 - k * k)), 0.0), length)
            nx, ny, nz = x, y - along, z
            folds = materials[int(s[MATERIAL]), FOLDS] * s[RA]
            if folds > 0.0:
                wave = 34.0 * y + 5.0 * math.sin(9.0 * x + 4.0 * z) + 2.6 * s[SEED]
                ny += folds * math.cos(wave) * (0.6 + 0.4 * math.sin(3.1 * wave))
                nx += 0.6 * folds * math.sin(0.7 * wave + 5.0 * x)
            gx = s[0] * nx + s[3] * ny + s[6] * nz
            gy = s[1] * nx + s[4] * ny + s[7] * nz
            gz = s[2] * nx + s[5] * ny + s[8] * nz
            norm = 1.0 / math.sqrt(gx * gx + gy * gy + gz * gz + 1e-12)
            normal[py, px, 0], normal[py, px, 1], normal[py, px, 2] = (
                gx * norm,
                gy * norm,
                gz * norm,
            )


@njit(cache=True, nogil=True)
def _own_place(s, t, px, py, right, up, forward, focal, cx, cy):  # type: ignore[no-untyped-def]
    """Place of a pixel in the frame of its solid."""
    u, v = (px + 0.5 - cx) / focal, (cy - py - 0.5) / focal
    wx = forward[0] + u * right[0] + v * up[0]
    wy = forward[1] + u * right[1] + v * up[1]
    wz = forward[2] + u * right[2] + v * up[2]
    x = s[EYE] + t * (s[0] * wx + s[1] * wy + s[2] * wz)
    y = s[EYE + 1] + t * (s[3] * wx + s[4] * wy + s[5] * wz)
    return x, y, s[EYE + 2] + t * (s[6] * wx + s[7] * wy + s[8] * wz)


@njit(cache=True, nogil=True)
def _in_frame(frames, first, x, y, z):  # type: ignore[no-untyped-def]
    """A place of the world along the axes of the head (first 0) or the chest (13)."""
    f, scale = frames[first : first + 12], 1.0 / frames[first + 12]
    x, y, z = x - f[0], y - f[1], z - f[2]
    a = (x * f[3] + y * f[4] + z * f[5]) * scale
    b = (x * f[6] + y * f[7] + z * f[8]) * scale
    return a, b, (x * f[9] + y * f[10] + z * f[11]) * scale


@njit(cache=True, nogil=True)
def _smoothed(normal, depth, owner, groups, px, py, group, t, reach):  # type: ignore[no-untyped-def]
    """Mean normal of a pixel and those about it that belong to the same group and depth.

    This rounds off the creases where two cones of one garment meet.
    """
    rows, columns = depth.shape
    x, y, z = normal[py, px, 0], normal[py, px, 1], normal[py, px, 2]
    for n in range(8):
        j, i = px + int(reach * _RING[n, 0]), py + int(reach * _RING[n, 1])
        if not (0 <= i < rows and 0 <= j < columns and owner[i, j] >= 0):
            continue
        if groups[owner[i, j]] == group and abs(depth[i, j] - t) < 0.05:
            x += normal[i, j, 0]
            y += normal[i, j, 1]
            z += normal[i, j, 2]
    norm = 1.0 / math.sqrt(x * x + y * y + z * z + 1e-12)
    return x * norm, y * norm, z * norm


@njit(cache=True, nogil=True)
def shade_solids(  # type: ignore[no-untyped-def]
    colour,
    depth,
    code,
    owner,
    normal,
    solids,
    materials,
    texture,
    frames,
    right,
    up,
    forward,
    eye,
    lens,
    light,
    box,
):
    """Colour the pixels that `owner` gives to a solid.

    `frames` holds the head's middle (3), its axes left, up, front (9) and its height (1), where
    the face texture is looked up, and the same of the chest, where the pattern of a top is.
    """
    focal, cx, cy = lens[0], lens[1], lens[2]
    base = np.empty(3)
    groups = np.empty(solids.shape[0], dtype=np.int64)
    for n in range(solids.shape[0]):
        groups[n] = int(materials[int(solids[n, MATERIAL]), GROUP])
    for py in range(box[1], box[3]):
        for px in range(box[0], box[2]):
            n = owner[py, px]
            if n < 0:
                continue
            s, t = solids[n], depth[py, px]
            m = materials[int(s[MATERIAL])]
            u, v = (px + 0.5 - cx) / focal, (cy - py - 0.5) / focal
            wx = forward[0] + u * right[0] + v * up[0]
            wy = forward[1] + u * right[1] + v * up[1]
            wz = forward[2] + u * right[2] + v * up[2]
            gx, gy, gz = normal[py, px, 0], normal[py, px, 1], normal[py, px, 2]
            if groups[n] > 0:
                gx, gy, gz = _smoothed(
                    normal, depth, owner, groups, px, py, groups[n], t, 0.034 * focal / t
                )
            for c in range(3):
                base[c] = m[COLOUR + c]
            if m[TEXTURED] == FACE:
                a, b, d = _in_frame(frames, 0, eye[0] + t * wx, eye[1] + t * wy, eye[2] + t * wz)
                column = (math.atan2(a, d) / TEXTURE_REACH + 1.0) * 0.5 * texture.shape[1]
                row = (1.0 - b / TEXTURE_TOP) * 0.5 * texture.shape[0]
                for c in range(3):
                    base[c] = sample(texture, column, row, c)
            elif m[PATTERN] > 0.0:
                if m[TEXTURED] == CHEST:
                    x, y, z = _in_frame(
                        frames, 13, eye[0] + t * wx, eye[1] + t * wy, eye[2] + t * wz
                    )
                else:
                    x, y, z = _own_place(s, t, px, py, right, up, forward, focal, cx, cy)
                weight = _cloth(m, x, y, z)
                for c in range(3):
                    base[c] += weight * (m[SECOND + c] - base[c])
            facing = gx * light[0] + gy * light[1] + gz * light[2]
            key = max(0.0, 0.25 + 0.75 * facing)  # wraps round: soft, like a big lamp
            sky = 0.5 + 0.5 * gy
            toward = -(gx * wx + gy * wy + gz * wz) / math.sqrt(wx * wx + wy * wy + wz * wz)
            rim = 0.82 + 0.18 * max(0.0, toward)
            nook = _nearness(depth, px, py, t, 0.07 * focal / t)
            shine = m[GLOSS] * max(0.0, 0.5 * (facing + toward)) ** 14
            for c in range(3):
                lit = key * light[3 + c] + sky * light[6 + c] + (1.0 - sky) * light[9 + c]
                value = base[c] * lit * rim * nook + 255.0 * shine
                colour[py, px, c] = np.uint8(min(255.0, max(0.0, value)))
            code[py, px] = np.int16(s[CODE])
    owner[box[1] : box[3], box[0] : box[2]] = -1
