"""A file that cannot be read and a file that is damaged are two different things to mend."""

from __future__ import annotations

from pathlib import Path

from callsheet.errors import StoreError


def read_failed(path: Path, error: Exception, damage: str) -> StoreError:
    """Say what went wrong: the system refused (it gives a number for why), or else `damage`."""
    if isinstance(error, OSError) and error.errno is not None:
        return StoreError(
            f"cannot read {path}: {error.strerror or error}; check its permissions and its disk,"
            " then run again",
            path=str(path),
        )
    return StoreError(f"{path} is {damage}; delete it and run its stage again", path=str(path))
