"""Read the tensors of a PyTorch checkpoint without PyTorch, and without trusting it.

The file is five pickles (a magic number, a version, the machine's sizes, the tensors' shapes, the
storages' keys) followed by the raw numbers of each storage. The unpickler below builds nothing
but ordered dictionaries and descriptions of tensors; any other name in the file is refused, so
that a checkpoint cannot run code.
"""

from __future__ import annotations

import pickle
import struct
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import ModelFileError

_MAGIC = 0x1950A86A20F9469CFC6C
_STORAGES: dict[str, np.dtype[Any]] = {
    "FloatStorage": np.dtype("<f4"),
    "LongStorage": np.dtype("<i8"),
}


@dataclass(frozen=True, slots=True)
class _Tensor:
    """Where a tensor's numbers lie: storage, first element, shape and steps in elements."""

    storage: tuple[Any, ...]
    offset: int
    shape: tuple[int, ...]
    steps: tuple[int, ...]


def read_checkpoint(path: Path) -> dict[str, NDArray[Any]]:
    """Name -> array, of a checkpoint in PyTorch's format of before version 1.6."""
    try:
        with path.open("rb") as file:
            return _read(file)
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, KeyError, struct.error,
            AttributeError, IndexError) as error:  # fmt: skip
        raise ModelFileError(
            f"{path} is not a PyTorch checkpoint that can be read: {error}", path=str(path)
        ) from error


def _read(file: IO[bytes]) -> dict[str, NDArray[Any]]:
    magic, _version, machine, tensors, keys = (_Unpickler(file).load() for _ in range(5))
    if magic != _MAGIC or not machine["little_endian"]:
        raise ValueError("its first numbers are not those of a little-endian checkpoint")
    kinds = {tensor.storage[2]: tensor.storage[1] for tensor in tensors.values()}
    storages = {key: _storage(file, _STORAGES[kinds[key]]) for key in keys}
    return {name: _array(tensor, storages) for name, tensor in tensors.items()}


def _storage(file: IO[bytes], kind: np.dtype[Any]) -> NDArray[Any]:
    (count,) = struct.unpack("<q", file.read(8))
    content = file.read(count * kind.itemsize)
    return np.frombuffer(content, kind, count)


def _array(tensor: _Tensor, storages: dict[str, NDArray[Any]]) -> NDArray[Any]:
    numbers = storages[tensor.storage[2]][tensor.offset :]
    last = sum((n - 1) * step for n, step in zip(tensor.shape, tensor.steps, strict=True))
    if last >= len(numbers) or min(tensor.steps, default=0) < 0:
        raise ValueError("a tensor reaches beyond its storage")
    steps = [step * numbers.itemsize for step in tensor.steps]
    view = np.lib.stride_tricks.as_strided(numbers, tensor.shape, steps, writeable=False)
    return np.ascontiguousarray(view)


def _describe(
    storage: tuple[Any, ...], offset: int, shape: tuple[int, ...], steps: tuple[int, ...], *_: Any
) -> _Tensor:
    return _Tensor(storage, int(offset), tuple(map(int, shape)), tuple(map(int, steps)))


class _Unpickler(pickle.Unpickler):
    """Knows three names and refuses all others."""

    def find_class(self, module: str, name: str) -> Any:
        known: dict[tuple[str, str], Callable[..., Any] | str] = {
            ("collections", "OrderedDict"): OrderedDict,
            ("torch._utils", "_rebuild_tensor_v2"): _describe,
            **{("torch", storage): storage for storage in _STORAGES},
        }
        if (module, name) not in known:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}, which is refused")
        return known[module, name]

    def persistent_load(self, pid: Any) -> Any:
        return pid
