"""Appearance: checkpoints read without trust, the converted network, what is cut out."""

from __future__ import annotations

import os
import pickle
import struct
import sys
import types
from collections import OrderedDict
from pathlib import Path

import numpy as np
import pytest

from callsheet.errors import ModelFileError
from callsheet.video.appearance.checkpoint import read_checkpoint
from callsheet.video.appearance.efficientnet import lite2_graph
from callsheet.video.appearance.looking import Looker, cut_out
from callsheet.video.models import InputRecipe, is_present, known_model, part_path
from callsheet.video.network import PictureNetwork, picture_network, resized

MAGIC = 0x1950A86A20F9469CFC6C


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """As much of torch as pickle needs to write its names."""
    torch, tools = types.ModuleType("torch"), types.ModuleType("torch._utils")
    for name in ("FloatStorage", "LongStorage"):
        setattr(torch, name, type(name, (), {"__module__": "torch"}))

    def _rebuild_tensor_v2() -> None: ...

    _rebuild_tensor_v2.__module__ = "torch._utils"
    _rebuild_tensor_v2.__qualname__ = "_rebuild_tensor_v2"
    tools._rebuild_tensor_v2 = _rebuild_tensor_v2
    torch._utils = tools
    monkeypatch.setitem(sys.modules, "torch", torch)
    monkeypatch.setitem(sys.modules, "torch._utils", tools)
    return torch


class _Pickler(pickle.Pickler):
    def persistent_id(self, obj):
        return obj if isinstance(obj, tuple) and obj[:1] == ("storage",) else None


class _Tensor:
    def __init__(self, torch: types.ModuleType, key: str, array: np.ndarray) -> None:
        self.torch, self.key, self.array = torch, key, array

    def __reduce__(self):
        kind = {"f": self.torch.FloatStorage, "i": self.torch.LongStorage}[self.array.dtype.kind]
        storage = ("storage", kind, self.key, "cpu", self.array.size, None)
        steps = tuple(s // self.array.itemsize for s in self.array.strides)
        arguments = (storage, 0, self.array.shape, steps, False, OrderedDict())
        return self.torch._utils._rebuild_tensor_v2, arguments


def _write_checkpoint(path: Path, torch, arrays: dict, magic: int = MAGIC) -> Path:
    """A checkpoint of before PyTorch 1.6, written by hand."""
    numbered = {str(key): (name, arrays[name]) for key, name in enumerate(arrays)}
    tensors = OrderedDict((n, _Tensor(torch, key, a)) for key, (n, a) in numbered.items())
    with path.open("wb") as file:
        for part in (magic, 1001, {"little_endian": True}, tensors, list(numbered)):
            _Pickler(file, 2).dump(part)
        for _, array in numbered.values():
            file.write(struct.pack("<q", array.size))
            # Numbers as they lie in memory: a transposed array's are those of its base.
            file.write((array if array.flags.c_contiguous else array.T).tobytes())
    return path


def test_tensors_come_back_also_those_stored_transposed(tmp_path: Path, torch) -> None:
    rng = np.random.default_rng(0)
    arrays = {
        "a": rng.random((3, 4), np.float32),
        "b": rng.random((4, 5), np.float32).T,
        "count": np.array(7, np.int64),
    }
    found = read_checkpoint(_write_checkpoint(tmp_path / "net.pth", torch, arrays))
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(found[name], array)


def test_a_checkpoint_cannot_run_code(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self):
            return os.mkdir, (str(tmp_path / "harm"),)

    path = tmp_path / "evil.pth"
    path.write_bytes(pickle.dumps(Evil()))
    with pytest.raises(ModelFileError, match="refused"):
        read_checkpoint(path)
    assert not (tmp_path / "harm").exists()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x80\x02.", b"x" * 1000])
def test_other_files_are_one_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.pth"
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match="not a PyTorch checkpoint"):
        read_checkpoint(path)


def test_a_truncated_or_foreign_checkpoint_is_one_sentence(tmp_path: Path, torch) -> None:
    whole = _write_checkpoint(tmp_path / "a.pth", torch, {"a": np.ones((30, 30), np.float32)})
    (tmp_path / "b.pth").write_bytes(whole.read_bytes()[:-100])
    with pytest.raises(ModelFileError, match=r"b\.pth"):
        read_checkpoint(tmp_path / "b.pth")
    wrong = _write_checkpoint(tmp_path / "c.pth", torch, {"a": np.ones(3, np.float32)}, magic=5)
    with pytest.raises(ModelFileError, match="first numbers"):
        read_checkpoint(wrong)


def test_other_tensors_make_no_lite2(tmp_path: Path) -> None:
    with pytest.raises(KeyError, match="_bn0"):
        lite2_graph({"_conv_stem.weight": np.ones((32, 3, 3, 3), np.float32)})


def test_boxes_are_cut_at_the_border_and_never_empty() -> None:
    picture = np.arange(40 * 60 * 3, dtype=np.uint8).reshape(40, 60, 3)
    assert cut_out(picture, np.array([-20.0, -20, 40, 40])).shape == (22, 22, 3)
    assert cut_out(picture, np.array([200.0, 200, 5, 5])).size > 0
    assert cut_out(picture, np.array([10.0, 10, 0, 0])).size > 0
    inside = cut_out(picture, np.array([20.0, 10, 20, 20]))
    np.testing.assert_array_equal(inside, picture[9:31, 19:41])


needs_lite2 = pytest.mark.skipif(
    not is_present("efficientnet-lite2"), reason="run `callsheet models pull` first"
)


@needs_lite2
def test_the_converted_network_knows_a_flower_from_a_palace() -> None:
    """With the checkpoint's own classifier on top, scikit-learn's photograph of the Summer
    Palace is a palace (ImageNet class 698)."""
    from sklearn.datasets import load_sample_image

    model = known_model("efficientnet-lite2")
    weights = read_checkpoint(part_path(model, model.parts[0]))
    network = picture_network("efficientnet-lite2", InputRecipe(260, 260))
    pictures = [resized(load_sample_image(name)[..., ::-1].copy(), network.recipe)
                for name in ("china.jpg", "flower.jpg")]  # fmt: skip
    maps = network.run(pictures)
    assert maps.shape == (2, 1280, 9, 9)
    assert maps.min() >= 0
    assert maps.max() <= 6
    scores = maps.mean(axis=(2, 3)) @ weights["_fc.weight"].T + weights["_fc.bias"]
    assert scores[0].argmax() == 698
    assert scores[1].argmax() != 698


@needs_lite2
def test_folding_changes_no_number() -> None:
    """The first layer by hand: padding, convolution, normalisation, bounds."""
    import onnx
    import onnxruntime
    from scipy.signal import correlate

    model = known_model("efficientnet-lite2")
    weights = read_checkpoint(part_path(model, model.parts[0]))
    graph = lite2_graph(weights)
    graph.graph.output.append(onnx.helper.make_empty_tensor_value_info("_conv_stem.bounded"))
    session = onnxruntime.InferenceSession(graph.SerializeToString())
    x = np.random.default_rng(0).normal(size=(1, 3, 32, 32)).astype(np.float32)
    found = session.run(["_conv_stem.bounded"], {"pictures": x})[0][0]
    padded = np.pad(x[0], ((0, 0), (0, 1), (0, 1)))
    for channel in (0, 13, 31):
        kernel = weights["_conv_stem.weight"][channel]
        raw = correlate(padded, kernel, "valid", "direct")[0][::2, ::2]
        mean, variance, gain, offset = (
            weights[f"_bn0.{part}"][channel]
            for part in ("running_mean", "running_var", "weight", "bias")
        )
        expected = np.clip((raw - mean) / np.sqrt(variance + 1e-3) * gain + offset, 0, 6)
        np.testing.assert_allclose(found[channel], expected, atol=1e-4)


@needs_lite2
def test_a_body_looks_the_same_moved_and_other_than_another() -> None:
    from sklearn.datasets import load_sample_image

    china, flower = (load_sample_image(n)[..., ::-1].copy() for n in ("china.jpg", "flower.jpg"))
    picture = np.zeros((600, 900, 3), np.uint8)
    picture[50:350, 40:240], picture[150:450, 500:700] = (
        china[60:360, 200:400],
        flower[60:360, 200:400],
    )
    moved = np.roll(picture, (60, 30), axis=(0, 1))
    looker = Looker(picture_network("efficientnet-lite2", InputRecipe(260, 260)))
    boxes = np.array([[40.0, 50, 200, 300], [500, 150, 200, 300]])
    first, second = (
        looker.look(picture, boxes),
        looker.look(moved, boxes + np.array([30, 60, 0, 0])),
    )
    assert first.shape == (2, looker.width) == (2, 1280)
    np.testing.assert_allclose(np.linalg.norm(first, axis=1), 1, rtol=1e-5)
    alike = first @ second.T
    assert np.diag(alike).min() > 0.95 > 0.8 > alike[0, 1]


def test_any_network_with_a_map_can_look(tmp_path: Path) -> None:
    from onnx import TensorProto, helper, save

    node = helper.make_node("AveragePool", ["x"], ["y"], kernel_shape=[4, 4], strides=[4, 4])
    taken = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, 16, 16])
    given = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 3, 4, 4])
    graph = helper.make_graph([node], "pool", [taken], [given])
    path = tmp_path / "pool.onnx"
    save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8), path)
    looker = Looker(PictureNetwork(path, InputRecipe(16, 16, order="rgb")))
    picture = np.zeros((50, 50, 3), np.uint8)
    picture[...] = (0, 30, 40)
    found = looker.look(picture, np.array([[5.0, 5, 20, 20]]))
    np.testing.assert_allclose(found, [[0.8, 0.6, 0.0]], atol=1e-6)
