"""Puppet films with known truth: `stage` makes pictures, `world` only tables.

Names are loaded when first used: the stage needs OpenCV and PyAV, the world does not.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from callsheet.theatre.settings import StageSettings
    from callsheet.theatre.stage.library import render_library

_WHERE = {
    "StageSettings": "callsheet.theatre.settings",
    "render_library": "callsheet.theatre.stage.library",
}

__all__ = ["StageSettings", "render_library"]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'callsheet.theatre' has no attribute {name!r}")
