"""Cuts are found where they were made; given cuts are taken as they are."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from callsheet.errors import InputError, SettingsError
from callsheet.store import SCHEMAS, read_rows
from callsheet.video.settings import ShotSettings
from callsheet.video.shots import find_shots, make_shots, read_cuts, shots_from_cuts
from callsheet.video.stream import open_film
from video.films import write_film


def scenes(lengths: list[int], *, pan: int = 1) -> list[np.ndarray]:
    """Shots of textured backdrops that the camera pans over."""
    rng = np.random.default_rng(1)
    pictures = []
    for length in lengths:
        blocks = rng.integers(0, 255, (6, 40, 3), dtype=np.uint8)
        wide = np.kron(blocks, np.ones((16, 16, 1), np.uint8))
        pictures += [wide[:96, pan * f : pan * f + 160].copy() for f in range(length)]
    return pictures


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_film(tmp_path_factory.mktemp("shots") / "cuts.mp4", scenes([40, 25, 60]))


@pytest.mark.parametrize("detector", ["adaptive", "content"])
def test_cuts_are_found_to_the_frame(film: Path, detector: str) -> None:
    shots = find_shots(open_film(film), ShotSettings(detector=detector))
    starts = [shot.span.start for shot in shots]
    assert starts == pytest.approx([0, 40 / 24, 65 / 24])
    assert shots[-1].span.end == pytest.approx(125 / 24)


def test_shots_tile_the_film(film: Path, tmp_path: Path) -> None:
    told: list[float] = []
    result = make_shots(film, tmp_path, progress=told.append)
    rows = read_rows(tmp_path / "shots.parquet", SCHEMAS["shots"])
    assert result.summary["shots"] == len(rows) == 3
    assert [r["shot"] for r in rows] == [0, 1, 2]
    assert all(a["end"] == b["start"] for a, b in pairwise(rows))
    assert told == sorted(told)
    assert told[-1] == 1


def test_given_cuts(film: Path, tmp_path: Path) -> None:
    path = tmp_path / "cuts.txt"
    path.write_text("# of an editor\n2.5\n\n1.0  # early\n-3\n99\n")
    shots = shots_from_cuts(open_film(film), read_cuts(path))
    assert [s.span.start for s in shots] == [0, 1.0, 2.5]
    assert shots[-1].span.end == pytest.approx(125 / 24)
    path.write_text("1.0\nabc\n")
    with pytest.raises(InputError, match=r"cuts\.txt:2: expected a cut in seconds, got abc"):
        read_cuts(path)


@pytest.mark.parametrize("detector", ["adaptive", "content"])
def test_quick_cuts_and_long_shots_only(tmp_path: Path, detector: str) -> None:
    """Cuts that are merged for longer than a thousand frames are told that late."""
    rng = np.random.default_rng(0)
    lengths = [1300, 400, 400, 400, 400, 400, 1300]
    stills = [rng.integers(0, 255, (36, 64, 3), dtype=np.uint8) for _ in lengths]
    pictures = [still for still, n in zip(stills, lengths, strict=True) for _ in range(n)]
    path = write_film(tmp_path / "quick.mp4", pictures, options={"preset": "ultrafast"})
    shots = find_shots(open_film(path), ShotSettings(detector=detector, min_seconds=50.0))
    assert shots[0].span.start == 0
    assert shots[-1].span.end == pytest.approx(sum(lengths) / 24)
    assert all(shot.span.duration >= 50 for shot in shots[1:-1])


def test_settings_are_checked() -> None:
    with pytest.raises(SettingsError, match="adaptive, content, got magic"):
        ShotSettings(detector="magic")


def test_verb(film: Path, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from callsheet.cli.verbs.shots import command

    done = CliRunner().invoke(command, [str(film), "--json", "--out", str(tmp_path)])
    assert done.exit_code == 0
    assert done.output.count('"start"') == 3
    assert len(read_rows(tmp_path / "shots.parquet", SCHEMAS["shots"])) == 3
    (stream,) = read_rows(tmp_path / "stream.parquet", SCHEMAS["stream"])
    assert (stream["frames"], stream["width"], stream["height"]) == (125, 160, 96)
    cuts = tmp_path / "cuts.txt"
    cuts.write_text("2.5\n")
    plain = CliRunner().invoke(command, [str(film), "--cuts", str(cuts)])
    assert [float(line.split()[1]) for line in plain.output.splitlines()] == [0, 2.5]
