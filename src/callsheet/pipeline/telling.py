"""An error as one sentence, where a boundary holds it back so that others can go on."""

from __future__ import annotations

import traceback
from pathlib import Path

from callsheet.errors import CallsheetError


def told(error: Exception) -> str:
    """What went wrong; of an error that nobody foresaw also its type and where it rose."""
    if isinstance(error, CallsheetError):
        return error.message
    if isinstance(error, OSError | MemoryError):
        return f"{type(error).__name__}: {error}"
    frames = traceback.extract_tb(error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"unexpected {type(error).__name__}: {error}{where} (a bug in callsheet)"
