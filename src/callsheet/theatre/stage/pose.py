"""Poses, and the skeleton that stands in them.

A `Pose` is told in the puppet's own terms and in shares of its height, so that one pose fits
everybody: +x to its left, +y up, +z ahead; angles in radians. `stand` turns it into joints in
the world by two-bone inverse kinematics.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from callsheet.theatre.stage.vectors import Array, dot, length, placed, unit

Triple = tuple[float, float, float]

THIGH, SHIN, ANKLE = 0.245, 0.243, 0.042
UPPER_ARM, FOREARM = 0.168, 0.150
SPINE, NECK, HEAD = 0.292, 0.046, 0.150
HIP_WIDTH, SHOULDER_WIDTH = 0.046, 0.098
STANDING = THIGH + SHIN + ANKLE - 0.006


class Pose(NamedTuple):
    """`rise` is the height of the pelvis; hands are relative to their shoulder in the frame of
    the chest, feet (ankles) to the ground below the pelvis."""

    x: float = 0.0
    z: float = 0.0
    turn: float = 0.0
    rise: float = STANDING
    lean: float = 0.0  # forward
    roll: float = 0.0  # to the left
    twist: float = 0.0  # shoulders against hips, to the left
    nod: float = 0.0  # down
    look: float = 0.0  # head to the left
    tilt: float = 0.0
    flare: float = 0.42  # how far the elbows point outwards
    left_hand: Triple = (0.03, -0.30, 0.03)
    right_hand: Triple = (-0.03, -0.30, 0.03)
    left_foot: Triple = (0.055, ANKLE, 0.0)
    right_foot: Triple = (-0.055, ANKLE, 0.0)

    def mixed(self, other: Pose, share: float) -> Pose:
        """Go `share` of the way to another pose."""
        return Pose(*(_mix(a, b, share) for a, b in zip(self, other, strict=True)))

    def moved(self, **changes: float) -> Pose:
        """Add to the scalar fields named."""
        return self._replace(**{name: getattr(self, name) + by for name, by in changes.items()})


def mixed(a: Triple, b: Triple, share: float) -> Triple:
    """The place that lies `share` of the way from a to b."""
    x, y, z = (p + (q - p) * share for p, q in zip(a, b, strict=True))
    return x, y, z


def _mix(a: Any, b: Any, share: float) -> Any:
    return mixed(a, b, share) if isinstance(a, tuple) else a + (b - a) * share


@dataclass(frozen=True, slots=True)
class Mark:
    """Where in the world a puppet's own frame lies: ground place and the way it faces."""

    x: float
    z: float
    facing: float  # 0: towards the audience (+z); grows to its left (+x)
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class Stance:
    """Joints in the world, metres. Axes are rows left, up, front."""

    pelvis: Array
    waist: Array
    neck: Array
    head: Array
    hips: Array  # (2, 3): left, right, as all pairs here
    shoulders: Array
    elbows: Array
    wrists: Array
    knees: Array
    ankles: Array
    hip_axes: Array
    chest_axes: Array
    head_axes: Array
    height: float


def turned(angle: float) -> Array:
    """Axes (left, up, front) of one who faces `angle`."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]])


def leaned(axes: Array, forward: float, left: float) -> Array:
    """Bend axes forward about left, then sideways about front."""
    a, b, c = axes
    cf, sf, cl, sl = np.cos(forward), np.sin(forward), np.cos(left), np.sin(left)
    up, front = cf * b + sf * c, cf * c - sf * b
    return np.array([cl * a - sl * up, cl * up + sl * a, front])


def spun(axes: Array, angle: float) -> Array:
    """Turn axes to the left about their own up."""
    a, b, c = axes
    cs, sn = np.cos(angle), np.sin(angle)
    return np.array([cs * a - sn * c, b, cs * c + sn * a])


def stand(pose: Pose, mark: Mark, height: float, *, reach: dict[str, Array] | None = None) -> Stance:  # fmt: skip  # noqa: E501
    """Joints of a puppet of `height` metres; `reach` puts a hand ("left", "right") at a place."""
    mark_axes = turned(mark.facing)
    ground = np.array([mark.x, mark.y, mark.z]) + height * (pose.x * mark_axes[0] + pose.z * mark_axes[2])  # fmt: skip  # noqa: E501
    axes = turned(mark.facing + pose.turn)
    pelvis = ground + np.array([0.0, pose.rise * height, 0.0])
    hip_axes = leaned(axes, 0.45 * pose.lean, 0.4 * pose.roll)
    low = leaned(axes, 0.8 * pose.lean, 0.8 * pose.roll)
    chest = spun(leaned(axes, 1.12 * pose.lean, 1.1 * pose.roll), pose.twist)
    waist = pelvis + 0.42 * SPINE * height * low[1]
    neck = waist + 0.58 * SPINE * height * chest[1]
    shoulders = neck - 0.024 * height * chest[1] + np.outer((1, -1), SHOULDER_WIDTH * height * chest[0])  # fmt: skip  # noqa: E501
    hips = pelvis + np.outer((1, -1), HIP_WIDTH * height * hip_axes[0])
    # The head keeps itself half upright against the lean of the chest.
    head_axes = spun(leaned(axes, 0.5 * pose.lean + pose.nod, 0.4 * pose.roll + pose.tilt), pose.look)  # fmt: skip  # noqa: E501
    throat = 0.5 * (chest[1] + head_axes[1])
    head = neck + height * (NECK * throat + 0.46 * HEAD * head_axes[1] + 0.012 * head_axes[2])
    wrists = shoulders + height * placed(np.array([pose.left_hand, pose.right_hand]), chest)
    for n, side in enumerate(("left", "right")):
        if reach and side in reach:
            wrists[n] = reach[side]
    ankles = ground + height * placed(np.array([pose.left_foot, pose.right_foot]), axes)
    elbows, knees = np.empty((2, 3)), np.empty((2, 3))
    for n, sign in enumerate((1.0, -1.0)):
        pole = pose.flare * sign * chest[0] - 0.9 * chest[1] - 0.35 * chest[2]
        elbows[n], wrists[n] = _bend(shoulders[n], wrists[n], (UPPER_ARM * height, FOREARM * height), pole)  # fmt: skip  # noqa: E501
        pole = axes[2] + 0.12 * sign * axes[0] + 0.25 * np.array([0, 1, 0])
        knees[n], ankles[n] = _bend(hips[n], ankles[n], (THIGH * height, SHIN * height), pole)
    return Stance(pelvis, waist, neck, head, hips, shoulders, elbows, wrists, knees, ankles,
                  hip_axes, chest, head_axes, height)  # fmt: skip


def _bend(root: Array, goal: Array, bones: tuple[float, float], pole: Array) -> tuple[Array, Array]:
    """Middle and end joint of two bones that reach for `goal`, bent towards `pole`."""
    upper, lower = bones
    way = goal - root
    far = float(length(way))
    way = way / max(far, 1e-6)
    far = min(max(far, abs(upper - lower) + 1e-3), (upper + lower) * 0.998)
    along = (far * far + upper * upper - lower * lower) / (2 * far)
    out = pole - dot(pole, way) * way
    out = unit(out)
    middle = root + along * way + np.sqrt(max(upper * upper - along * along, 0.0)) * out
    return middle, root + far * way
