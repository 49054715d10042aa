"""Read the arrays of I3D's published checkpoint without trusting it.

The file is a pickle of dictionaries of NumPy arrays. The unpickler below builds nothing but
arrays of plain numbers; any other name in the file is refused, so that a checkpoint cannot run
code. Nested names are joined: `params/Mixed_3b/Branch_0/Conv3d_0a_1x1/Conv_0/kernel`.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import ModelFileError

_KINDS = {"f4": np.dtype("<f4")}


def read_arrays(path: Path) -> dict[str, NDArray[np.float32]]:
    """Joined name -> array."""
    try:
        with path.open("rb") as file:
            return dict(_walked(_Unpickler(file).load(), ""))
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, KeyError, AttributeError,
            IndexError) as error:  # fmt: skip
        raise ModelFileError(
            f"{path} is not a checkpoint of arrays that can be read: {error}", path=str(path)
        ) from error


def _walked(found: Any, prefix: str) -> Iterator[tuple[str, NDArray[np.float32]]]:
    for name, value in found.items():
        if isinstance(value, _Array):
            yield f"{prefix}{name}", value.numbers()
        else:
            yield from _walked(value, f"{prefix}{name}/")


class _Kind:
    """A number type as the pickle describes it: its name, then its byte order."""

    def __init__(self, name: str, *_flags: bool) -> None:
        self.dtype = _KINDS[name]

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if state[1] != "<":
            raise ValueError("its numbers are not little-endian")


class _Array:
    """An array as the pickle describes it, checked when it becomes one."""

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _version, shape, kind, by_column, content = state
        if by_column:
            raise ValueError("its arrays are stored column by column")
        self._shape, self._kind, self._content = shape, kind, content

    def numbers(self) -> NDArray[np.float32]:
        return np.frombuffer(self._content, self._kind.dtype).reshape(self._shape)


def _empty_array(*_arguments: Any) -> _Array:
    return _Array()


class _Unpickler(pickle.Unpickler):
    """Knows three names and refuses all others."""

    def find_class(self, module: str, name: str) -> Any:
        known: dict[tuple[str, str], Callable[..., Any]] = {
            ("numpy.core.multiarray", "_reconstruct"): _empty_array,
            ("numpy", "ndarray"): _Array,
            ("numpy", "dtype"): _Kind,
        }
        if (module, name) not in known:
            raise pickle.UnpicklingError(f"it asks for {module}.{name}, which is refused")
        return known[module, name]
