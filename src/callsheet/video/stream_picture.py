"""A decoded frame as the picture that players show: upright, square pixels, no comb teeth.

Scaling, pixel shape, bit depth and colour conversion happen in one swscale call; turning and
mirroring are numpy views made contiguous. Of an interlaced frame one field is kept and its
lines filled in, which needs no neighbours and so works after any seek.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from threading import get_ident
from typing import Any

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Turn:
    """The display matrix, as a transposition followed by mirrorings."""

    transpose: bool = False
    mirror_x: bool = False
    mirror_y: bool = False

    def apply(self, picture: Picture) -> Picture:
        if self.transpose:
            picture = picture.swapaxes(0, 1)
        if self.mirror_x:
            picture = picture[:, ::-1]
        if self.mirror_y:
            picture = picture[::-1]
        return np.ascontiguousarray(picture)


@dataclass(frozen=True, slots=True)
class View:
    """How frames of one film are shown: `width` x `height` before turning, then the turn."""

    width: int
    height: int
    turn: Turn = Turn()

    @property
    def shown(self) -> tuple[int, int]:
        """Displayed width and height."""
        return (self.height, self.width) if self.turn.transpose else (self.width, self.height)

    def scaled(self, height: int | None) -> View:
        """The same view at a displayed height (never enlarged)."""
        full = self.shown[1]
        if height is None or height >= full:
            return self
        share = height / full
        return View(max(2, round(self.width * share)), max(2, round(self.height * share)),
                    self.turn)  # fmt: skip

    def bgr(self, raw: Any) -> Picture:
        """(height, width, 3) BGR picture of a decoded frame."""
        return self._picture(raw, "bgr24")

    def gray(self, raw: Any) -> Picture:
        """(height, width) brightness picture of a decoded frame."""
        return self._picture(raw, "gray")

    def _picture(self, raw: Any, form: str) -> Picture:
        if raw.interlaced_frame:
            return self.turn.apply(self._field(raw, form))
        scaler = _scaler(get_ident(), self.width, self.height, form)
        small = scaler.reformat(raw, self.width, self.height, format=form, interpolation="AREA")
        return self.turn.apply(small.to_ndarray())

    def _field(self, raw: Any, form: str) -> Picture:
        import cv2

        whole = raw.reformat(self.width, raw.height, format=form).to_ndarray()
        field = np.ascontiguousarray(whole[::2])
        return np.asarray(cv2.resize(field, (self.width, self.height)), dtype=np.uint8)


@lru_cache(maxsize=32)
def _scaler(_thread: int, _width: int, _height: int, _form: str) -> Any:
    """One scaler for each thread and size: making swscale's tables costs ten times a scaling."""
    from av.video.reformatter import VideoReformatter

    return VideoReformatter()


def view_of(raw: Any, stream: Any) -> View:
    """How players show a film, from its first frame and its stream."""
    shape = stream.sample_aspect_ratio or stream.codec_context.sample_aspect_ratio
    shape = Fraction(1) if not shape or shape <= 0 else Fraction(shape)
    # Players keep the lines and stretch the rows: 720 x 576 at 64:45 is shown 1024 x 576.
    return View(max(2, round(raw.width * shape)), raw.height, _turn_of(raw))


def _turn_of(raw: Any) -> Turn:
    """Read the display matrix (nine 16.16 numbers, row vectors: x' = a x + c y)."""
    side = next((s for s in raw.side_data if s.type.name == "DISPLAYMATRIX"), None)
    if side is None:
        return Turn()
    a, b, _, c, d = struct.unpack("=5i", bytes(side)[:20])
    if abs(b) > abs(a):
        return Turn(True, mirror_x=c < 0, mirror_y=b < 0)
    return Turn(False, mirror_x=a < 0, mirror_y=d < 0)
