"""Cuts are found where they were made; given cuts are taken as they are."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from callsheet.errors import InputError, SettingsError
from callsheet.store import SCHEMAS, read_rows
from callsheet.video import cuts
from callsheet.video.settings import ShotSettings
from callsheet.video.shelf import PartShelf
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


class KilledError(Exception):
    pass


def _killed(film: Path, folder: Path, settings: ShotSettings, monkeypatch, *, after: int) -> None:
    """Look for shots, and die when so many parts are kept."""
    put, seen = PartShelf.put, []

    def dying(self, part, arrays) -> None:
        if len(seen) == after:
            raise KilledError
        seen.append(part)
        put(self, part, arrays)

    with monkeypatch.context() as patch, pytest.raises(KilledError):
        patch.setattr(PartShelf, "put", dying)
        make_shots(film, folder, settings)


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cuts of all distances: merged, suppressed, at the edges of parts."""
    lengths = [20, 28, 3, 3, 18, 24, 1, 2, 5, 40, 9, 9, 9, 30]
    return write_film(tmp_path_factory.mktemp("quick") / "quick.mp4", scenes(lengths))


@pytest.mark.parametrize("after", [1, 2, 5])
@pytest.mark.parametrize("settings", [
    ShotSettings(), ShotSettings(detector="content"), ShotSettings(min_seconds=0.05),
    ShotSettings(detector="content", min_seconds=1.5),
])  # fmt: skip
def test_a_killed_reading_goes_on_and_gives_the_same(
    quick: Path, tmp_path: Path, monkeypatch, settings: ShotSettings, after: int
) -> None:
    monkeypatch.setattr(cuts, "_KEEP_EVERY", 1.0)
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    make_shots(quick, whole, settings)
    _killed(quick, broken, settings, monkeypatch, after=after)
    assert not (broken / "shots.parquet").exists()
    seen: list[int] = []
    push = cuts.SceneDetectCuts.push
    monkeypatch.setattr(
        cuts.SceneDetectCuts, "push", lambda self, f: seen.append(f.number) or push(self, f)
    )
    make_shots(quick, broken, settings)
    assert seen == list(range(24 * after, 201)), "what was read is not read again"
    for name in ("shots.parquet", "stream.parquet"):
        assert (broken / name).read_bytes() == (whole / name).read_bytes()
    assert not (broken / "shots.partial").exists()


def test_a_reading_with_other_settings_is_not_gone_on_with(
    quick: Path, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr(cuts, "_KEEP_EVERY", 1.0)
    _killed(quick, tmp_path, ShotSettings(height=36), monkeypatch, after=4)
    again, fresh = (make_shots(quick, folder) for folder in (tmp_path, tmp_path / "fresh"))
    assert again == fresh


def test_damage_before_a_kill_is_told(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(cuts, "_KEEP_EVERY", 1.0)
    # Frames that are gone are told for sure; zeros in a packet may decode to something.
    stamps = [*range(30), *range(55, 125)]
    path = write_film(
        tmp_path / "a.mkv", scenes([40, 60]), pts=stamps, time_base=Fraction(1, 24), gop=1
    )
    (told,) = make_shots(path, tmp_path / "whole").warnings
    _killed(path, tmp_path / "killed", ShotSettings(), monkeypatch, after=3)
    assert make_shots(path, tmp_path / "killed").warnings == (told,)


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
    given = tmp_path / "cuts.txt"
    given.write_text("2.5\n")
    plain = CliRunner().invoke(command, [str(film), "--cuts", str(given)])
    assert [float(line.split()[1]) for line in plain.output.splitlines()] == [0, 2.5]
