"""Dense trajectories: histograms by hand, made motions, camera motion, static points, words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callsheet.errors import InputError, ModelFileError
from callsheet.video.trajectories.flow import STILL, Flow, camera_motion, without_camera
from callsheet.video.trajectories.kernels import (
    BINS,
    HOF,
    MBHX,
    MBHY,
    add_cells,
    free_points,
    orientation_layers,
    sampled,
)
from callsheet.video.trajectories.tracer import (
    CHANNELS,
    Boxes,
    Tracer,
    TraceRules,
    descriptor_width,
    descriptors,
)
from callsheet.video.trajectories.words import MotionWords, load_words, save_words, train_words

NOBODY = Boxes(np.empty(0, np.int64), np.empty((0, 4)))


def _texture(height: int, width: int, seed: int = 0) -> np.ndarray:
    """Smooth random picture, larger than what is shown of it, that flow can follow."""
    import cv2

    noise = np.random.default_rng(seed).uniform(0, 255, (height // 4, width // 4))
    big = cv2.resize(noise.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.clip(big, 0, 255).astype(np.uint8)


def _field(value_u: float, value_v: float, shape: tuple[int, int] = (40, 40)) -> Flow:
    return Flow(np.full(shape, value_u, np.float32), np.full(shape, value_v, np.float32))


def _whole(layers: np.ndarray) -> np.ndarray:
    return layers[-1, -1]


def test_uniform_flow_votes_its_length_into_one_orientation() -> None:
    flow = _field(0.0, 2.0)
    found = _whole(orientation_layers(flow.u, flow.v, 0.4))
    # Down is a quarter turn: bin 2 of 8; each of the 1600 pixels votes its length 2.
    expected = np.zeros(BINS)
    expected[2] = 1600 * 2.0
    np.testing.assert_allclose(found, expected, atol=1e-3)


def test_a_direction_between_two_bins_is_shared_linearly() -> None:
    angle = 2 * np.pi * (1.25 / 8)
    flow = _field(np.cos(angle), np.sin(angle))
    found = _whole(orientation_layers(flow.u, flow.v, 0.4))[HOF]
    np.testing.assert_allclose(found[[1, 2]], [1600 * 0.75, 1600 * 0.25], rtol=1e-4)
    np.testing.assert_allclose(found[[0, 3, 4, 5, 6, 7, 8]], 0, atol=1e-2)


def test_slow_pixels_count_as_rest() -> None:
    flow = _field(0.3, 0.0)
    found = _whole(orientation_layers(flow.u, flow.v, 0.4))[HOF]
    np.testing.assert_allclose(found, [0] * 8 + [1600])


def test_gradients_of_a_stretching_flow_by_hand() -> None:
    # u grows by 0.5 a pixel to the right: inside, the gradient is (0.5, 0), orientation bin 0.
    # At the two border columns the difference reaches one pixel only: 0.25 each.
    x = np.arange(10, dtype=np.float32)
    u = np.tile(0.5 * x, (6, 1))
    found = _whole(orientation_layers(u, np.zeros_like(u), 0.4))
    np.testing.assert_allclose(found[MBHX], [6 * (8 * 0.5 + 2 * 0.25), *[0] * 7], atol=1e-5)
    np.testing.assert_allclose(found[MBHY], 0, atol=1e-12)


def test_a_turning_flow_has_gradients_across() -> None:
    # u = -y, v = x: du/dy = -1 (bin 6, pointing up), dv/dx = 1 (bin 0).
    y, x = np.mgrid[0:20, 0:20].astype(np.float32)
    layers = orientation_layers(-y, x, 0.0)
    inner = layers[19, 19] - layers[1, 19] - layers[19, 1] + layers[1, 1]
    assert np.argmax(inner[MBHX]) == 6
    assert np.argmax(inner[MBHY]) == 0
    np.testing.assert_allclose([inner[MBHX].sum(), inner[MBHY].sum()], 18 * 18, rtol=1e-6)


def test_cells_are_the_four_quarters_of_the_patch() -> None:
    # Four quarters that move in four directions; the patch is centred where they meet.
    u, v = np.zeros((2, 32, 32), np.float32)
    u[:16, :16], u[:16, 16:], v[16:, :16], v[16:, 16:] = 1, -1, 1, -1
    tubes = np.zeros((1, 3, 4, BINS), np.float32)
    add_cells(
        np.array([[16, 16]], np.float32), np.array([1]), orientation_layers(u, v, 0.1), 32, tubes
    )
    assert (tubes[0, [0, 2]] == 0).all()
    np.testing.assert_array_equal(tubes[0, 1][:, HOF].argmax(axis=1), [0, 4, 2, 6])
    np.testing.assert_allclose(tubes[0, 1][:, HOF].sum(axis=1), 256)


@given(st.floats(-40, 80), st.floats(-40, 80))
@settings(max_examples=50, deadline=None)
def test_cells_over_the_border_keep_what_is_inside(x: float, y: float) -> None:
    flow = _field(1.0, 0.0)
    tubes = np.zeros((1, 3, 4, BINS), np.float32)
    layers = orientation_layers(flow.u, flow.v, 0.1)
    add_cells(np.array([[x, y]], np.float32), np.array([0]), layers, 32, tubes)
    left, top = int(np.floor(np.float32(x) + 0.5)) - 16, int(np.floor(np.float32(y) + 0.5)) - 16
    across = max(0, min(left + 32, 40) - max(left, 0))
    down = max(0, min(top + 32, 40) - max(top, 0))
    assert tubes[..., HOF].sum() == pytest.approx(across * down, abs=1e-3)


@given(st.integers(2, 30), st.integers(2, 30), st.integers(0, 1000))
@settings(max_examples=40, deadline=None)
def test_bilinear_values_are_exact_on_planes(height: int, width: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b, c = rng.uniform(-1, 1, 3)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    points = np.column_stack([rng.uniform(0, width - 1, 20), rng.uniform(0, height - 1, 20)])
    found = sampled((a * x + b * y + c).astype(np.float32), points.astype(np.float32))
    np.testing.assert_allclose(found, points @ [a, b] + c, atol=1e-3)


def test_points_start_on_free_textured_tiles_inside_boxes_only() -> None:
    corners = np.ones((20, 20), np.float32)
    corners[:, 10:] = 0
    inside = np.zeros((20, 20), np.uint8)
    inside[:10] = 1
    taken = np.zeros((5, 5), np.uint8)
    taken[0, 0] = 1
    found = free_points(corners, 0.5, inside, taken, 5)
    assert sorted(map(tuple, found.tolist())) == [(2, 7), (7, 2), (7, 7)]


def _shifted(texture: np.ndarray, x: float, y: float, shape: tuple[int, int]) -> np.ndarray:
    """A window of the texture whose content moves right and down as x and y grow."""
    import cv2

    matrix = np.array([[1, 0, x - 60], [0, 1, y - 60]], float)
    return np.asarray(cv2.warpAffine(texture, matrix, shape[::-1], flags=cv2.INTER_LINEAR))


def _run(pictures: list[np.ndarray], boxes: list[Boxes], **rules: float) -> list[tuple]:
    tracer = Tracer(TraceRules(**rules))
    return [
        (f.tracks, f.tubes)
        for f in (tracer.step(p, b) for p, b in zip(pictures, boxes, strict=True))
        if len(f.tracks)
    ]


def _person_moves(dx: float, dy: float, camera: float = 0.0, count: int = 20):
    """A textured square of 80 pixels that moves before a textured wall, filmed by a camera that
    pans; the box follows the square."""
    wall, person = _texture(400, 600, 1), _texture(400, 600, 2)
    pictures, boxes = [], []
    for t in range(count):
        picture = _shifted(wall, camera * t, 0, (160, 240))
        x0, y0 = 80 + (dx + camera) * t, 40 + dy * t
        square = _shifted(person, (dx + camera) * t, dy * t, (160, 240))
        mask = _shifted(np.pad(np.full((80, 80), 255, np.uint8), ((100, 220), (140, 380))),
                        (dx + camera) * t, dy * t, (160, 240)) > 127  # fmt: skip
        picture[mask] = square[mask]
        pictures.append(picture)
        boxes.append(Boxes(np.array([7]), np.array([[x0, y0, x0 + 80, y0 + 80]], float)))
    return pictures, boxes


@pytest.mark.parametrize(("dx", "dy", "turn"), [(2, 0, 0), (0, 2, 2), (-2, 0, 4), (0, -1.5, 6)])
def test_a_moving_person_has_trajectories_in_that_direction(dx, dy, turn) -> None:
    found = _run(*_person_moves(dx, dy))
    tracks = np.concatenate([t for t, _ in found])
    tubes = np.concatenate([t for _, t in found])
    assert len(tracks) > 50
    assert set(tracks) == {7}
    moving = tubes[..., HOF].sum(axis=(0, 1, 2))[:8]
    assert moving.argmax() == turn
    assert moving[turn] > 0.8 * moving.sum()


def test_camera_motion_is_taken_out() -> None:
    """The same walk filmed by a still and by a panning camera gives the same histogram."""
    still = np.concatenate([t for _, t in _run(*_person_moves(2, 0))])[..., HOF].sum(axis=(0, 1, 2))
    panned = np.concatenate([t for _, t in _run(*_person_moves(2, 0, camera=-3))])
    panned = panned[..., HOF].sum(axis=(0, 1, 2))
    cosine = still @ panned / np.linalg.norm(still) / np.linalg.norm(panned)
    assert cosine > 0.95


def test_people_who_stand_still_have_no_trajectories_even_under_a_panning_camera() -> None:
    assert _run(*_person_moves(0, 0)) == []
    found = _run(*_person_moves(0, 0, camera=-3))
    moved = _run(*_person_moves(2, 0, camera=-3))
    assert sum(len(t) for t, _ in found) < 0.1 * sum(len(t) for t, _ in moved)


def test_a_homography_is_found_from_the_background_alone() -> None:
    texture = _texture(240, 320, 3)
    y, x = np.mgrid[0:240, 0:320].astype(np.float32)
    u, v = (0.02 * (x - 160) + 3).astype(np.float32), (0.02 * (y - 120) - 1).astype(np.float32)
    people = np.zeros((240, 320), np.uint8)
    people[60:200, 100:220] = 1
    u2, v2 = u.copy(), v.copy()
    u2[people == 1] += 10
    own = without_camera(Flow(u2, v2), camera_motion(texture, Flow(u2, v2), people))
    assert np.abs(own.u[people == 0]).max() < 0.05
    np.testing.assert_allclose(own.u[people == 1], 10, atol=0.05)
    assert np.abs(own.v).max() < 0.05


def test_without_enough_background_the_camera_counts_as_still() -> None:
    texture = _texture(240, 320, 3)
    flow = _field(3, 0, (240, 320))
    assert camera_motion(texture, flow, np.ones((240, 320), np.uint8)) is STILL
    blank = np.zeros((240, 320), np.uint8)
    assert camera_motion(blank, flow, blank) is STILL


def test_background_without_one_motion_counts_as_a_still_camera() -> None:
    rng = np.random.default_rng(0)
    flow = Flow(*rng.uniform(-20, 20, (2, 240, 320)).astype(np.float32))
    found = camera_motion(_texture(240, 320, 3), flow, np.zeros((240, 320), np.uint8))
    assert found is STILL


class _Exact:
    """Motion as it was made, in place of what a flow method finds of it."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow

    def between(self, _before: np.ndarray, _after: np.ndarray) -> Flow:
        return self._flow


def test_the_descriptor_of_a_moving_pattern_is_what_a_hand_computes() -> None:
    """Within the box the lower the row the faster: u = 2 + (y - 82) / 20, v = 0. The camera pans
    by (-3, 1). One dot, in row 82, is all that can be followed there."""
    picture = _texture(160, 320, 4)
    picture[30:150, 100:260] = 90
    picture[81:84, 181:184] = 200
    y = np.mgrid[0:160, 0:320][0].astype(np.float32)
    u, v = np.full((160, 320), -3, np.float32), np.ones((160, 320), np.float32)
    u[30:150, 100:260] += 2 + (y[30:150, 100:260] - 82) / 20
    tracer = Tracer(TraceRules())
    tracer._meter = _Exact(Flow(u, v))
    box = Boxes(np.array([7]), np.array([[100, 30, 260, 150]], float))
    found = [tracer.step(picture, box) for _ in range(16)]
    assert [len(f.tracks) for f in found] == [0] * 15 + [1]
    hof, mbhx, mbhy = (descriptors(found[-1].tubes, c).reshape(3, 4, -1) for c in CHANNELS)
    # The point moves down with the camera, a row a picture, and so meets faster rows: in picture t
    # the patch's rows are 16 above to 15 below row 82 + t, and u is 2 + t / 20 at the point.
    # A cell has 16 columns and 16 rows; the sum of u over its rows is 32 + 0.8 t + sum / 20,
    # where sum is -136 (rows -16 to -1) in the upper cells and 120 (rows 0 to 15) in the lower.
    upper = [sum(16 * (32 + 0.8 * t - 6.8) for t in range(5 * s, 5 * s + 5)) for s in range(3)]
    lower = [sum(16 * (32 + 0.8 * t + 6.0) for t in range(5 * s, 5 * s + 5)) for s in range(3)]
    assert (upper[0], lower[0]) == (pytest.approx(2144), pytest.approx(3168))
    total = 2 * (sum(upper) + sum(lower))
    wanted = np.zeros((3, 4, 9))
    wanted[:, :2, 0] = np.sqrt(np.array(upper) / total)[:, None]
    wanted[:, 2:, 0] = np.sqrt(np.array(lower) / total)[:, None]
    np.testing.assert_allclose(hof, wanted, atol=1e-3)
    # The gradient of u is (0, 1 / 20) everywhere: down, bin 2, the same in all twelve cells.
    wanted = np.zeros((3, 4, 8))
    wanted[:, :, 2] = np.sqrt(1 / 12)
    np.testing.assert_allclose(mbhx, wanted, atol=1e-3)
    raw = found[-1].tubes[0]
    np.testing.assert_allclose(raw[:, :, 9:17].sum(axis=2), 5 * 256 / 20, rtol=1e-3)
    assert np.abs(raw[:, :, 17:]).max() < 0.01, "v has no gradient"
    assert mbhy.shape == (3, 4, 8)


def test_jumps_are_dropped() -> None:
    """Still for a while, then one cut to another place: no trajectory survives it."""
    pictures, _ = _person_moves(0, 0)
    other = [np.roll(p, 40, axis=1) for p in pictures]
    everywhere = Boxes(np.array([1]), np.array([[0, 0, 240, 160]], float))
    found = _run([*pictures[:8], *other[:9]], [everywhere] * 17)
    assert sum(len(t) for t, _ in found) < 20


def test_a_trajectory_belongs_to_every_box_that_held_it() -> None:
    pictures, boxes = _person_moves(2, 0)
    both = [Boxes(np.array([7, 9]), np.vstack([b.corners, b.corners])) for b in boxes]
    away = [Boxes(np.array([7, 9]), np.vstack([b.corners, [[0, 0, 5, 5]]])) for b in boxes]
    counts = [np.bincount(np.concatenate([t for t, _ in _run(pictures, b)]), minlength=10)
              for b in (both, away)]  # fmt: skip
    assert counts[0][7] == counts[0][9] > 0
    assert counts[1][9] == 0


def test_nothing_to_follow_is_no_error() -> None:
    black = np.zeros((64, 96), np.uint8)
    everywhere = Boxes(np.array([1]), np.array([[0, 0, 96, 64]], float))
    assert _run([black] * 20, [everywhere] * 20) == []
    assert _run([black] * 20, [NOBODY] * 20) == []
    outside = Boxes(np.array([1]), np.array([[-50, -50, -10, -10]], float))
    assert _run([_texture(64, 96)] * 20, [outside] * 20) == []


@pytest.mark.parametrize("shape", [(2, 2), (4, 4), (18, 32), (24, 320), (60, 900), (200, 10)])
def test_pictures_of_any_shape_can_be_followed(shape: tuple[int, int]) -> None:
    """The flow method itself reads beyond small and flat pictures."""
    wide = _texture(400, 1200, 5)
    pictures = [wide[20 : 20 + shape[0], 100 - 2 * t : 100 - 2 * t + shape[1]] for t in range(17)]
    boxes = Boxes(np.array([1]), np.array([[0, 0, shape[1], shape[0]]], float))
    found = _run([np.ascontiguousarray(p) for p in pictures], [boxes] * 17)
    if shape == (60, 900):
        tubes = np.concatenate([tubes for _, tubes in found])
        assert tubes[..., HOF].sum(axis=(0, 1, 2))[:8].argmax() == 0


def test_restart_forgets_the_shot_before() -> None:
    pictures, boxes = _person_moves(2, 0, count=30)
    tracer = Tracer(TraceRules())
    for picture, box in zip(pictures[:14], boxes, strict=False):
        assert not len(tracer.step(picture, box).tracks)
    tracer.restart()
    for picture, box in zip(pictures[14:29], boxes[14:], strict=False):
        assert not len(tracer.step(picture, box).tracks)
    assert len(tracer.step(pictures[29], boxes[29]).tracks)


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_descriptors_are_rooted_shares(seed: int) -> None:
    tubes = np.random.default_rng(seed).uniform(-1e-7, 1, (5, 3, 4, BINS)).astype(np.float32)
    tubes[0] = 0
    for channel in CHANNELS:
        found = descriptors(tubes, channel)
        assert found.shape == (5, descriptor_width(channel))
        np.testing.assert_allclose((found[1:] ** 2).sum(axis=1), 1, rtol=1e-5)
        assert (found[0] == 0).all()


def _words(count: int, seed: int = 0) -> MotionWords:
    rng = np.random.default_rng(seed)
    return MotionWords({c: rng.random((count, descriptor_width(c)), np.float32) for c in CHANNELS})


@given(st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_the_nearest_word_is_the_nearest(seed: int) -> None:
    words = _words(17, seed)
    rows = np.random.default_rng(seed + 1).random((9, descriptor_width("hof")), np.float32)
    distances = ((rows[:, None] - words.words["hof"]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(words.nearest("hof", rows), distances.argmin(axis=1))


def test_words_survive_the_file(tmp_path) -> None:
    save_words(tmp_path / "w.npz", _words(5))
    back = load_words(str(tmp_path / "w.npz"))
    for channel in CHANNELS:
        np.testing.assert_allclose(back.words[channel], _words(5).words[channel], atol=1e-3)


def test_training_finds_the_middles_of_groups() -> None:
    rng = np.random.default_rng(0)
    middles = _words(4).words
    samples = {
        c: (m[rng.integers(0, 4, 400)] + rng.normal(0, 0.01, (400, m.shape[1]))).astype(np.float32)
        for c, m in middles.items()
    }
    learnt = train_words(samples, 4, seed=0)
    for channel, rows in middles.items():
        nearest = learnt.nearest(channel, rows)
        assert sorted(nearest) == [0, 1, 2, 3]
        np.testing.assert_allclose(learnt.words[channel][nearest], rows, atol=0.02)


def test_too_few_trajectories_to_learn_from_is_one_sentence() -> None:
    samples = {c: np.zeros((5, descriptor_width(c)), np.float32) for c in CHANNELS}
    with pytest.raises(InputError, match="at least 8 trajectories"):
        train_words(samples, 4)


def test_foreign_words_are_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="--train-words"):
        load_words(str(tmp_path / "absent.npz"))
    (tmp_path / "text.npz").write_text("no words")
    with pytest.raises(ModelFileError, match="motion words"):
        load_words(str(tmp_path / "text.npz"))
    np.savez(tmp_path / "thin.npz", **{c: np.zeros((4, 3)) for c in CHANNELS})
    with pytest.raises(ModelFileError, match="expected"):
        load_words(str(tmp_path / "thin.npz"))


def test_shipped_words_fit_the_descriptors_and_are_all_different() -> None:
    words = load_words()
    for channel in CHANNELS:
        rows = words.words[channel]
        assert rows.shape[1] == descriptor_width(channel)
        assert len(np.unique(rows, axis=0)) == len(rows)
        # Means of rows of length one are no longer than one.
        assert (np.linalg.norm(rows, axis=1) < 1.01).all()
