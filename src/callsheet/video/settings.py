"""Settings of the picture wing: what can be turned, with its default and meaning."""

from __future__ import annotations

from dataclasses import dataclass

from callsheet.errors import SettingsError


@dataclass(frozen=True, slots=True)
class ShotSettings:
    """How cuts are found."""

    detector: str = "adaptive"  # adaptive (forgives camera motion) or content (plain difference)
    threshold: float = 0.0  # of the detector; 0: its own default (adaptive 3, content 27)
    min_seconds: float = 0.4  # no shot is shorter
    height: int = 144  # pixels; pictures are shrunk to this before they are compared

    def __post_init__(self) -> None:
        _one_of("detector", self.detector, ("adaptive", "content"))
        _at_least("threshold", self.threshold, 0)
        _at_least("min_seconds", self.min_seconds, 0)
        _at_least("height", self.height, 16)


@dataclass(frozen=True, slots=True)
class TrackSettings:
    """How faces and persons are detected and followed."""

    every: int = 5  # detect on every n-th frame, follow the motion between
    height: int = 360  # pixels; pictures are shrunk to this for detecting and following
    faces: bool = True  # look for faces
    bodies: bool = True  # look for persons
    face_model: str = "yunet"  # a name of `callsheet models list`, or a file
    person_model: str = "ssd-person"  # a name of `callsheet models list`, or a file
    face_confidence: float = 0.6  # a detection below never starts a track
    person_confidence: float = 0.4  # a detection below never starts a track
    low_confidence: float = 0.5  # share of the above from which a detection continues a track
    min_face: int = 12  # pixels of height at `height`; smaller faces are left out
    overlap: float = 0.3  # least IoU of a followed box and a detection to be one person
    bridge_seconds: float = 1.0  # longest time a track may go unseen
    min_seconds: float = 0.2  # shorter tracks are dropped
    min_detections: int = 2  # tracks with fewer are dropped
    smooth_seconds: float = 0.2  # boxes are smoothed over about this time
    link_overlap: float = 0.5  # least share of a face within its body, over their common frames

    def __post_init__(self) -> None:
        for name in ("every", "min_detections"):
            _at_least(name, getattr(self, name), 1)
        for name in ("face_confidence", "person_confidence", "low_confidence", "overlap",
                     "link_overlap"):  # fmt: skip
            _share(name, getattr(self, name))
        for name in ("bridge_seconds", "min_seconds", "smooth_seconds", "min_face"):
            _at_least(name, getattr(self, name), 0)
        _at_least("height", self.height, 64)


def _one_of(name: str, got: str, choices: tuple[str, ...]) -> None:
    if got not in choices:
        raise SettingsError(f"{name} must be one of {', '.join(choices)}, got {got}")


def _at_least(name: str, got: float, least: float) -> None:
    if not got >= least:
        raise SettingsError(f"{name} must be at least {least}, got {got}")


def _share(name: str, got: float) -> None:
    if not 0 <= got <= 1:
        raise SettingsError(f"{name} must lie between 0 and 1, got {got}")
