"""Settings of the picture wing: what can be turned, with its default and meaning."""

from __future__ import annotations

from dataclasses import dataclass

from callsheet.errors import SettingsError

CHANNELS = ("hof", "mbhx", "mbhy", "appearance", "clip")
"""Of the body descriptor; `clip` only when asked for."""


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
    face_confidence: float = 0.5  # a detection below never starts a track
    person_confidence: float = 0.4  # a detection below never starts a track
    low_confidence: float = 0.5  # share of the above from which a detection continues a track
    min_face: int = 12  # pixels of height at `height`; smaller faces are left out
    overlap: float = 0.3  # least IoU of a followed box and a detection to be one person
    bridge_seconds: float = 0.8  # longest time a track may go unseen
    min_seconds: float = 0.2  # shorter tracks are dropped
    min_detections: int = 2  # tracklets with fewer are dropped before they are joined
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


@dataclass(frozen=True, slots=True)
class FeatureSettings:
    """How faces and bodies are described."""

    face_model: str = "sface"  # a name of `callsheet models list`, or an .onnx file
    faces_per_track: int = 5  # faces that are described and averaged
    channels: tuple[str, ...] = ("hof", "mbhx", "mbhy", "appearance")  # of bodies, in this order
    motion_height: int = 240  # pixels; trajectories are traced in pictures of this height
    motion_words: str = "default"  # the shipped words, or a file of `features --train-words`
    point_step: int = 5  # pixels between trajectories at `motion_height`
    appearance_model: str = "efficientnet-lite2"  # a name of `callsheet models list`, or a file
    appearance_every: int = 10  # frames between two looks at a body
    clip_model: str = "i3d"  # for the channel clip; a name of `callsheet models list`, or a file
    clip_every: int = 32  # frames between the starts of two clips of a body
    mouths: bool = True  # measure the motion of mouths (for `speaking`)
    thumbnails: bool = True  # keep a small picture of each track for the report
    part_seconds: float = 60.0  # of film; what is lost when a run is killed

    def __post_init__(self) -> None:
        for name in ("faces_per_track", "point_step", "appearance_every", "clip_every",
                     "part_seconds"):  # fmt: skip
            _at_least(name, getattr(self, name), 1)
        _at_least("motion_height", self.motion_height, 64)
        for channel in self.channels:
            _one_of("channels", channel, CHANNELS)
        if len(set(self.channels)) < len(self.channels):
            raise SettingsError(f"channels must not repeat, got {', '.join(self.channels)}")


@dataclass(frozen=True, slots=True)
class SpeakingSettings:
    """How mouth motion becomes the evidence that a face speaks."""

    min_frames: int = 5  # measures that a face needs within a cue
    half_strength: float = 0.08  # of mouth motion that scores one half; see docs/video.md

    def __post_init__(self) -> None:
        _at_least("min_frames", self.min_frames, 1)
        _at_least("half_strength", self.half_strength, 1e-6)


def _one_of(name: str, got: str, choices: tuple[str, ...]) -> None:
    if got not in choices:
        raise SettingsError(f"{name} must be one of {', '.join(choices)}, got {got}")


def _at_least(name: str, got: float, least: float) -> None:
    if not got >= least:
        raise SettingsError(f"{name} must be at least {least}, got {got}")


def _share(name: str, got: float) -> None:
    if not 0 <= got <= 1:
        raise SettingsError(f"{name} must lie between 0 and 1, got {got}")
