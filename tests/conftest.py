"""Shared by all tests: where the measuring data lies, and how to skip without it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # a busy machine is no failure
settings.load_profile("untimed")

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real data that is measured against but never part of the repository."""
    if not SHARED.is_dir():
        pytest.skip("../shared/data is absent: real data to measure against is not at hand")
    return SHARED
