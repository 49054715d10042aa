"""The skeleton keeps its bones, stays on its feet, and the moves are what their names say."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callsheet.core import ACTIONS
from callsheet.theatre.stage import moves
from callsheet.theatre.stage.moves import MOVES, Moment
from callsheet.theatre.stage.pose import (
    ANKLE,
    FOREARM,
    SHIN,
    THIGH,
    UPPER_ARM,
    Mark,
    Pose,
    mixed,
    stand,
)

HEIGHT = 1.75


def _stance(move: str, time: float, role: int = 0):
    moment = Moment(time, 3.0, HEIGHT, phase=0.4, role=role)
    return stand(MOVES[move](moment), Mark(0.0, 0.0, 0.3), HEIGHT)


def test_every_action_has_a_move() -> None:
    assert set(ACTIONS) <= set(MOVES)


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(sorted(MOVES)), st.floats(0, 3), st.sampled_from([0, 1]))
def test_bones_never_stretch(move: str, time: float, role: int) -> None:
    s = _stance(move, time, role)
    for n in range(2):
        for a, b, share in (
            (s.shoulders[n], s.elbows[n], UPPER_ARM), (s.elbows[n], s.wrists[n], FOREARM),
            (s.hips[n], s.knees[n], THIGH), (s.knees[n], s.ankles[n], SHIN),
        ):  # fmt: skip
            assert np.linalg.norm(a - b) == pytest.approx(share * HEIGHT, rel=1e-3)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(sorted(MOVES)), st.floats(0, 3))
def test_axes_stay_square(move: str, time: float) -> None:
    s = _stance(move, time)
    for axes in (s.chest_axes, s.hip_axes, s.head_axes):
        assert np.allclose(axes @ axes.T, np.eye(3), atol=1e-9)
        assert np.linalg.det(axes) == pytest.approx(1.0)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(sorted(MOVES)), st.floats(0, 2.9))
def test_nobody_jumps_between_frames(move: str, time: float) -> None:
    """In a 24th of a second no joint travels farther than a fast fist does."""
    a, b = _stance(move, time), _stance(move, time + 1 / 24)
    for name in ("pelvis", "head", "wrists", "ankles"):
        step = np.linalg.norm(np.atleast_2d(getattr(a, name) - getattr(b, name)), axis=1).max()
        assert step < 0.5


def test_standing_feet_touch_the_ground() -> None:
    s = stand(Pose(), Mark(0.4, -0.2, 1.0), HEIGHT)
    assert s.ankles[:, 1] == pytest.approx([ANKLE * HEIGHT] * 2, abs=0.01)
    assert s.head[1] > 0.88 * HEIGHT


def test_moves_do_what_they_say() -> None:
    assert _stance("SitDown", 0.0).pelvis[1] > _stance("SitDown", 2.9).pelvis[1] + 0.3
    assert _stance("StandUp", 2.9).pelvis[1] > _stance("StandUp", 0.0).pelvis[1] + 0.3
    assert _stance("SitUp", 2.9).head[1] > _stance("SitUp", 0.0).head[1] + 0.3
    ear, idle = _stance("AnswerPhone", 2.5), _stance("AnswerPhone", 0.0)
    assert (
        np.linalg.norm(ear.wrists[1] - ear.head) < 0.25 < np.linalg.norm(idle.wrists[1] - idle.head)
    )
    ran = _stance("Run", 1.0).pelvis - _stance("Run", 0.0).pelvis
    assert np.hypot(ran[0], ran[2]) == pytest.approx(moves.RUN_SPEED * HEIGHT, rel=0.05)
    assert abs(moves.door_angle(1.0)) > 1.2 > moves.door_angle(0.0) == 0.0


def test_mixing_meets_its_ends() -> None:
    a, b = Pose(), Pose(x=1.0, left_hand=(1.0, 2.0, 3.0))
    assert a.mixed(b, 0.0) == a
    whole = a.mixed(b, 1.0)
    assert whole.x == 1.0
    assert whole.left_hand == pytest.approx((1.0, 2.0, 3.0))
    assert mixed((0, 0, 0), (2, 4, 6), 0.5) == (1, 2, 3)
