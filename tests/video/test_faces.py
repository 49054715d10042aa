"""Faces: alignment, choice of the faces that are described, networks with their own recipe."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callsheet.errors import ModelFileError
from callsheet.video.faces.alignment import (
    TEMPLATE,
    aligned_face,
    boxed_face,
    is_usable,
    similarity,
)
from callsheet.video.faces.choosing import spread_best
from callsheet.video.faces.mouths import aligned_gray, mouth_motion
from callsheet.video.models import InputRecipe, is_present
from callsheet.video.network import PictureNetwork, network_input, picture_network

RECIPE = InputRecipe(112, 112, align="five-point")


def _moved(turn: float, scale: float, shift: tuple[float, float]) -> np.ndarray:
    c, s = scale * np.cos(turn), scale * np.sin(turn)
    return TEMPLATE @ np.array([[c, s], [-s, c]]) + shift


@given(st.floats(-3, 3), st.floats(0.2, 20), st.floats(-500, 500), st.floats(-500, 500))
@settings(max_examples=60, deadline=None)
def test_similarity_undoes_turn_scale_and_shift(turn, scale, x, y) -> None:
    points = _moved(turn, scale, (x, y))
    matrix = similarity(points, TEMPLATE)
    np.testing.assert_allclose(points @ matrix[:, :2].T + matrix[:, 2], TEMPLATE, atol=1e-6)


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_similarity_is_the_least_squares_optimum(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = TEMPLATE + rng.normal(0, 6, (5, 2))

    def error(matrix: np.ndarray) -> float:
        return float(((points @ matrix[:, :2].T + matrix[:, 2] - TEMPLATE) ** 2).sum())

    best = similarity(points, TEMPLATE)
    for step in rng.normal(0, 1e-3, (8, 4)):
        a, b, x, y = step
        assert error(best) <= error(best + np.array([[a, -b, x], [b, a, y]])) + 1e-9


def _dotted(points: np.ndarray, size: int) -> np.ndarray:
    import cv2

    picture = np.zeros((size, size, 3), np.uint8)
    radius = max(2, round(np.linalg.norm(points[1] - points[0]) / 12))
    for point in points:
        # Sixteenths of a pixel, so that rounding does not move the dots.
        centre = tuple(np.rint(16 * point).astype(int).tolist())
        cv2.circle(picture, centre, 16 * radius, (255,) * 3, -1, cv2.LINE_AA, 4)
    return picture


@pytest.mark.parametrize("scale", [0.5, 1.0, 3.0, 9.0])
@pytest.mark.parametrize("turn", [0.0, 0.6, -1.2])
def test_landmarks_land_on_the_template_at_any_size(scale: float, turn: float) -> None:
    size = int(260 * max(scale, 1))
    points = _moved(turn, scale, (0, 0))
    points += size / 2 - points.mean(axis=0)
    face = aligned_face(_dotted(points, size), points, RECIPE)
    assert face.shape == (112, 112, 3)
    y, x = np.mgrid[0:112, 0:112]
    for target in TEMPLATE:
        near = np.hypot(x - target[0], y - target[1]) < 9
        weights = face[..., 0] * near
        found = np.array([(weights * x).sum(), (weights * y).sum()]) / weights.sum()
        assert np.abs(found - target).max() < 1.0


def test_a_recipe_of_another_size_scales_the_template() -> None:
    recipe = InputRecipe(224, 224, align="five-point")
    points = TEMPLATE + 40
    small = aligned_face(_dotted(points, 200), points, RECIPE)
    large = aligned_face(_dotted(points, 200), points, recipe)
    assert large.shape == (224, 224, 3)
    assert np.abs(large[::2, ::2].astype(int) - small).mean() < 4


def test_large_faces_are_averaged_not_picked() -> None:
    """Fine stripes of a large face become gray, not a moire pattern."""
    picture = np.zeros((1200, 1200, 3), np.uint8)
    picture[:, ::2] = 255
    points = TEMPLATE * 10 + 40
    face = aligned_face(picture, points, RECIPE)[20:-20, 20:-20]
    assert np.abs(face.astype(int) - 127).max() < 20


def test_a_box_network_gets_the_box() -> None:
    picture = np.zeros((100, 100, 3), np.uint8)
    picture[20:60, 30:50] = 200
    face = boxed_face(picture, np.array([30.0, 20, 20, 40]), InputRecipe(50, 100, align="box"))
    assert face.shape == (100, 50, 3)
    assert (face[4:-4, 4:-4] == 200).all()


def test_points_that_place_no_face() -> None:
    assert is_usable(TEMPLATE)
    assert not is_usable(np.full((5, 2), np.nan))
    assert not is_usable(np.full((5, 2), 3.0))


TIMES = st.lists(st.floats(0, 100), min_size=1, max_size=40, unique=True)


@given(TIMES, st.integers(1, 8), st.integers(0, 1000))
@settings(max_examples=100, deadline=None)
def test_choice_is_of_the_right_size_and_in_order(times, count, seed) -> None:
    times = np.array(times)
    confidences = np.random.default_rng(seed).random(len(times))
    chosen = spread_best(times, confidences, count)
    assert len(chosen) == len(set(chosen.tolist())) == min(count, len(times))
    assert (np.diff(times[chosen]) > 0).all()


@given(TIMES, st.integers(1, 8), st.integers(0, 1000))
@settings(max_examples=100, deadline=None)
def test_the_surest_face_is_always_chosen(times, count, seed) -> None:
    confidences = np.random.default_rng(seed).permutation(len(times)) / len(times)
    assert np.argmax(confidences) in spread_best(np.array(times), confidences, count)


def test_choice_is_spread_over_the_track() -> None:
    times = np.arange(100.0)
    confidences = np.linspace(1, 0, 100)
    assert spread_best(times, confidences, 5).tolist() == [0, 20, 40, 60, 80]


def test_network_input_follows_the_recipe() -> None:
    picture = np.zeros((2, 3, 3), np.uint8)
    picture[..., 0], picture[..., 2] = 10, 30  # blue, red
    recipe = InputRecipe(3, 2, mean=(20.0, 0.0, 10.0), scale=0.5, order="rgb", layout="nchw")
    values = network_input([picture], recipe)
    assert values.shape == (1, 3, 2, 3)
    np.testing.assert_allclose(values[0, :, 0, 0], [5, 0, 0])
    plain = network_input([picture], InputRecipe(3, 2, order="bgr", layout="nhwc"))
    np.testing.assert_allclose(plain[0, 0, 0], [10, 0, 30])


def _write_network(path: Path, batch: int | str) -> Path:
    """A network that averages each channel: (n, 3, h, w) -> (n, 3)."""
    from onnx import TensorProto, helper, save

    node = helper.make_node("ReduceMean", ["x"], ["y"], axes=[2, 3], keepdims=0)
    taken = helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, 3, 8, 8])
    given_ = helper.make_tensor_value_info("y", TensorProto.FLOAT, [batch, 3])
    graph = helper.make_graph([node], "means", [taken], [given_])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path


@pytest.mark.parametrize("batch", [1, 3, 8, 12, "n"])
@pytest.mark.parametrize("count", [1, 3, 20])
def test_networks_of_any_batch_give_one_row_a_picture(tmp_path, batch, count) -> None:
    network = PictureNetwork(_write_network(tmp_path / "net.onnx", batch), InputRecipe(8, 8))
    assert network.gives() == (3,)
    pictures = [np.full((8, 8, 3), 10 * n, np.uint8) for n in range(count)]
    found = network.run(pictures)
    np.testing.assert_allclose(found, np.repeat(10 * np.arange(count)[:, None], 3, axis=1))


def test_a_bare_file_is_fed_by_the_given_recipe(tmp_path) -> None:
    path = _write_network(tmp_path / "mine.onnx", "n")
    assert picture_network(str(path), InputRecipe(8, 8, scale=2.0)).recipe.scale == 2.0


def test_a_network_of_another_size_is_one_sentence(tmp_path) -> None:
    path = _write_network(tmp_path / "net.onnx", "n")
    with pytest.raises(ModelFileError, match="does not take pictures of 16 x 16"):
        PictureNetwork(path, InputRecipe(16, 16)).gives()


def test_what_is_no_network_is_one_sentence(tmp_path) -> None:
    (tmp_path / "net.onnx").write_bytes(b"not a network")
    with pytest.raises(ModelFileError, match="not an ONNX network"):
        PictureNetwork(tmp_path / "net.onnx", InputRecipe(8, 8))
    with pytest.raises(ModelFileError, match="no ONNX network for pictures"):
        (tmp_path / "net.pb").write_bytes(b"x")
        picture_network(str(tmp_path / "net.pb"), InputRecipe(8, 8))


def _drawn_face(size: int, shade: int) -> tuple[np.ndarray, np.ndarray]:
    """A plain cartoon face and its five points."""
    import cv2

    scale = size / 200
    picture = np.full((size, size, 3), 90, np.uint8)
    points = (TEMPLATE + 44) * scale

    def at(x: float, y: float) -> tuple[int, int]:
        return round(x * scale), round(y * scale)

    cv2.ellipse(picture, at(100, 108), at(50, 66), 0, 0, 360, (shade, shade + 20, 220), -1)
    for eye in points[:2]:
        centre = tuple(np.rint(eye).astype(int).tolist())
        cv2.ellipse(picture, centre, at(9, 5), 0, 0, 360, (250, 250, 250), -1)
        cv2.circle(picture, centre, round(4 * scale), (40, 30, 20), -1)
    cv2.line(picture, at(100, 96), at(98, 118), (90, 100, 160), round(4 * scale))
    cv2.ellipse(picture, at(100, 137), at(16, 5), 0, 0, 360, (60, 40, 150), -1)
    return picture, points


@pytest.mark.skipif(not is_present("sface"), reason="run `callsheet models pull sface` first")
def test_sface_sees_the_same_face_at_any_size_and_turn() -> None:
    import cv2

    network = picture_network("sface", RECIPE)
    faces = []
    for size, turn in ((200, 0), (320, 20), (700, -15)):
        picture, points = _drawn_face(size, 120)
        matrix = cv2.getRotationMatrix2D((size / 2, size / 2), turn, 1)
        turned = cv2.warpAffine(picture, matrix, (size, size))
        faces.append(aligned_face(turned, points @ matrix[:, :2].T + matrix[:, 2], RECIPE))
    vectors = network.run(faces)
    assert vectors.shape == (3, 128)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    # The network's authors call it one person from 0.363 on.
    assert (vectors @ vectors.T).min() > 0.6


def _speaking_face(opening: float, shift: float = 0.0, light: float = 1.0) -> np.ndarray:
    import cv2

    picture, _ = _drawn_face(400, 120)
    cv2.ellipse(picture, (200, 274), (30, round(4 + 18 * opening)), 0, 0, 360, (10, 10, 40), -1)
    moved = cv2.warpAffine(picture, np.array([[1, 0, shift], [0, 1, 0.5 * shift]]), (400, 400))
    return np.clip(cv2.cvtColor(moved, cv2.COLOR_BGR2GRAY) * light, 0, 255).astype(np.uint8)


def _motion(before: np.ndarray, after: np.ndarray) -> float:
    points = (TEMPLATE + 44) * 2
    return mouth_motion(aligned_gray(before, points), aligned_gray(after, points))


def test_an_opening_mouth_moves_and_more_opening_moves_more() -> None:
    motions = [_motion(_speaking_face(0), _speaking_face(o)) for o in (0, 0.3, 0.6, 1)]
    assert motions[0] == 0
    assert (np.diff(motions) > 0).all()


def test_a_shifted_face_or_other_light_is_no_speech() -> None:
    speech = _motion(_speaking_face(0), _speaking_face(0.6))
    assert _motion(_speaking_face(0), _speaking_face(0, shift=3)) < 0.4 * speech
    assert _motion(_speaking_face(0), _speaking_face(0, light=0.8)) < 0.2 * speech


def test_a_black_face_does_not_move() -> None:
    black = np.zeros((400, 400), np.uint8)
    assert _motion(black, black) == 0
