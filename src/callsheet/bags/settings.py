"""How bags are made of evidence."""

from __future__ import annotations

from dataclasses import dataclass

from callsheet.errors import SettingsError


@dataclass(frozen=True, slots=True)
class BagSettings:
    """Which evidence makes a bag, of which tracks."""

    least_confidence: float = 0.0  # evidence less sure than this makes no bag
    speaking: float = 0.5  # a mouth that moves at least so much speaks
    speakers_only: bool = True  # where mouths were measured, a line's bag holds who speaks
    crowd: int = 8  # a shot is crowded when more tracks of a kind are seen at once

    def __post_init__(self) -> None:
        for name in ("least_confidence", "speaking"):
            if not 0 <= getattr(self, name) <= 1:
                raise SettingsError(f"{name} must lie in 0 to 1, got {getattr(self, name)}")
        if self.crowd < 1:
            raise SettingsError(f"crowd must be at least 1, got {self.crowd}")
