"""Numba kernels that trace solids and panels into a picture, nearest surface first.

Every body part is a *round cone*: the hull of two balls, seen through a linear map that may
flatten it. In its own frame the axis runs along +y from the origin to `length`, the radius
goes from `ra` to `rb`. With k = (rb - ra) / length the mantle is

    (1 - k²)(x² + z²) = (ra + k y)²,

closed by the two balls. Panels are parallelograms with a texture (R, G, B, A).

Rays leave the eye with direction d = forward + right·(px - cx)/f + up·(cy - py)/f, so the
ray parameter t is the depth. Buffers: colour (H, W, 3) uint8, depth (H, W) float32,
code (H, W) int16 (what a pixel shows, -1: the set).
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

# Columns of a traced solid.
MAP, EYE, RA, RB, LENGTH, BOX, MATERIAL, CODE, DISCS = 0, 9, 12, 13, 14, 15, 19, 20, 21
NEAREST, SEED = 27, 28
SOLID_COLUMNS = 29
# DISCS: x, y, radius in pixels of the two discs whose hull covers the cone; NEAREST: its least
# possible depth, in whose order solids come; SEED: what tells its folds from its neighbour's.
# Columns of a material.
COLOUR, SECOND, PATTERN, SCALE, GLOSS, FOLDS, TEXTURED, GROUP = 0, 3, 6, 7, 8, 9, 10, 11
MATERIAL_COLUMNS = 12
PLAIN, STRIPES, HOOPS, CHECKS, DOTS, HAIR, OPENING = range(7)
"""Patterns of cloth; hair has strands along its axis, an open jacket shows the shirt."""
OWN, FACE, CHEST = 0, 1, 2  # TEXTURED: where the colour is looked up
# A panel: corner 0:3, edge u 3:6, edge v 6:9, box 9:13, code 13, glow 14 (1: not shaded).
PANEL_COLUMNS = 15
# A light: direction to it 0:3, its colour 3:6, sky 6:9, ground 9:12.
LIGHT_COLUMNS = 12

TEXTURE_REACH = 1.6  # the face texture covers this many radians to either side
TEXTURE_TOP = 0.55  # and this share of the head's height above and below its middle


@njit(cache=True, nogil=True)
def _ball(ox, oy, oz, dx, dy, dz, radius):  # type: ignore[no-untyped-def]
    """Nearest t at which the ray meets a ball about the origin, or -1."""
    a = dx * dx + dy * dy + dz * dz
    b = ox * dx + oy * dy + oz * dz
    c = ox * ox + oy * oy + oz * oz - radius * radius
    h = b * b - a * c
    return (-b - math.sqrt(h)) / a if h >= 0.0 else -1.0


@njit(cache=True, nogil=True)
def _cone(ox, oy, oz, dx, dy, dz, ra, rb, length):  # type: ignore[no-untyped-def]
    """Nearest t at which the ray meets the round cone, or -1."""
    best = -1.0
    if length > abs(rb - ra):  # else one ball holds the other, and there is no mantle
        k = (rb - ra) / length
        q = 1.0 - k * k
        r0, rd = ra + k * oy, k * dy
        a = q * (dx * dx + dz * dz) - rd * rd
        b = q * (ox * dx + oz * dz) - r0 * rd
        c = q * (ox * ox + oz * oz) - r0 * r0
        h = b * b - a * c
        if h >= 0.0 and abs(a) > 1e-12:
            t = (-b - math.sqrt(h)) / a
            x, y, z = ox + t * dx, oy + t * dy, oz + t * dz
            # Centre of the ball that touches here; the mantle ends where the end balls begin.
            s = y + k * math.sqrt((x * x + z * z) / q)
            # A negative radius is the mirror image of the mantle beyond its tip.
            if t > 0.0 and 0.0 <= s <= length and ra + k * y >= 0.0:
                best = t
    for end in range(2):
        t = _ball(ox, oy - end * length, oz, dx, dy, dz, rb if end else ra)
        if t > 0.0 and (best < 0.0 or t < best):
            best = t
    return best


@njit(cache=True, nogil=True)
def _row_range(s, py):  # type: ignore[no-untyped-def]
    """Columns of row `py` that the cone can touch: the hull of its two discs, widened."""
    ax, ay, ar, bx, by, br = (
        s[DISCS],
        s[DISCS + 1],
        s[DISCS + 2],
        s[DISCS + 3],
        s[DISCS + 4],
        s[DISCS + 5],
    )
    radius = max(ar, br)
    # The strip of half width `radius` about the line from a to b, cut at this row.
    dx, dy = bx - ax, by - ay
    far = math.sqrt(dx * dx + dy * dy)
    low, high = min(ax - ar, bx - br), max(ax + ar, bx + br)
    if abs(dy) > 1e-6 * far and far > 1e-6:
        middle = ax + dx * (py + 0.5 - ay) / dy
        half = radius * far / abs(dy) + 1.0
        low, high = max(low, middle - half), min(high, middle + half)
    return max(int(s[BOX]), int(low)), min(int(s[BOX + 2]), int(high) + 2)


@njit(cache=True, nogil=True)
def trace_solids(  # type: ignore[no-untyped-def]
    depth, owner, solids, right, up, forward, lens
):
    """Write the depth of the nearest solid and its index into `depth` and `owner`."""
    focal, cx, cy = lens[0], lens[1], lens[2]
    for n in range(solids.shape[0]):
        s = solids[n]
        ex, ey, ez = s[EYE], s[EYE + 1], s[EYE + 2]
        ra, rb, length, nearest = s[RA], s[RB], s[LENGTH], s[NEAREST]
        for py in range(int(s[BOX + 1]), int(s[BOX + 3])):
            first, last = _row_range(s, py)
            v = (cy - py - 0.5) / focal
            bx, by, bz = forward[0] + v * up[0], forward[1] + v * up[1], forward[2] + v * up[2]
            for px in range(first, last):
                if depth[py, px] < nearest:
                    continue
                u = (px + 0.5 - cx) / focal
                wx, wy, wz = bx + u * right[0], by + u * right[1], bz + u * right[2]
                dx = s[0] * wx + s[1] * wy + s[2] * wz
                dy = s[3] * wx + s[4] * wy + s[5] * wz
                dz = s[6] * wx + s[7] * wy + s[8] * wz
                t = _cone(ex, ey, ez, dx, dy, dz, ra, rb, length)
                if 0.05 < t < depth[py, px]:
                    depth[py, px] = t
                    owner[py, px] = n


@njit(cache=True, nogil=True)
def sample(texture, u, v, channel):  # type: ignore[no-untyped-def]
    """Bilinear value at column u and row v, clamped to the edge."""
    rows, columns = texture.shape[0], texture.shape[1]
    u = min(max(u, 0.0), columns - 1.001)
    v = min(max(v, 0.0), rows - 1.001)
    i, j = int(v), int(u)
    a, b = v - i, u - j
    upper = texture[i, j, channel] * (1.0 - b) + texture[i, j + 1, channel] * b
    lower = texture[i + 1, j, channel] * (1.0 - b) + texture[i + 1, j + 1, channel] * b
    return upper * (1.0 - a) + lower * a


@njit(cache=True, nogil=True)
def trace_panel(  # type: ignore[no-untyped-def]
    colour, depth, code, panel, texture, right, up, forward, eye, lens, light
):
    """Draw one textured parallelogram; alpha below 255 lets what is behind shine through."""
    focal, cx, cy = lens[0], lens[1], lens[2]
    ux, uy, uz, vx, vy, vz = panel[3], panel[4], panel[5], panel[6], panel[7], panel[8]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz  # fmt: skip  # noqa: E501
    det = uu * vv - uv * uv
    ox, oy, oz = panel[0] - eye[0], panel[1] - eye[1], panel[2] - eye[2]
    offset = nx * ox + ny * oy + nz * oz
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    side = -1.0 if offset > 0.0 else 1.0  # the lit side is the one we see
    facing = side * (nx * light[0] + ny * light[1] + nz * light[2]) / size
    sky = 0.5 + 0.5 * side * ny / size
    key = max(0.0, 0.25 + 0.75 * facing)
    rows, columns = texture.shape[0], texture.shape[1]
    for py in range(int(panel[10]), int(panel[12])):
        v = (cy - py - 0.5) / focal
        for px in range(int(panel[9]), int(panel[11])):
            u = (px + 0.5 - cx) / focal
            wx = forward[0] + u * right[0] + v * up[0]
            wy = forward[1] + u * right[1] + v * up[1]
            wz = forward[2] + u * right[2] + v * up[2]
            slope = nx * wx + ny * wy + nz * wz
            if abs(slope) < 1e-9:
                continue
            t = offset / slope
            if not 0.05 < t < depth[py, px]:
                continue
            hx, hy, hz = t * wx - ox, t * wy - oy, t * wz - oz
            hu, hv = hx * ux + hy * uy + hz * uz, hx * vx + hy * vy + hz * vz
            a, b = (hu * vv - hv * uv) / det, (hv * uu - hu * uv) / det
            if a < 0.0 or a >= 1.0 or b < 0.0 or b >= 1.0:
                continue
            column, row = a * columns - 0.5, (1.0 - b) * rows - 0.5
            alpha = sample(texture, column, row, 3) / 255.0
            if alpha < 0.02:
                continue
            for c in range(3):
                lit = key * light[3 + c] + sky * light[6 + c] + (1.0 - sky) * light[9 + c]
                lit += (1.0 - lit) * panel[14]
                value = min(255.0, sample(texture, column, row, c) * lit)
                colour[py, px, c] = np.uint8(colour[py, px, c] * (1.0 - alpha) + value * alpha)
            if alpha > 0.6:
                depth[py, px] = t
                code[py, px] = np.int16(panel[13])


@njit(cache=True, nogil=True)
def drop_shadow(colour, depth, place, right, up, forward, eye, lens, box):  # type: ignore[no-untyped-def]
    """Darken the set about `place` (x, y, z, radius, strength), flattened like a pool."""
    focal, cx, cy = lens[0], lens[1], lens[2]
    for py in range(box[1], box[3]):
        for px in range(box[0], box[2]):
            t = depth[py, px]
            u, v = (px + 0.5 - cx) / focal, (cy - py - 0.5) / focal
            x = eye[0] + t * (forward[0] + u * right[0] + v * up[0]) - place[0]
            y = eye[1] + t * (forward[1] + u * right[1] + v * up[1]) - place[1]
            z = eye[2] + t * (forward[2] + u * right[2] + v * up[2]) - place[2]
            far = (x * x + z * z + 9.0 * y * y) / (place[3] * place[3])
            if far < 6.0:
                left = 1.0 - place[4] * math.exp(-far)
                for c in range(3):
                    colour[py, px, c] = np.uint8(colour[py, px, c] * left)


@njit(cache=True, nogil=True)
def code_boxes(code, first, count, box):  # type: ignore[no-untyped-def]
    """Boxes (x0, y0, x1, y1) and pixel counts of the codes first .. first + count - 1."""
    found = np.zeros((count, 5), dtype=np.int32)
    found[:, 0], found[:, 1] = code.shape[1], code.shape[0]
    for py in range(box[1], box[3]):
        for px in range(box[0], box[2]):
            n = code[py, px] - first
            if 0 <= n < count:
                row = found[n]
                row[0], row[1] = min(row[0], px), min(row[1], py)
                row[2], row[3] = max(row[2], px + 1), max(row[3], py + 1)
                row[4] += 1
    return found
