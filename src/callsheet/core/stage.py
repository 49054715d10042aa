"""What a stage reports back: counts for the summary table, warnings, and progress on the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Progress = Callable[[float], None]
"""Told the share done, 0 to 1, from time to time; may raise KeyboardInterrupt to stop."""


def no_progress(_share: float) -> None:
    """For callers who do not watch."""


@dataclass(frozen=True, slots=True)
class StageResult:
    """Counts (JSON-able) and warnings (whole sentences) of one finished stage of one film."""

    summary: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
