"""The script wing is cheap to import, and every name it promises is there."""

from __future__ import annotations

import subprocess
import sys

import pytest

import callsheet.text

HEAVY = "('numba', 'scipy', 'spacy', 'sklearn', 'pysubs2', 'callsheet.text.alignment')"


def test_importing_the_wing_loads_none_of_its_parts() -> None:
    code = (
        "import callsheet.text, callsheet.text.settings, sys\n"
        f"print([m for m in {HEAVY} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", callsheet.text.__all__)
def test_every_promised_name_loads(name: str) -> None:
    assert getattr(callsheet.text, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no nothing"):
        callsheet.text.nothing  # noqa: B018
