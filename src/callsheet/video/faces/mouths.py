"""How much a mouth moves from one picture to the next (Everingham, Sivic, Zisserman 2006).

The face is aligned, and the mouth's region compared with that of the picture before at the best
of a few shifts, so that the wobble of the alignment does not count. The same is done for a
region around the nose, which does not speak: what both regions share (blur, noise, turning of
the head, changing light) is taken off. Differences are told in units of the face's own contrast.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from callsheet.video.faces.alignment import TEMPLATE, similarity, warped
from callsheet.video.stream_picture import Picture

_SIDE = 112
_REACH = 3
"""Shifts tried on each side, pixels of the aligned face."""
_LEAST_CONTRAST = 8.0
_MOUTH = (slice(78, 108), slice(34, 78))
_STILL_PART = (slice(42, 74), slice(34, 78))


@dataclass(frozen=True, slots=True)
class AlignedFace:
    """A brightness picture of the whole face (112, 112), contrast made one."""

    values: NDArray[np.float32]


def aligned_gray(gray: Picture, points: NDArray[np.floating]) -> AlignedFace:
    """Align a face of a brightness picture by its five landmarks."""
    face = warped(gray, similarity(points, TEMPLATE), (_SIDE, _SIDE)).astype(np.float32)
    inner = face[30:, 24:88]
    return AlignedFace((face - inner.mean()) / max(float(inner.std()), _LEAST_CONTRAST))


def mouth_motion(before: AlignedFace, after: AlignedFace) -> float:
    """0 (the mouth moves no more than the rest of the face) upwards."""
    mouth = _difference(before, after, _MOUTH)
    rest = _difference(before, after, _STILL_PART)
    return float(np.sqrt(max(0.0, mouth - rest)))


def _difference(before: AlignedFace, after: AlignedFace, part: tuple[slice, slice]) -> float:
    """Mean squared difference of a region at the best shift."""
    rows, columns = part
    wide = after.values[
        rows.start - _REACH : rows.stop + _REACH, columns.start - _REACH : columns.stop + _REACH
    ]
    region = before.values[part]
    sums = cv2.matchTemplate(wide, region, cv2.TM_SQDIFF)
    return float(sums.min()) / region.size
