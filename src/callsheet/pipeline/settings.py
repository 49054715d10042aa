"""The tree of all settings, one section a part. Defaults are the rooms' own.

Loaded lazily by section, so that reading settings does not import what is not used.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How `callsheet run` works."""

    seed: int = 0  # of everything random
    workers: int = 0  # processes; 0: one a core


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set in `callsheet.toml`."""

    run: RunSettings = field(default_factory=RunSettings)
