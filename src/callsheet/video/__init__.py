"""The picture wing: video in, shots, tracks and descriptors out.

Its parts: `stream` (frames with exact times), `shots` (cuts), `models` (pretrained networks),
`detection` (boxes in one frame), `tracking` (boxes linked over time), `linking` (face <-> body),
`describing` (one reading that describes all tracks, with `faces`, `trajectories`, `appearance`),
`speaking` (whose mouth moves during a cue).
The names below load their part when they are first used, so that importing the wing is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from callsheet.video.describing import make_features
    from callsheet.video.settings import (
        FeatureSettings,
        ShotSettings,
        SpeakingSettings,
        TrackSettings,
    )
    from callsheet.video.shots import make_shots
    from callsheet.video.speaking import make_speaking
    from callsheet.video.stream import Frame, open_film
    from callsheet.video.tracks import make_tracks

_HOMES = {
    "FeatureSettings": "callsheet.video.settings",
    "Frame": "callsheet.video.stream",
    "ShotSettings": "callsheet.video.settings",
    "SpeakingSettings": "callsheet.video.settings",
    "TrackSettings": "callsheet.video.settings",
    "make_features": "callsheet.video.describing",
    "make_shots": "callsheet.video.shots",
    "make_speaking": "callsheet.video.speaking",
    "make_tracks": "callsheet.video.tracks",
    "open_film": "callsheet.video.stream",
}

__all__ = [
    "FeatureSettings",
    "Frame",
    "ShotSettings",
    "SpeakingSettings",
    "TrackSettings",
    "make_features",
    "make_shots",
    "make_speaking",
    "make_tracks",
    "open_film",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"callsheet.video has no {name}")
    return getattr(import_module(_HOMES[name]), name)
