"""How puppets move: for each move, the pose at an instant.

A move is a function of a `Moment`. Moves of two (handshake, fight, hug, kiss) are told for
each partner by the same function: `moment.role` is 0 for the one who begins, 1 for the other.
Moves that touch something name the place in `staging`, which steers the hands there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, exp, pi, sin

from callsheet.theatre.stage.pose import ANKLE, STANDING, Pose, Triple, mixed

SEAT, BED, CAR_SEAT = 0.46, 0.55, 0.52  # metres above the ground


@dataclass(frozen=True, slots=True)
class Moment:
    """`time` seconds since the shot began, which lasts `length`; `phase` differs by person."""

    time: float
    length: float
    height: float
    phase: float
    role: int = 0
    talks: float = 0.0  # 0 silent to 1 in full speech

    @property
    def share(self) -> float:
        return min(1.0, max(0.0, self.time / self.length))


Move = Callable[[Moment], Pose]


def smooth(share: float) -> float:
    share = min(1.0, max(0.0, share))
    return share * share * (3.0 - 2.0 * share)


def keyed(share: float, keys: Sequence[tuple[float, Pose]]) -> Pose:
    """Ease from key pose to key pose."""
    for (begin, before), (end, after) in pairwise(keys):
        if share < end:
            return before.mixed(after, smooth((share - begin) / (end - begin)))
    return keys[-1][1]


def alive(pose: Pose, m: Moment, *, much: float = 1.0) -> Pose:
    """Nobody is quite still: breath, sway and small turns of the head."""
    t, p = m.time, m.phase
    return pose.moved(
        x=0.004 * much * sin(1.1 * t + p),
        lean=0.012 * much * sin(1.7 * t + 2 * p),
        roll=0.014 * much * sin(0.9 * t + p),
        twist=0.04 * much * sin(0.8 * t + 3 * p),
        look=much * (0.09 * sin(0.9 * t + 5 * p) + 0.05 * sin(2.3 * t + p)),
        nod=much * (0.03 * sin(1.3 * t + p) + 0.06 * m.talks * sin(6.1 * t + p)),
        tilt=0.03 * much * sin(0.7 * t + 4 * p),
    )


def glance(share: float) -> float:
    """How far a head is turned that looks away and back in the course of a shot, 0 to 1."""
    return smooth((share - 0.3) / 0.12) - smooth((share - 0.66) / 0.12)


def _speaking_hands(pose: Pose, m: Moment) -> Pose:
    """Hands underline what is said."""
    swing = m.talks * (0.5 + 0.5 * sin(2.6 * m.time + m.phase))
    beat = 0.02 * sin(7.3 * m.time + m.phase)
    raised: Triple = (-0.01, -0.15 + beat, 0.17)
    return pose._replace(right_hand=mixed(pose.right_hand, raised, swing))


def stand(m: Moment) -> Pose:
    return alive(_speaking_hands(Pose(), m), m)


def arms_folded(m: Moment) -> Pose:
    pose = Pose(left_hand=(-0.10, -0.15, 0.13), right_hand=(0.10, -0.17, 0.12), lean=-0.04)
    return alive(pose, m)


def drink(m: Moment) -> Pose:
    """Stand with a cup and sip now and then."""
    up = max(0.0, sin(2.1 * m.time + m.phase)) ** 2
    low = Pose(right_hand=(0.02, -0.17, 0.16))
    return alive(low.mixed(Pose(right_hand=(0.085, 0.02, 0.125), nod=-0.12), up), m)


def seated(height: float, *, seat: float = SEAT) -> Pose:
    return Pose(
        rise=(seat + 0.075) / height,
        lean=-0.03,
        left_hand=(-0.01, -0.235, 0.15),
        right_hand=(0.01, -0.235, 0.15),
        left_foot=(0.062, ANKLE, 0.235),
        right_foot=(-0.062, ANKLE, 0.225),
    )


def sit(m: Moment) -> Pose:
    return alive(_speaking_hands(seated(m.height), m), m)


def read(m: Moment) -> Pose:
    pose = seated(m.height)._replace(left_hand=(-0.04, -0.17, 0.2), right_hand=(0.04, -0.17, 0.2))
    return alive(pose.moved(nod=0.3), m)


_UPRIGHT = Pose(z=0.235)


def _half_way(height: float) -> Pose:
    """Crouched above the seat, leaning well forward."""
    low = seated(height)
    return low._replace(
        z=0.10, rise=0.5 * (low.rise + STANDING) - 0.01, lean=0.62, nod=-0.25,
        left_hand=(0.02, -0.20, 0.18), right_hand=(-0.02, -0.20, 0.18),
        left_foot=(0.06, ANKLE, 0.135), right_foot=(-0.06, ANKLE, 0.13),
    )  # fmt: skip


def sit_down(m: Moment) -> Pose:
    low = seated(m.height)
    back = low._replace(lean=-0.12)
    keys = ((0.10, _UPRIGHT), (0.42, _half_way(m.height)), (0.72, back), (0.9, low))
    return alive(keyed(m.share, keys), m, much=0.6)


def stand_up(m: Moment) -> Pose:
    low = seated(m.height)
    ready = low._replace(lean=0.5, nod=-0.15)
    keys = ((0.12, low), (0.34, ready), (0.52, _half_way(m.height)), (0.82, _UPRIGHT))
    return alive(keyed(m.share, keys), m, much=0.6)


def eat(m: Moment) -> Pose:
    """From the plate to the mouth and back, again and again."""
    bite = bite_share(m.time + m.phase)
    plate = seated(m.height)._replace(
        lean=0.10, nod=0.16, left_hand=(-0.03, -0.215, 0.18), right_hand=(0.035, -0.20, 0.205)
    )
    mouth = plate._replace(lean=0.17, nod=0.10, right_hand=(0.085, -0.035, 0.155))
    return alive(plate.mixed(mouth, bite), m, much=0.5)


def bite_share(time: float) -> float:
    """How near the fork is to the mouth: 0 at the plate, 1 in the mouth."""
    return smooth(0.5 - 0.62 * cos(2 * pi * time / 1.15))


def lie(m: Moment) -> Pose:
    return alive(_lying(m.height), m, much=0.3)


def _lying(height: float) -> Pose:
    rise = (BED + 0.10) / height
    return Pose(
        rise=rise, lean=-1.32, nod=-0.55, left_hand=(0.05, -0.27, 0.05),
        right_hand=(-0.05, -0.27, 0.05), left_foot=(0.06, rise - 0.015, 0.475),
        right_foot=(-0.06, rise - 0.015, 0.47),
    )  # fmt: skip


def sit_up(m: Moment) -> Pose:
    flat = _lying(m.height)
    prop = flat._replace(lean=-0.75, nod=0.25, left_hand=(0.08, -0.27, -0.02))
    upright = flat._replace(
        lean=0.06, nod=0.0, left_hand=(0.0, -0.22, 0.16), right_hand=(0.0, -0.22, 0.16)
    )
    keys = ((0.14, flat), (0.40, prop), (0.68, upright), (1.0, upright.moved(look=0.15)))
    return alive(keyed(m.share, keys), m, much=0.4)


def _stride(m: Moment, *, period: float, step: float, lift: float) -> Pose:
    """Legs of one who goes ahead; the root moves by itself."""
    angle = 2 * pi * m.time / period + m.phase
    feet = []
    for side, turn in ((1.0, 0.0), (-1.0, pi)):
        c, s = cos(angle + turn), sin(angle + turn)
        feet.append((0.045 * side, ANKLE + lift * max(0.0, -s), step * c))
    bob = 0.012 * abs(sin(angle)) * (1 + 6 * lift)
    return Pose(left_foot=feet[0], right_foot=feet[1], rise=STANDING - 0.022 + bob,
                twist=0.16 * cos(angle))  # fmt: skip


WALK_SPEED, RUN_SPEED = 0.68, 1.45  # heights a second


def walk(m: Moment) -> Pose:
    c = cos(2 * pi * m.time / 1.02 + m.phase)
    pose = _stride(m, period=1.02, step=0.165, lift=0.05)._replace(
        z=WALK_SPEED * m.time / 1.0, lean=0.04,
        left_hand=(0.03, -0.285, 0.03 - 0.10 * c), right_hand=(-0.03, -0.285, 0.03 + 0.10 * c),
    )  # fmt: skip
    return alive(pose, m, much=0.4)


def run(m: Moment) -> Pose:
    """Long strides, lifted heels, bent arms that pump."""
    c = cos(2 * pi * m.time / 0.62 + m.phase)
    pose = _stride(m, period=0.62, step=0.27, lift=0.15)._replace(
        z=RUN_SPEED * m.time, lean=0.2,
        left_hand=(-0.02, -0.15 - 0.05 * c, 0.10 - 0.14 * c),
        right_hand=(0.02, -0.15 + 0.05 * c, 0.10 + 0.14 * c),
    )  # fmt: skip
    return pose.moved(nod=-0.06 + 0.03 * c)


def shake_hands(m: Moment) -> Pose:
    """The right hand is steered to the other's by the staging."""
    near = smooth(3.2 * m.share) - smooth(6.0 * (m.share - 0.83))
    pose = Pose().mixed(Pose(lean=0.12, twist=0.20, nod=0.05), near)
    return alive(pose, m, much=0.5)


def pump(m: Moment) -> float:
    """Height that a handshake moves the hands by, in heights."""
    return 0.032 * sin(2 * pi * 2.3 * m.time)


def fight(m: Moment) -> Pose:
    """Blows in turn; who is hit reels."""
    turn = 2 * pi * m.time / 0.84 + pi * m.role
    blow = max(0.0, sin(turn)) ** 3
    hit = max(0.0, sin(turn + pi - 0.5)) ** 3
    other = max(0.0, sin(0.5 * turn)) > 0.5
    guard = Pose(
        rise=STANDING - 0.035, lean=0.12, nod=0.12, z=0.015 * sin(turn * 1.5),
        left_hand=(-0.05, -0.01, 0.15), right_hand=(0.05, -0.03, 0.13),
        left_foot=(0.075, ANKLE, 0.085), right_foot=(-0.075, ANKLE, -0.075),
    )  # fmt: skip
    punch = guard._replace(lean=0.26, twist=-0.55 if other else 0.55, z=0.08)
    if other:
        punch = punch._replace(left_hand=(-0.03, 0.06, 0.31))
    else:
        punch = punch._replace(right_hand=(0.03, 0.06, 0.31))
    reel = guard._replace(lean=-0.30, look=0.5, tilt=0.2, z=-0.09, nod=-0.15)
    return guard.mixed(punch, blow).mixed(reel, hit)


def hug(m: Moment) -> Pose:
    """Step together; the arms are steered round the other by the staging."""
    near = smooth(2.6 * m.share)
    side = 1.0
    apart = Pose(z=-0.16, left_hand=(0.06, -0.10, 0.20), right_hand=(-0.06, -0.10, 0.20))
    close = Pose(
        z=0.0, lean=0.10, look=0.25 * side, tilt=0.22 * side, nod=0.08, x=0.03 * side, flare=2.2
    )
    sway = 0.05 * near * sin(2 * pi * 0.7 * m.time) * (1 if m.role else -1)
    return apart.mixed(close, near).moved(roll=sway)


def kiss(m: Moment) -> Pose:
    near = smooth(1.9 * m.share) - 0.75 * smooth(5.0 * (m.share - 0.85))
    apart = Pose(z=-0.07, lean=0.0, nod=0.02)
    close = Pose(z=0.022, lean=0.21, nod=-0.07, tilt=0.26)
    return alive(apart.mixed(close, near), m, much=0.3)


def answer_phone(m: Moment) -> Pose:
    """Take it from the pocket, up to the ear, listen and speak."""
    idle = Pose()
    pocket = Pose(right_hand=(-0.03, -0.285, 0.05), lean=0.08, nod=0.35, look=-0.25)
    glance = Pose(right_hand=(0.04, -0.12, 0.19), nod=0.32, look=-0.05)
    ear = Pose(right_hand=(0.012, 0.045, 0.055), tilt=-0.13, nod=0.02, look=0.06)
    keys = ((0.04, idle), (0.2, pocket), (0.36, glance), (0.52, ear), (1.0, ear.moved(look=0.2)))
    return alive(keyed(m.share, keys), m, much=0.8)


def open_door(m: Moment) -> Pose:
    """Push the door open, hand on its handle, and step through towards us."""
    step = smooth((m.share - 0.30) / 0.6)
    pose = _stride(m, period=1.0, step=0.12 * (0.15 < step < 0.98), lift=0.04)
    if step < 0.05 or step > 0.98:
        pose = Pose()
    hold = 1.0 - smooth(4 * (m.share - 0.72))
    lead = Pose(right_hand=(-0.03, -0.28, 0.04)).mixed(Pose(lean=0.10, twist=0.25), hold)
    pose = pose._replace(
        z=0.55 * step, lean=lead.lean, twist=lead.twist, right_hand=lead.right_hand
    )
    return alive(pose, m, much=0.4)


def door_angle(share: float) -> float:
    """How far the door stands open, radians."""
    return 1.75 * smooth((share - 0.06) / 0.5)


def drive(m: Moment) -> Pose:
    """Hands on the wheel, which turns; the road shakes a little."""
    turn = wheel_angle(m.time + m.phase)
    shake = 0.006 * sin(19.0 * m.time) + 0.004 * sin(31.0 * m.time)
    hands = []
    for side in (1.0, -1.0):
        rim = 0.095
        x = side * rim * cos(turn) - side * 0.098
        hands.append((x, -0.115 + side * rim * sin(turn), 0.235))
    return seated(m.height, seat=CAR_SEAT)._replace(
        lean=-0.14 + shake, roll=-0.10 * turn, look=0.35 * sin(0.9 * m.time + m.phase), nod=0.05,
        left_hand=hands[0], right_hand=hands[1],
    )  # fmt: skip


def wheel_angle(time: float) -> float:
    return 0.62 * sin(1.7 * time) + 0.2 * sin(3.9 * time)


def get_out_of_car(m: Moment) -> Pose:
    """Turn on the seat, set the feet outside, duck under the roof, rise and step away."""
    low = seated(m.height, seat=CAR_SEAT)
    floor = 0.36 / m.height
    inside = low._replace(
        turn=pi / 2,
        z=-0.05,
        nod=0.05,
        left_foot=(0.06, floor, 0.22),
        right_foot=(-0.06, floor, 0.20),
    )
    turned = low._replace(z=0.05, lean=0.15)
    duck = low._replace(
        z=0.22,
        rise=0.42,
        lean=0.72,
        nod=-0.2,
        left_hand=(0.10, -0.10, 0.2),
        right_hand=(-0.04, -0.2, 0.2),
        left_foot=(0.06, ANKLE, 0.16),
        right_foot=(-0.06, ANKLE, 0.10),
    )
    up = Pose(z=0.40)
    away = Pose(z=0.52, look=0.2)
    keys = ((0.12, inside), (0.36, turned), (0.58, duck), (0.82, up), (1.0, away))
    return alive(keyed(m.share, keys), m, much=0.4)


def ride(m: Moment) -> Pose:
    """Sit beside the driver."""
    shake = 0.006 * sin(19.0 * m.time) + 0.004 * sin(31.0 * m.time)
    return alive(seated(m.height, seat=CAR_SEAT).moved(lean=-0.1 + shake, look=-0.2), m)


def point(m: Moment) -> Pose:
    """Show somebody the way: a background gesture that is none of the actions."""
    out = exp(-(((m.share - 0.5) / 0.22) ** 2))
    return alive(Pose().mixed(Pose(right_hand=(-0.16, -0.02, 0.26), twist=-0.3, look=-0.4), out), m)


MOVES: dict[str, Move] = {
    "stand": stand, "arms_folded": arms_folded, "drink": drink, "sit": sit, "read": read,
    "lie": lie, "walk": walk, "point": point, "ride": ride,
    "SitDown": sit_down, "StandUp": stand_up, "Eat": eat, "SitUp": sit_up,
    "HandShake": shake_hands, "Fight": fight, "Hug": hug, "Kiss": kiss, "Run": run,
    "AnswerPhone": answer_phone, "OpenDoor": open_door, "Drive": drive,
    "GetOutOfCar": get_out_of_car,
}  # fmt: skip
"""Name -> move; the actions bear the names of their labels."""
