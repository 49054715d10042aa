"""EfficientNet-Lite2 as an ONNX graph up to its last feature map, made from its checkpoint.

Tan and Le 2019, the "lite" form: no squeeze-and-excitation, ReLU6, stem and head not widened.
Every convolution is followed by a batch normalisation, which is folded into it here; padding is
TensorFlow's "same". Height and width of the input are free, the map is 1/32 of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import ModelFileError
from callsheet.video.appearance.checkpoint import read_checkpoint
from callsheet.video.drawing import Drawing, folded

_EPSILON = 1e-3
_STRIDE_OF_STAGE = (1, 2, 2, 2, 1, 2, 1)
_REPEATS = (1, 3, 3, 4, 4, 5, 1)
"""Depth 1.2 times that of B0, rounded up; first and last stage are not deepened."""

Weights = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True)
class _Layer:
    """One convolution with its normalisation: names in the checkpoint and its step."""

    convolution: str
    normalisation: str
    stride: int = 1
    bounded: bool = True


def convert_lite2(checkpoint: Path, target: Path) -> None:
    """Write the ONNX network of an EfficientNet-Lite2 checkpoint."""
    import onnx

    weights = read_checkpoint(checkpoint)
    try:
        model = lite2_graph(weights)
    except KeyError as error:
        raise ModelFileError(
            f"{checkpoint} is not EfficientNet-Lite2: it has no tensor {error}",
            path=str(checkpoint),
        ) from error
    target.write_bytes(onnx.ModelProto.SerializeToString(model))


def lite2_graph(weights: Weights) -> Any:
    """The ONNX model: `pictures` (n, 3, height, width) -> `map` (n, 1280, h/32, w/32)."""
    drawing = Drawing()
    drawing.constant("zero", np.array(0, np.float32))
    drawing.constant("six", np.array(6, np.float32))
    last = _layer(drawing, weights, "pictures", _Layer("_conv_stem", "_bn0", stride=2))
    for block, stride in enumerate(_strides()):
        last = _block(drawing, weights, last, f"_blocks.{block}.", stride)
    last = _layer(drawing, weights, last, _Layer("_conv_head", "_bn1"))
    drawing.add("Identity", [last], "map")
    return drawing.model(
        "efficientnet-lite2",
        ("pictures", ["n", 3, "h", "w"]),
        ("map", ["n", 1280, "mh", "mw"]),
    )


def _strides() -> Iterator[int]:
    """The step of each block: the first of a stage may halve the picture."""
    for repeats, stride in zip(_REPEATS, _STRIDE_OF_STAGE, strict=True):
        yield from (stride, *[1] * (repeats - 1))


def _block(drawing: Drawing, weights: Weights, taken: str, prefix: str, stride: int) -> str:
    """Widen, look around channel by channel, narrow; add the input where the shape allows."""
    last = taken
    if f"{prefix}_expand_conv.weight" in weights:
        last = _layer(drawing, weights, last, _Layer(f"{prefix}_expand_conv", f"{prefix}_bn0"))
    last = _layer(
        drawing, weights, last, _Layer(f"{prefix}_depthwise_conv", f"{prefix}_bn1", stride)
    )
    narrow = _Layer(f"{prefix}_project_conv", f"{prefix}_bn2", bounded=False)
    last = _layer(drawing, weights, last, narrow)
    if stride == 1 and _channels_in(weights, prefix) == _channels_out(weights, prefix):
        return drawing.add("Add", [last, taken], f"{prefix}sum")
    return last


def _layer(drawing: Drawing, weights: Weights, taken: str, layer: _Layer) -> str:
    kernel, offset = _folded(weights, layer)
    groups = kernel.shape[0] if kernel.shape[1] == 1 and kernel.shape[2] > 1 else 1
    inputs = [
        taken,
        drawing.constant(f"{layer.convolution}.kernel", kernel),
        drawing.constant(f"{layer.convolution}.offset", offset),
    ]
    last = drawing.add(
        "Conv", inputs, f"{layer.convolution}.out", auto_pad="SAME_UPPER", group=groups,
        strides=[layer.stride] * 2, kernel_shape=list(kernel.shape[2:]),
    )  # fmt: skip
    if layer.bounded:
        last = drawing.add("Clip", [last, "zero", "six"], f"{layer.convolution}.bounded")
    return last


def _folded(weights: Weights, layer: _Layer) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Kernel and offset of the convolution with its batch normalisation multiplied in."""
    mean, variance, gain, offset = (
        weights[f"{layer.normalisation}.{part}"]
        for part in ("running_mean", "running_var", "weight", "bias")
    )
    kernel = weights[f"{layer.convolution}.weight"]
    return folded(kernel, mean, variance, gain=gain, offset=offset, epsilon=_EPSILON)


def _channels_in(weights: Weights, prefix: str) -> int:
    wide = f"{prefix}_expand_conv.weight"
    if wide in weights:
        return int(weights[wide].shape[1])
    return int(weights[f"{prefix}_depthwise_conv.weight"].shape[0])


def _channels_out(weights: Weights, prefix: str) -> int:
    return int(weights[f"{prefix}_project_conv.weight"].shape[0])
