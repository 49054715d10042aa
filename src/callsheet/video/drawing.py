"""An ONNX graph drawn node by node, for networks that are not published in that form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_OPSET = 17
Axes = Sequence[int | str]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes and constants so far."""

    nodes: list[Any] = field(default_factory=list)
    constants: list[Any] = field(default_factory=list)

    def constant(self, name: str, value: NDArray[Any]) -> str:
        """A fixed array; returns its name."""
        from onnx import numpy_helper

        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def add(self, kind: str, inputs: list[str], output: str, **attributes: Any) -> str:
        """One node with one output; returns the output's name."""
        from onnx import helper

        self.nodes.append(helper.make_node(kind, inputs, [output], name=output, **attributes))
        return output

    def model(self, name: str, takes: tuple[str, Axes], gives: tuple[str, Axes]) -> Any:
        """The checked ONNX model with one float input and one float output (name and axes)."""
        from onnx import TensorProto, checker, helper

        taken, given = (
            helper.make_tensor_value_info(n, TensorProto.FLOAT, list(axes))
            for n, axes in (takes, gives)
        )
        graph = helper.make_graph(self.nodes, name, [taken], [given], self.constants)
        opset = [helper.make_opsetid("", _OPSET)]
        model = helper.make_model(graph, opset_imports=opset, ir_version=8)
        checker.check_model(model)
        return model


def folded(
    kernel: NDArray[Any], mean: NDArray[Any], variance: NDArray[Any], *,
    gain: NDArray[Any] | float, offset: NDArray[Any], epsilon: float,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:  # fmt: skip
    """Kernel (out, ...) and offset of a convolution with the batch normalisation behind it
    multiplied in."""
    factor = np.asarray(gain, np.float64) / np.sqrt(variance.astype(np.float64) + epsilon)
    wide = factor.reshape(-1, *[1] * (kernel.ndim - 1))
    shift = offset.astype(np.float64) - mean * factor
    return (kernel * wide).astype(np.float32), shift.astype(np.float32)
