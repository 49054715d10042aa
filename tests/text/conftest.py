"""Lets the tests of this room import their neighbours (`pages`)."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
