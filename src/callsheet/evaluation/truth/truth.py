"""What truth is once it is read, whatever its form."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import InputError

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Boxes:
    """One box a row. Rows of the same `instant` are of the same picture.

    `clock` says what instants are: "frame" (numbers in decoding order, from 0) or "time".
    """

    track: Array
    instant: Array
    corners: Array  # (boxes, 4): left, top, right, bottom
    clock: str

    def __len__(self) -> int:
        return len(self.track)


@dataclass(frozen=True, slots=True)
class Truth:
    """Labels of truth tracks (None: not told), and their boxes.

    Without boxes the ids are those of the predicted tracks themselves.
    """

    track: Array
    person: tuple[str | None, ...]
    action: tuple[str | None, ...]
    kind: tuple[str | None, ...]  # face, body or not told
    boxes: Boxes | None
    form: str


def read_text(path: Path) -> str:
    """The text of a truth file in UTF-8, with or without a mark at its start."""
    content = path.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise InputError(
            f"{path}, line {line}: not text in UTF-8 ({error.reason}); save the file as UTF-8"
        ) from error


def box_corners(left: Any, top: Any, width: Any, height: Any) -> Array:
    """Corners (left, top, right, bottom) of boxes given by their size."""
    left, top = np.asarray(left, float), np.asarray(top, float)
    return np.stack([left, top, left + np.asarray(width), top + np.asarray(height)], axis=1)
