"""Face to body by the paper's measure, on made cases; who is seen together."""

from __future__ import annotations

import numpy as np
import pytest

from callsheet.video.linking import link_faces, overlap
from callsheet.video.together import seen_together
from callsheet.video.tracking.tracklet import Tracklet


def still(box: tuple[float, float, float, float], frames: range = range(10)) -> Tracklet:
    n = len(frames)
    return Tracklet(
        np.array(frames), np.array(frames) / 24, np.tile(np.array(box, float), (n, 1)),
        np.ones(n), np.ones(n, bool), np.full((n, 5, 2), np.nan), np.ones(n),
    )  # fmt: skip


def test_overlap_sums_shares_of_the_face() -> None:
    face = still((0, 0, 10, 10))
    assert overlap(face, still((0, 0, 40, 80))) == pytest.approx(10)
    assert overlap(face, still((5, 0, 40, 80))) == pytest.approx(5)
    assert overlap(face, still((5, 0, 40, 80), range(4))) == pytest.approx(2)
    assert overlap(face, still((0, 0, 40, 80), range(20, 30))) == 0


def test_each_face_takes_its_best_body() -> None:
    faces = [still((10, 0, 10, 10)), still((110, 0, 10, 10))]
    bodies = [still((100, 0, 40, 90)), still((0, 0, 40, 90))]
    assert link_faces(faces, bodies) == {0: 1, 1: 0}


def test_of_two_faces_the_body_keeps_the_better() -> None:
    body = still((0, 0, 100, 100))
    long, short = still((10, 0, 10, 10)), still((50, 0, 10, 10), range(4))
    assert link_faces([short, long], [body]) == {1: 0}


def test_the_loser_does_not_take_its_second_best() -> None:
    """As in the paper: a face chooses once; if its body prefers another face it has none."""
    near, far = still((0, 0, 60, 100)), still((55, 0, 60, 100))
    first, second = still((20, 0, 10, 10)), still((50, 0, 10, 10), range(8))
    assert overlap(second, near) > overlap(second, far) > 0
    assert link_faces([first, second], [near, far]) == {0: 0}


def test_a_body_may_have_no_face_and_a_face_no_body() -> None:
    assert link_faces([still((500, 0, 10, 10))], [still((0, 0, 40, 90))]) == {}
    assert link_faces([], [still((0, 0, 40, 90))]) == {}
    assert link_faces([still((0, 0, 9, 9))], []) == {}


def test_least_share_refuses_a_mere_touch() -> None:
    face, body = still((35, 0, 20, 20)), still((0, 0, 40, 90))
    assert link_faces([face], [body]) == {0: 0}
    assert link_faces([face], [body], least=0.5) == {}


def test_seen_together() -> None:
    tracks = [still((0, 0, 9, 9)), still((50, 0, 9, 9), range(6, 20)),
              still((0, 0, 9, 9), range(30, 40))]  # fmt: skip
    assert list(seen_together(tracks)) == [(0, 1, 4)]
