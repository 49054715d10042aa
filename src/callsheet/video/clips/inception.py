"""I3D (Carreira and Zisserman 2017) as an ONNX graph up to its pooled last features.

Inception-v1 with every convolution and pooling stretched over time: a stem, nine Inception
modules with poolings between, and the mean of the last features over place and time. Each
convolution is followed by a batch normalisation without gain, which is folded into it; padding
is TensorFlow's "same". Sixteen pictures in, 1,024 numbers out. With the published classifier on
top (`logits=True`) the network names the 400 actions of Kinetics.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import ModelFileError
from callsheet.video.clips.checkpoint import read_arrays
from callsheet.video.drawing import Axes, Drawing, folded

FRAMES = 16
_EPSILON = 1e-3
_PARTS = ("3b", "3c", "4a", "4b", "4c", "4d", "4e", "4f", "5a", "5b", "5c")
_POOLING_SIDE = {"4a": 3, "5a": 2}
"""The parts that are poolings, which halve time and place, and their side; the rest are modules."""

Weights = Mapping[str, NDArray[Any]]


def convert_i3d(checkpoint: Path, target: Path) -> None:
    """Write the ONNX network of the published checkpoint."""
    import onnx

    weights = read_arrays(checkpoint)
    try:
        model = i3d_graph(weights)
    except KeyError as error:
        raise ModelFileError(
            f"{checkpoint} is not I3D: it has no array {error}", path=str(checkpoint)
        ) from error
    target.write_bytes(onnx.ModelProto.SerializeToString(model))


def i3d_graph(weights: Weights, *, logits: bool = False) -> Any:
    """The ONNX model: `clips` (n, 16, height, width, 3) -> `features` (n, 1024), or the 400
    scores of the classes."""
    net = _Net(Drawing(), weights)
    last = net.drawing.add("Transpose", ["clips"], "channels_first", perm=[0, 4, 1, 2, 3])
    last = net.stem(last)
    for part in _PARTS:
        side = _POOLING_SIDE.get(part)
        last = net.module(last, part) if side is None else net.pooled(last, side, f"MaxPool_{part}")
    last = net.drawing.add("GlobalAveragePool", [last], "mean")
    last = net.drawing.add("Flatten", [last], "features")
    width = 1024
    if logits:
        last, width = net.classified(last), 400
    takes: Axes = ("n", FRAMES, "h", "w", 3)
    return net.drawing.model("i3d", ("clips", takes), (last, ("n", width)))


@dataclass(frozen=True, slots=True)
class _Net:
    """The network's pieces, drawn in order."""

    drawing: Drawing
    weights: Weights

    def stem(self, last: str) -> str:
        last = self.convolved(last, "Conv3d_1a_7x7", stride=2)
        last = self.pooled(last, 3, "MaxPool_2a", in_time=False)
        last = self.convolved(last, "Conv3d_2b_1x1")
        last = self.convolved(last, "Conv3d_2c_3x3")
        return self.pooled(last, 3, "MaxPool_3a", in_time=False)

    def module(self, last: str, name: str) -> str:
        """Four ways side by side: 1, 1 then 3, 1 then 3, pooling then 1."""
        way = f"Mixed_{name}/Branch_"
        plain = self.convolved(last, f"{way}0/Conv3d_0a_1x1")
        threes = [
            self.convolved(self.convolved(last, f"{way}{n}/Conv3d_0a_1x1"),
                           f"{way}{n}/Conv3d_0b_3x3")
            for n in (1, 2)
        ]  # fmt: skip
        pool = self.drawing.add("MaxPool", [last], f"{way}3/pool", auto_pad="SAME_UPPER",
                                kernel_shape=[3, 3, 3], strides=[1, 1, 1])  # fmt: skip
        pooled = self.convolved(pool, f"{way}3/Conv3d_0b_1x1")
        return self.drawing.add("Concat", [plain, *threes, pooled], f"Mixed_{name}", axis=1)

    def pooled(self, last: str, side: int, name: str, *, in_time: bool = True) -> str:
        return self.drawing.add(
            "MaxPool", [last], name, auto_pad="SAME_UPPER",
            kernel_shape=[side if in_time else 1, side, side],
            strides=[2 if in_time else 1, 2, 2],
        )  # fmt: skip

    def convolved(self, last: str, name: str, *, stride: int = 1) -> str:
        kernel, offset = self._folded(name)
        inputs = [
            last,
            self.drawing.constant(f"{name}/kernel", kernel),
            self.drawing.constant(f"{name}/offset", offset),
        ]
        out = self.drawing.add(
            "Conv", inputs, f"{name}/out", auto_pad="SAME_UPPER", strides=[stride] * 3,
            kernel_shape=list(kernel.shape[2:]),
        )  # fmt: skip
        return self.drawing.add("Relu", [out], f"{name}/rectified")

    def classified(self, last: str) -> str:
        kernel = self.weights["params/Logits/Conv3d_0c_1x1/Conv_0/kernel"][0, 0, 0]
        bias = self.weights["params/Logits/Conv3d_0c_1x1/Conv_0/bias"]
        inputs = [last, self.drawing.constant("logits/kernel", kernel),
                  self.drawing.constant("logits/bias", bias)]  # fmt: skip
        return self.drawing.add("Gemm", inputs, "logits")

    def _folded(self, name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        kernel = self.weights[f"params/{name}/Conv_0/kernel"]
        mean, variance = (
            self.weights[f"batch_stats/{name}/BatchNorm_0/{part}"].reshape(-1)
            for part in ("mean", "var")
        )
        # (time, rows, columns, in, out) -> (out, in, time, rows, columns)
        return folded(
            kernel.transpose(4, 3, 0, 1, 2), mean, variance, gain=1.0,
            offset=self.weights[f"params/{name}/BatchNorm_0/bias"], epsilon=_EPSILON,
        )  # fmt: skip
