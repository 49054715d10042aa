"""How labels are judged."""

from __future__ import annotations

from dataclasses import dataclass

from callsheet.errors import SettingsError


@dataclass(frozen=True, slots=True)
class EvaluationSettings:
    """Matching of tracks and the bootstrap."""

    overlap: float = 0.5  # a predicted track shows what the truth track of this mean box IoU shows
    draws: int = 1000  # resamplings for the interval
    level: float = 0.95  # of the interval
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.overlap <= 1:
            raise SettingsError(f"overlap must lie in (0, 1], got {self.overlap}")
        if self.draws < 0:
            raise SettingsError(f"draws must not be negative, got {self.draws}")
        if not 0 < self.level < 1:
            raise SettingsError(f"level must lie between 0 and 1, got {self.level}")
