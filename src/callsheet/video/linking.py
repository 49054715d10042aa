"""Which body a face belongs to: the paper's overlap measure and its two-sided choice.

O(a, b) = sum over the frames of face a of area(a ∩ b) / area(a). Each face takes the body with
the largest O; of several faces that took one body, the one with the largest O keeps it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from callsheet.video.geometry import areas, shared_area
from callsheet.video.tracking.tracklet import Tracklet, are_apart


def link_faces(
    faces: Sequence[Tracklet], bodies: Sequence[Tracklet], *, least: float = 0.0
) -> dict[int, int]:
    """Face index -> body index, one to one.

    `least` is the least mean share of the face that lies in the body, over the frames that both
    have; 0 is the paper's choice, which links a face to any body it touches.
    """
    total, mean = _overlaps(faces, bodies)
    total = np.where(mean >= least, total, 0.0)
    if total.size == 0:
        return {}
    return _two_sided(total)


def overlap(face: Tracklet, body: Tracklet) -> float:
    """O(face, body) of the paper."""
    return float(_shares(face, body).sum())


def _two_sided(total: NDArray[np.float64]) -> dict[int, int]:
    body_of = total.argmax(axis=1)
    links: dict[int, int] = {}
    for body in np.unique(body_of):
        takers = np.flatnonzero((body_of == body) & (total[:, body] > 0))
        if len(takers):
            links[int(takers[total[takers, body].argmax()])] = int(body)
    return links


def _overlaps(
    faces: Sequence[Tracklet], bodies: Sequence[Tracklet]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(faces, bodies): O, and the mean share over common frames."""
    total = np.zeros((len(faces), len(bodies)))
    mean = np.zeros_like(total)
    for i, face in enumerate(faces):
        for j, body in enumerate(bodies):
            shares = np.empty(0) if are_apart(face, body) else _shares(face, body)
            total[i, j] = shares.sum()
            mean[i, j] = shares.mean() if len(shares) else 0.0
    return total, mean


def _shares(face: Tracklet, body: Tracklet) -> NDArray[np.float64]:
    """Share of the face inside the body, in each frame that both have."""
    _, mine, its = np.intersect1d(face.frames, body.frames, return_indices=True)
    inside, own = shared_area(face.boxes[mine], body.boxes[its]), areas(face.boxes[mine])
    return np.divide(inside, own, out=np.zeros_like(inside), where=own > 0)
