"""Clips: I3D against NumPy, checkpoints read without trust, what a clip shows, the channel."""

from __future__ import annotations

import os
import pickle
from fractions import Fraction
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
from tests.video.films import write_film
from tests.video.test_features import HEIGHT, RATE, WIDTH, _pictures, _tables

from callsheet.errors import ModelFileError
from callsheet.store import open_matrix
from callsheet.video import FeatureSettings, make_features
from callsheet.video.adding import add_network
from callsheet.video.clips.checkpoint import read_arrays
from callsheet.video.clips.inception import i3d_graph
from callsheet.video.clips.network import ClipNetwork, clip_input
from callsheet.video.describing.of_clips import clip_rows
from callsheet.video.describing.plan import Rows
from callsheet.video.models import (
    InputRecipe,
    Task,
    added_models,
    is_present,
    known_model,
    part_path,
)

MODULES = {
    "3b": (192, 64, 96, 128, 16, 32, 32), "3c": (256, 128, 128, 192, 32, 96, 64),
    "4b": (480, 192, 96, 208, 16, 48, 64), "4c": (512, 160, 112, 224, 24, 64, 64),
    "4d": (512, 128, 128, 256, 24, 64, 64), "4e": (512, 112, 144, 288, 32, 64, 64),
    "4f": (528, 256, 160, 320, 32, 128, 128), "5b": (832, 256, 160, 320, 32, 128, 128),
    "5c": (832, 384, 192, 384, 48, 128, 128),
}  # fmt: skip
"""Channels into each module and out of its six convolutions, as the I3D paper's Figure 3 has it."""


@pytest.fixture(scope="module")
def weights() -> dict[str, np.ndarray]:
    """Arrays of the checkpoint's names and shapes, drawn so that numbers keep their size."""
    rng = np.random.default_rng(0)
    drawn: dict[str, np.ndarray] = {}

    def unit(name: str, side: int, taken: int, given: int) -> None:
        shape = (side, side, side, taken, given)
        scale = np.float32(np.sqrt(2 / (side**3 * taken)))
        drawn[f"params/{name}/Conv_0/kernel"] = rng.standard_normal(shape, np.float32) * scale
        drawn[f"params/{name}/BatchNorm_0/bias"] = rng.normal(0, 0.1, given).astype(np.float32)
        for part, values in (
            ("mean", rng.normal(0, 0.1, given)),
            ("var", rng.uniform(1, 2, given)),
        ):
            drawn[f"batch_stats/{name}/BatchNorm_0/{part}"] = values.astype(np.float32).reshape(
                1, 1, 1, 1, -1
            )

    unit("Conv3d_1a_7x7", 7, 3, 64)
    unit("Conv3d_2b_1x1", 1, 64, 64)
    unit("Conv3d_2c_3x3", 3, 64, 192)
    for name, (taken, plain, a, b, c, d, pooled) in MODULES.items():
        way = f"Mixed_{name}/Branch_"
        unit(f"{way}0/Conv3d_0a_1x1", 1, taken, plain)
        unit(f"{way}1/Conv3d_0a_1x1", 1, taken, a)
        unit(f"{way}1/Conv3d_0b_3x3", 3, a, b)
        unit(f"{way}2/Conv3d_0a_1x1", 1, taken, c)
        unit(f"{way}2/Conv3d_0b_3x3", 3, c, d)
        unit(f"{way}3/Conv3d_0b_1x1", 1, taken, pooled)
    return drawn


def _windows(x: np.ndarray, sides: tuple[int, ...], strides: tuple[int, ...], fill: float):
    """Windows of (time, rows, columns, channels) with padding as TensorFlow's "same" does it."""
    pads = []
    for n, side, stride in zip(x.shape, sides, strides, strict=False):
        pad = max((-(-n // stride) - 1) * stride + side - n, 0)
        pads.append((pad // 2, pad - pad // 2))
    x = np.pad(x, [*pads, (0, 0)], constant_values=fill)
    view = np.lib.stride_tricks.sliding_window_view(x, sides, axis=(0, 1, 2))
    return view[tuple(slice(None, None, s) for s in strides)]  # (t, h, w, channels, *sides)


def _unit(x: np.ndarray, weights: dict[str, np.ndarray], name: str, stride: int = 1) -> np.ndarray:
    kernel = weights[f"params/{name}/Conv_0/kernel"].astype(np.float64)
    out = np.tensordot(
        _windows(x, kernel.shape[:3], (stride,) * 3, 0.0), kernel, ([4, 5, 6, 3], [0, 1, 2, 3])
    )
    mean, var = (weights[f"batch_stats/{name}/BatchNorm_0/{p}"].ravel() for p in ("mean", "var"))
    out = (out - mean) / np.sqrt(var + 1e-3) + weights[f"params/{name}/BatchNorm_0/bias"]
    return np.maximum(out, 0)


def _pool(x: np.ndarray, sides: tuple[int, ...], strides: tuple[int, ...]) -> np.ndarray:
    return _windows(x, sides, strides, -np.inf).max(axis=(4, 5, 6))


def _numpy_i3d(clip: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    """The network in NumPy, in float64; clip (16, h, w, 3)."""
    x = _unit(clip, weights, "Conv3d_1a_7x7", stride=2)
    x = _pool(x, (1, 3, 3), (1, 2, 2))
    x = _unit(_unit(x, weights, "Conv3d_2b_1x1"), weights, "Conv3d_2c_3x3")
    x = _pool(x, (1, 3, 3), (1, 2, 2))
    for name in MODULES:
        if name == "4b":
            x = _pool(x, (3, 3, 3), (2, 2, 2))
        if name == "5b":
            x = _pool(x, (2, 2, 2), (2, 2, 2))
        way = f"Mixed_{name}/Branch_"
        ways = [_unit(x, weights, f"{way}0/Conv3d_0a_1x1")]
        for n in (1, 2):
            narrow = _unit(x, weights, f"{way}{n}/Conv3d_0a_1x1")
            ways.append(_unit(narrow, weights, f"{way}{n}/Conv3d_0b_3x3"))
        ways.append(_unit(_pool(x, (3, 3, 3), (1, 1, 1)), weights, f"{way}3/Conv3d_0b_1x1"))
        x = np.concatenate(ways, axis=-1)
    return x.mean(axis=(0, 1, 2))


def _graph_gives(weights: dict[str, np.ndarray], clip: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(i3d_graph(weights).SerializeToString())
    return session.run(None, {"clips": clip[None].astype(np.float32)})[0][0]


@pytest.mark.parametrize("size", [(32, 32), (37, 50)])
def test_the_graph_is_i3d(weights: dict[str, np.ndarray], size: tuple[int, int]) -> None:
    clip = np.random.default_rng(1).uniform(-1, 1, (16, *size, 3))
    wanted = _numpy_i3d(clip, weights)
    assert wanted.std() > 0.01
    np.testing.assert_allclose(_graph_gives(weights, clip), wanted, rtol=2e-3, atol=2e-4)


@pytest.mark.skipif(not is_present("i3d"), reason="run `callsheet models pull i3d` first")
def test_the_published_network_gives_what_numpy_says() -> None:
    model = known_model("i3d")
    weights = read_arrays(part_path(model, model.parts[0]))
    clip = np.random.default_rng(2).uniform(-1, 1, (16, 40, 40, 3))
    np.testing.assert_allclose(
        _graph_gives(weights, clip), _numpy_i3d(clip, weights), rtol=2e-3, atol=2e-4
    )


class _Evil:
    def __reduce__(self):
        return os.system, ("touch /tmp/callsheet-was-here",)


@pytest.mark.parametrize("content", [{"a": _Evil()}, {"a": 3}, [1, 2]])
def test_a_checkpoint_cannot_do_anything(tmp_path: Path, content: object) -> None:
    path = tmp_path / "wrong.ckpt"
    path.write_bytes(pickle.dumps(content))
    with pytest.raises(ModelFileError, match="not a checkpoint"):
        read_arrays(path)


def _rows(frames: int, step: float = 3.0) -> Rows:
    """One body of 20 x 40 pixels that walks to the right, in every frame from 100 on."""
    numbers = np.arange(100, 100 + frames)
    boxes = np.column_stack([step * np.arange(frames), np.full(frames, 10.0),
                             np.full(frames, 20.0), np.full(frames, 40.0)])  # fmt: skip
    return Rows(numbers, track=np.zeros(frames, np.int64), box=boxes)


def test_clips_are_runs_of_pictures_of_one_square() -> None:
    rows = clip_rows(_rows(70), length=16, every=32, rate=Fraction(24))
    assert rows.frames.tolist() == [*range(100, 116), *range(132, 148), *range(164, 170)]
    assert rows["clip"].tolist() == [0] * 16 + [1] * 16 + [2] * 6
    assert np.flatnonzero(rows["last"]).tolist() == [15, 31, 37]
    # The body's left side goes from 0 to 45, its width is 20: a square of 65 about its middle.
    np.testing.assert_allclose(rows["region"][:16], [[0, 30 - 32.5, 65, 65]] * 16)


def test_fast_films_give_every_second_picture_and_clips_never_overlap() -> None:
    rows = clip_rows(_rows(40), length=16, every=8, rate=Fraction(50))
    assert rows.frames.tolist() == [*range(100, 132, 2), *range(132, 140, 2)]
    assert len(clip_rows(_rows(0), length=16, every=8, rate=Fraction(24))) == 0


def _mean_network(path: Path, axes: list, mean_axes: list[int]) -> Path:
    """A network that gives the mean of each channel."""
    from onnx import TensorProto, helper, save

    node = helper.make_node("ReduceMean", ["x"], ["y"], axes=mean_axes, keepdims=0)
    taken = helper.make_tensor_value_info("x", TensorProto.FLOAT, axes)
    given = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 3])
    graph = helper.make_graph([node], "means", [taken], [given])
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    return path


@pytest.mark.parametrize(
    ("layout", "axes", "mean_axes"),
    [("nhwc", ["n", 4, 8, 6, 3], [1, 2, 3]), ("nchw", ["n", 4, 3, 8, 6], [1, 3, 4]),
     ("ncthw", ["n", 3, 4, 8, 6], [2, 3, 4]), ("nhwc", [1, 4, 8, 6, 3], [1, 2, 3]),
     ("ncthw", [5, 3, 4, 8, 6], [2, 3, 4])],
)  # fmt: skip
def test_layouts_and_short_clips(tmp_path: Path, layout: str, axes, mean_axes) -> None:
    recipe = InputRecipe(6, 8, mean=(10.0, 0.0, 0.0), scale=2.0, order="rgb", layout=layout)
    network = ClipNetwork(_mean_network(tmp_path / "n.onnx", axes, mean_axes), recipe)
    assert network.length == 4
    blue, red = np.zeros((8, 6, 3), np.uint8), np.zeros((8, 6, 3), np.uint8)
    blue[..., 0], red[..., 2] = 100, 60
    # Two pictures, the second held twice more: red 3/4 of the time.
    found = network.run([blue, red])
    np.testing.assert_allclose(found, [2 * (0.75 * 60 - 10), 0, 2 * 0.25 * 100], rtol=1e-5)
    assert clip_input([blue, red], recipe).shape[0] == 1


def test_a_picture_network_is_no_clip_network(tmp_path: Path) -> None:
    path = _mean_network(tmp_path / "n.onnx", ["n", 3, 8, 6], [2, 3])
    with pytest.raises(ModelFileError, match="five axes"):
        ClipNetwork(path, InputRecipe(6, 8))


def test_the_channel_stands_beside_the_others(tmp_path: Path) -> None:
    film = write_film(tmp_path / "walk.mp4", _pictures(80), rate=RATE)
    assert film.exists()
    assert (WIDTH, HEIGHT) == (320, 180)
    _tables(tmp_path, 80, (40,))
    clip = _mean_network(tmp_path / "clip.onnx", ["n", 16, 224, 224, 3], [1, 2, 3])
    face = _mean_network(tmp_path / "face.onnx", ["n", 3, 112, 112], [2, 3])
    settings = FeatureSettings(
        face_model=str(face), clip_model=str(clip), channels=("hof", "clip"), motion_height=90
    )
    make_features(film, tmp_path, settings)
    bodies = np.asarray(open_matrix(tmp_path / "bodies.npy"), np.float64)
    assert bodies.shape == (2, 512 + 3)
    np.testing.assert_allclose(np.linalg.norm(bodies[:, 512:], axis=1), 1, rtol=2e-3)


def test_networks_are_tried_before_they_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    text = tmp_path / "text.onnx"
    text.write_text("no network")
    clips = _mean_network(tmp_path / "clips.onnx", ["n", 3, 4, 8, 6], [2, 3, 4])
    pictures = _mean_network(tmp_path / "pictures.onnx", ["n", 3, 8, 6], [2, 3])
    good, wrong = InputRecipe(6, 8, layout="ncthw"), InputRecipe(5, 5)
    for file, task, recipe, said in (
        (text, Task.APPEARANCE, wrong, "not an ONNX network"),
        (clips, Task.APPEARANCE, InputRecipe(6, 8), "four axes"),
        (pictures, Task.FACE_DESCRIPTOR, good, "layout"),
        (pictures, Task.FACE_DESCRIPTOR, wrong, "does not take pictures of 5 x 5"),
        (pictures, Task.PERSON_DETECTOR, InputRecipe(6, 8), "needs one whose name"),
        (pictures, Task.FACE_DETECTOR, InputRecipe(64, 64), "not a face detector of YuNet"),
    ):
        with pytest.raises(ModelFileError, match=said):
            add_network("mine", file, task=task, recipe=recipe)
    assert added_models() == {}
    assert add_network("mine", clips, task=Task.MOTION, recipe=good).task is Task.MOTION
