"""The made film, as a folder and as a sheet."""

from pathlib import Path

import pytest

from callsheet.report.sheet import Sheet, read_sheet
from made_film import write_film


@pytest.fixture
def film_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "casablanca"
    write_film(folder)
    return folder


@pytest.fixture
def sheet(film_folder: Path) -> Sheet:
    return read_sheet("casablanca", film_folder)
