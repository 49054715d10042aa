"""What a shot is: a set, a framing, players with their moves, props, words and light."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from callsheet.core import BACKGROUND
from callsheet.theatre.stage.camera import Camera
from callsheet.theatre.stage.pose import Mark

FPS = 24
_DIMMING_SECONDS = 0.6


class Size(StrEnum):
    """How much of a person the picture shows."""

    CLOSE = "close"  # head and shoulders
    MEDIUM = "medium"  # to the hips
    WIDE = "wide"  # all of them


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody in a shot. `person` counts in the film's company; `action` is the truth."""

    person: int
    mark: Mark
    move: str
    action: str = BACKGROUND
    role: int = 0
    phase: float = 0.0
    look: float = 0.0  # the head is turned this much to the left all the time
    glance: float = 0.0  # and this much more for a while in the middle of the shot, radians


@dataclass(frozen=True, slots=True)
class Talk:
    """A person speaks from `start` to `end`, seconds of the shot."""

    person: int
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Framing:
    """The picture's middle, how many metres high it is there, and from where it is taken.

    `azimuth` 0 looks from the audience; `pan` moves the middle (metres right, metres up) in
    the course of the shot.
    """

    target: tuple[float, float, float]
    high: float
    azimuth: float = 0.0
    tilt: float = 0.06
    pan: tuple[float, float] = (0.0, 0.0)

    def camera(self, rows: int, columns: int) -> Camera:
        focal = 1.7 * rows
        far = self.high * focal / rows
        flat = far * np.cos(self.tilt)
        x, y, z = self.target
        eye = (
            x + flat * np.sin(self.azimuth),
            y + far * np.sin(self.tilt),
            z + flat * np.cos(self.azimuth),
        )
        return Camera(
            (float(eye[0]), float(eye[1]), float(eye[2])), self.target, focal, columns / 2, rows / 2
        )


@dataclass(frozen=True, slots=True)
class Shot:
    """Runs for `frames` frames. `light` is the overall level at first; half way through it becomes
    `dimming` times that. `flicker` 0 is steady."""

    scene: int
    frames: int
    place: str
    place_seed: int
    size: Size
    framing: Framing
    players: tuple[Player, ...]
    props: tuple[str, ...] = ()
    talks: tuple[Talk, ...] = ()
    light: float = 1.0
    dimming: float = 1.0
    warmth: float = 0.0
    flicker: float = 0.0

    @property
    def seconds(self) -> float:
        return self.frames / FPS

    def dimmed(self, number: int) -> float:
        """How strong the light is at a frame, as a share of its first level."""
        turned = (number - self.frames / 2) / (FPS * _DIMMING_SECONDS) + 0.5
        return 1.0 + (self.dimming - 1.0) * min(1.0, max(0.0, turned))
