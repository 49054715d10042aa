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

    def __post_init__(self) -> None:
        for name in ("least_confidence", "speaking"):
            if not 0 <= getattr(self, name) <= 1:
                raise SettingsError(f"{name} must lie in 0 to 1, got {getattr(self, name)}")
