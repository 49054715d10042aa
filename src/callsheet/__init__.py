"""callsheet: who is on screen and what they do, from films, screenplays and subtitles alone.

Names are loaded when first used, so that `import callsheet` stays quick and light.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from callsheet._version import __version__
from callsheet.errors import CallsheetError

_WHERE = {
    "Library": "callsheet.pipeline.library",
    "BagClassifier": "callsheet.model.bag_classifier",
}

__all__ = ["CallsheetError", "__version__"]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return getattr(import_module(_WHERE[name]), name)
    raise AttributeError(f"module 'callsheet' has no attribute {name!r}")
