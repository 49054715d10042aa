"""How a run is watched."""

from __future__ import annotations

from collections.abc import Callable

Watch = Callable[[str, str, float], None]
"""Told film, stage and share done (0 to 1); may be called from another thread."""


def nobody_watches(_film: str, _stage: str, _share: float) -> None:
    """For runs that show no progress."""
