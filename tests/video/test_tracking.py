"""The tracker's parts: matching is optimal, motion is found, gaps close, smoothing keeps lines."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from callsheet.core import TrackKind
from callsheet.video.detection import Detections
from callsheet.video.geometry import as_boxes, clipped, grown, iou, pairwise_iou
from callsheet.video.tracking.association import best_pairs
from callsheet.video.tracking.filling import filled, smoothed
from callsheet.video.tracking.finishing import (
    Finishing,
    ShotClock,
    finished,
    without_doubles,
)
from callsheet.video.tracking.joining import join_gaps
from callsheet.video.tracking.motion import Motion, grid_points, step_of
from callsheet.video.tracking.quality import frontality
from callsheet.video.tracking.tracker import Following, Tracker
from callsheet.video.tracking.tracklet import Tracklet

boxes = hnp.arrays(np.float64, (3, 4), elements=st.floats(0.5, 50))


NO_POINTS = np.empty((0, 2), np.float32)


def tracklet(frames: list[int], boxes: np.ndarray, *, confidence: float = 0.9) -> Tracklet:
    n = len(frames)
    return Tracklet(
        np.array(frames), np.array(frames) / 24, np.asarray(boxes, float), np.full(n, confidence),
        np.ones(n, bool), np.full((n, 5, 2), np.nan), np.full(n, np.nan),
    )  # fmt: skip


def walk(frames: list[int], *, x: float = 10, speed: float = 3, size: float = 20) -> Tracklet:
    return tracklet(frames, np.array([[x + speed * f, 40, size, 2 * size] for f in frames]))


@given(boxes, boxes)
def test_iou_is_symmetric_and_bounded(a: np.ndarray, b: np.ndarray) -> None:
    table = pairwise_iou(a, b)
    assert np.allclose(table, pairwise_iou(b, a).T)
    assert ((table >= 0) & (table <= 1 + 1e-12)).all()
    assert np.allclose(iou(a, a), 1)


def test_iou_of_hand_made_boxes() -> None:
    assert iou(as_boxes([0, 0, 4, 4]), as_boxes([2, 2, 4, 4]))[0] == pytest.approx(4 / 28)
    assert iou(as_boxes([0, 0, 4, 0]), as_boxes([0, 0, 4, 0]))[0] == 0


@given(boxes)
def test_grown_and_clipped(a: np.ndarray) -> None:
    assert np.allclose(grown(a, 0.5)[:, 2:], 2 * a[:, 2:])
    inside = clipped(a, 30, 20)
    assert (inside[:, 0] + inside[:, 2] <= 30 + 1e-9).all()
    assert (inside[:, 2:] >= 0).all()


@given(hnp.arrays(np.float64, (4, 4), elements=st.floats(0, 1)), st.floats(0.05, 0.9))
def test_matching_is_one_to_one_and_best(similarity: np.ndarray, least: float) -> None:
    pairs = best_pairs(similarity, least)
    assert len({r for r, _ in pairs}) == len({c for _, c in pairs}) == len(pairs)
    assert all(similarity[r, c] >= least for r, c in pairs)
    worth = np.where(similarity >= least, similarity, 0)
    best = max(sum(worth[r, c] for r, c in enumerate(p)) for p in permutations(range(4)))
    assert sum(similarity[r, c] for r, c in pairs) == pytest.approx(best)


def test_an_unlikely_pair_does_not_displace_a_good_one() -> None:
    assert best_pairs(np.array([[0.9, 0.29], [0.8, 0.1]]), 0.3) == [(0, 0)]
    assert best_pairs(np.empty((0, 3)), 0.3) == []


def test_klt_finds_motion_and_growth() -> None:
    rng = np.random.default_rng(0)
    scene = cv2.GaussianBlur(rng.integers(0, 255, (200, 300), dtype=np.uint8), (0, 0), 2)
    turn = np.array([[1.05, 0, 4.0 - 0.05 * 140], [0, 1.05, -3.0 - 0.05 * 100]])
    moved = cv2.warpAffine(scene, turn, (300, 200))
    box = np.array([110.0, 60, 60, 80])
    motion, points = Motion(), grid_points(box)
    motion.advance(scene)
    motion.advance(moved)
    there, good = motion.follow(points)
    assert good.mean() > 0.8
    step = step_of(points[good], there[good])
    assert step is not None
    assert (step.dx, step.dy, step.growth) == pytest.approx((4, -3, 1.05), abs=0.3)
    wanted = np.array([110 + 4 - 1.5, 60 - 3 - 2, 63, 84])
    assert step.apply(box) == pytest.approx(wanted, abs=1)


def test_groups_followed_at_once_go_where_each_goes_alone() -> None:
    rng = np.random.default_rng(0)
    texture = cv2.resize(rng.integers(0, 255, (45, 80), dtype=np.uint8), (320, 180))
    motion = Motion()
    motion.advance(texture)
    motion.advance(np.roll(texture, (2, 3), (0, 1)))
    groups = [grid_points(np.array([x, 40.0, 60.0, 80.0])) for x in (20, 120)] + [NO_POINTS]
    followed = motion.follow_each(groups)
    assert [len(f.places) for f in followed] == [len(g) for g in groups]
    for group, found in zip(groups, followed, strict=True):
        alone, trusted = motion.follow(group)
        np.testing.assert_array_equal(found.places, alone)
        np.testing.assert_array_equal(found.trusted, trusted)
    assert followed[0].trusted.mean() > 0.9
    assert motion.follow_each([]) == []


def test_without_pictures_nothing_is_trusted() -> None:
    motion = Motion()
    motion.advance(None)
    points = grid_points(np.array([0.0, 0, 10, 10]))
    assert not motion.follow(points)[1].any()
    assert step_of(points[:2], points[:2]) is None


def follow(detections: dict[int, list[list[float]]], last: int, **how: float) -> list[Tracklet]:
    """Run the tracker without pictures; each detection is x, y, w, h, confidence."""
    decided = {"start_confidence": 0.5, "keep_confidence": 0.2} | how
    tracker, motion = Tracker(Following(**decided)), Motion()
    for frame in range(last + 1):
        motion.advance(None)
        rows = np.array(detections.get(frame, [])).reshape(-1, 5)
        found = Detections(rows[:, :4], rows[:, 4]) if frame in detections else None
        tracker.step(frame, frame / 24, motion, found)
    return tracker.finish()


def test_sparse_detections_become_straight_tracks() -> None:
    seen = {f: [[10 + 2 * f, 50, 20, 30, 0.9]] for f in range(0, 31, 5)}
    (track,) = follow(seen, 30, patience_seconds=0.5)
    assert track.frames.tolist() == list(range(31))
    assert track.boxes[:, 0] == pytest.approx(10 + 2 * np.arange(31))
    assert np.flatnonzero(track.detected).tolist() == list(range(0, 31, 5))


def test_two_who_cross_keep_their_identity() -> None:
    seen = {f: [[10 + 4 * f, 50, 20, 30, 0.9], [170 - 4 * f, 62, 20, 30, 0.9]] for f in range(41)}
    tracks = follow(seen, 40)
    assert len(tracks) == 2
    for track in tracks:
        assert np.abs(np.diff(track.boxes[:, 0])).max() == pytest.approx(4)


def test_unsure_detections_continue_but_do_not_start() -> None:
    unsure = {f: [[50, 50, 20, 30, 0.3]] for f in range(10)}
    assert follow(unsure, 9) == []
    unsure[0] = [[50, 50, 20, 30, 0.8]]
    (track,) = follow(unsure, 9)
    assert len(track) == 10


def test_patience_ends_a_track_at_its_last_detection() -> None:
    seen: dict[int, list[list[float]]] = {f: [] for f in range(40)}
    for f in (*range(10), *range(30, 40)):
        seen[f] = [[50, 50, 20, 30, 0.9]]
    tracks = follow(seen, 39, patience_seconds=0.2)
    assert [(int(t.frames[0]), int(t.frames[-1])) for t in tracks] == [(0, 9), (30, 39)]


def test_gaps_of_one_person_are_joined_and_filled() -> None:
    parts = [walk(list(range(20))), walk(list(range(30, 50)))]
    (chain,) = join_gaps(parts, 1.0)
    whole = filled(chain, np.arange(50) / 24, 0)
    assert whole.frames.tolist() == list(range(50))
    assert whole.boxes[:, 0] == pytest.approx(10 + 3 * np.arange(50))
    assert not whole.detected[20:30].any()
    assert len(join_gaps(parts, 0.2)) == 2


def test_another_size_or_another_way_is_another_person() -> None:
    first = walk(list(range(20)))
    assert len(join_gaps([first, walk(list(range(30, 50)), size=60)], 1.0)) == 2
    assert len(join_gaps([first, walk(list(range(30, 50)), x=150)], 1.0)) == 2


def test_joining_takes_the_best_of_two_continuations() -> None:
    parts = [walk(list(range(20))), walk(list(range(26, 50)), x=25), walk(list(range(26, 50)))]
    chains = join_gaps(parts, 1.0)
    assert sorted(len(c) for c in chains) == [24, 44]
    assert max(chains, key=len).boxes[-1, 0] == pytest.approx(10 + 3 * 49)


@settings(max_examples=30)
@given(st.floats(-4, 4), st.floats(0.05, 0.5))
def test_smoothing_keeps_straight_lines(speed: float, seconds: float) -> None:
    track = walk(list(range(40)), speed=speed)
    assert smoothed(track, seconds).boxes == pytest.approx(track.boxes, abs=1e-6)


def test_smoothing_lessens_jitter_but_never_outruns_it() -> None:
    straight = walk(list(range(60)))
    rng = np.random.default_rng(0)
    shaken = straight.with_boxes(straight.boxes + rng.normal(0, 1.5, straight.boxes.shape))
    smooth = smoothed(shaken, 0.2)
    assert np.abs(smooth.boxes - straight.boxes).mean() < 0.6 * np.abs(
        shaken.boxes - straight.boxes).mean()  # fmt: skip
    jump = straight.with_boxes(straight.boxes + np.where(np.arange(60) > 30, 100, 0)[:, None]
                               * np.array([1, 0, 0, 0]))  # fmt: skip
    assert np.abs(smoothed(jump, 0.2).boxes - jump.boxes).max() <= 0.2 * 40 + 0.2 * 20


FINISHING = Finishing(1.0, 0.2, 2, 0.0, {TrackKind.BODY: 0.4})


def test_short_and_unsure_tracks_are_dropped() -> None:
    clock = ShotClock(0, np.arange(100) / 24, 100 / 24)
    doubtful = tracklet(list(range(30)), walk(list(range(30)), x=300).boxes, confidence=0.3)
    parts = [walk(list(range(50))), walk([0, 1], x=200), doubtful]
    (kept,) = finished(parts, TrackKind.BODY, clock=clock, finishing=FINISHING)
    assert len(kept) == 50


def test_a_film_of_one_frame_keeps_its_person() -> None:
    clock = ShotClock(0, np.zeros(1), 1 / 24)
    assert len(finished([walk([0])], TrackKind.BODY, clock=clock, finishing=FINISHING)) == 1


def test_doubles_are_dropped() -> None:
    better, worse = walk(list(range(30))), walk(list(range(5, 20)), x=11)
    assert without_doubles([worse, better]) == [better]
    assert len(without_doubles([better, walk(list(range(30)), x=80)])) == 2


def test_frontality() -> None:
    def face(nose: float) -> list[list[float]]:
        return [[0, 0], [10, 0], [nose, 5], [2, 10], [8, 10]]

    values = frontality(np.array([face(5), face(8), face(12)], float))
    assert values == pytest.approx([1, 0.25, 0])


def test_above_sort_on_given_detections(shared_data: Path) -> None:
    from callsheet.video.measures.mot import read_sequence
    from callsheet.video.measures.tracking import compare

    ours, rival = compare(read_sequence(shared_data / "mot" / "TUD-Campus"))
    assert ours.idf1 > rival.idf1
    assert ours.mota > rival.mota


@pytest.mark.parametrize(("seed", "lost"), [(3, 0.2), (4, 0.2), (5, 0.5), (6, 0.05)])
def test_above_sort_on_made_walkers(seed: int, lost: float) -> None:
    """Given detections only, some of them lost, false ones strewn in, people crossing."""
    from callsheet.video.measures.mot import Sequence
    from callsheet.video.measures.tracking import compare

    sequence = Sequence("walkers", *_walkers(np.random.default_rng(seed), lost), {}, 25.0)
    ours, rival = compare(sequence)
    assert ours.idf1 > rival.idf1
    assert ours.mota > rival.mota


def _walkers(rng: np.random.Generator, lost: float) -> tuple[np.ndarray, np.ndarray]:
    truth, found = [], []
    for person in range(6):
        x, y, speed = rng.uniform(0, 600), 100 + 40 * person, rng.uniform(-4, 4)
        for frame in range(1, 101):
            box = np.array([x + speed * frame, y, 40, 100])
            truth.append([frame, person, *box, 1])
            if rng.random() > lost:
                found.append([frame, -1, *(box + rng.normal(0, 2, 4)), rng.uniform(20, 60)])
    for frame in rng.integers(1, 101, 60):
        corner = rng.uniform(0, 600, 2)
        found.append([frame, -1, *corner, 40, 100, rng.uniform(0, 15)])
    return np.array(found), np.array(truth)
