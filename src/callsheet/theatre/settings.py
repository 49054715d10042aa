"""Settings of the theatre: the stage (films with pictures) and the world (tables only)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StageSettings:
    """How puppet films are made."""

    seconds: float = 60.0  # length of each film
    told: float = 0.72  # share of the played actions that the script describes
    jitter: float = 0.12  # spread of the subtitles' timing error, seconds
    studio_every: int = 3  # every n-th film has a typewriter-layout script; 0: none
