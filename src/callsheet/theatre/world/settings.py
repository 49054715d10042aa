"""The dials of a world, and the numbers of the paper's 66 films that set its proportions."""

from __future__ import annotations

from dataclasses import dataclass, fields

from callsheet.core import ACTIONS
from callsheet.errors import SettingsError

TRUE_ACTIONS = dict(
    zip(ACTIONS, (146, 24, 112, 19, 28, 90, 26, 47, 74, 28, 277, 131, 59), strict=True)
)
"""Tracks that truly do each action, of 15,593 annotated in five films (the paper's Table 7)."""

TOLD_ACTIONS = dict(
    zip(ACTIONS, (237, 85, 146, 46, 49, 70, 81, 244, 44, 99, 156, 208, 169), strict=True)
)
"""Statements of each action in the scripts of 66 films (the paper's Table 7)."""

ACTION_SHARE = 1061 / 15593
"""Share of tracks that do one of the actions."""


@dataclass(frozen=True, slots=True)
class WorldSettings:
    """What to simulate; separations are distances of class means in standard deviations."""

    films: int = 3  # how many films
    tracks: int = 3000  # body tracks of all films together
    seed: int = 0  # same seed, same world
    dimension: int = 128  # of body descriptors
    face_dimension: int = 128  # of face descriptors
    dtype: str = "float32"  # of the stored descriptors: float32 or float16
    cast: int = 12  # named persons a film
    name_separation: float = 6.0  # how far one face lies from another
    action_separation: float = 4.0  # how far an action lies from doing nothing of note
    track_noise: float = 0.5  # extra noise of a track one second long; falls with its length
    film_style: float = 2.0  # how far a film's pictures lie from those of others
    coverage: float = 0.175  # share of true deeds that the script tells
    person_share: float = 0.3  # share of those that say who
    wrong: float = 0.15  # share of statements told at a wrong time
    name_coverage: float = 0.6  # share of presences that lines and mentions tell
    wrong_names: float = 0.1  # share of those that name somebody not seen
    wrong_mouths: float = 0.3  # share of lines during which the mouth of anyone seen moves
    extras: float = 0.35  # share of appearances of people without a name
    background_variety: float = 0.3  # 0: the same few extras; 1: each seen once
    bag_tracks: float = 8.3  # median tracks in a statement's span

    def __post_init__(self) -> None:
        for name in ("films", "tracks", "dimension", "face_dimension", "cast"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} must be at least 1, got {getattr(self, name)}")
        if self.tracks < 20 * self.films:
            raise SettingsError(
                f"a world needs 20 tracks a film, got {self.tracks} for {self.films} films"
            )
        if self.dtype not in ("float32", "float16"):
            raise SettingsError(f"dtype must be float32 or float16, got {self.dtype}")
        self._check_ranges()

    def _check_ranges(self) -> None:
        shares = ("coverage", "person_share", "wrong", "name_coverage", "wrong_names",
                  "wrong_mouths", "extras", "background_variety")  # fmt: skip
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in shares and not 0 <= value <= 1:
                raise SettingsError(f"{field.name} is a share, 0 to 1, got {value}")
            if isinstance(value, float) and not 0 <= value < float("inf"):
                raise SettingsError(f"{field.name} must be finite and not negative, got {value}")


PAPER_WORLD = WorldSettings(films=66, tracks=201_874, dimension=512)
"""As many films, tracks and statements as the paper had."""
