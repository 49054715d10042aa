"""The picture wing: video in, shots, tracks and descriptors out.

Its parts: `stream` (frames with exact times), `shots` (cuts), `models` (pretrained networks),
`detection` (boxes in one frame), `tracking` (boxes linked over time), `linking` (face <-> body).
The names below load their part when they are first used, so that importing the wing is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from callsheet.video.settings import ShotSettings, TrackSettings
    from callsheet.video.shots import make_shots
    from callsheet.video.stream import Frame, open_film
    from callsheet.video.tracks import make_tracks

_HOMES = {
    "Frame": "callsheet.video.stream",
    "ShotSettings": "callsheet.video.settings",
    "TrackSettings": "callsheet.video.settings",
    "make_shots": "callsheet.video.shots",
    "make_tracks": "callsheet.video.tracks",
    "open_film": "callsheet.video.stream",
}

__all__ = ["Frame", "ShotSettings", "TrackSettings", "make_shots", "make_tracks", "open_film"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"callsheet.video has no {name}")
    return getattr(import_module(_HOMES[name]), name)
