"""Damaged, truncated and foreign files: what decodes is used, the rest is one clear sentence."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from callsheet.errors import InputError
from callsheet.video.shots import make_shots
from callsheet.video.stream import open_film
from video.films import number_of, numbered, write_film, write_sound


@pytest.mark.parametrize("suffix", ["mp4", "txt", "mkv", ""])
def test_a_text_is_not_a_video(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"film.{suffix}"
    path.write_text("INT. RICK'S CAFE - NIGHT\n\nRick sits down.\n" * 50)
    with pytest.raises(InputError, match="not a video"):
        open_film(path)


def test_subtitles_are_not_a_video(tmp_path: Path) -> None:
    path = tmp_path / "film.srt"
    path.write_text("1\n00:00:01,000 --> 00:00:02,000\nHello.\n")
    with pytest.raises(InputError, match="no picture stream"):
        open_film(path)


def test_empty_missing_and_folder(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").touch()
    with pytest.raises(InputError, match="cannot be read as a video"):
        open_film(tmp_path / "empty.mp4")
    with pytest.raises(InputError, match="does not exist"):
        open_film(tmp_path / "missing.mp4")
    with pytest.raises(InputError, match="not a file"):
        open_film(tmp_path)


def test_noise_is_not_a_video(tmp_path: Path) -> None:
    path = tmp_path / "noise.mp4"
    path.write_bytes(np.random.default_rng(0).bytes(50_000))
    with pytest.raises(InputError, match=r"noise\.mp4"):
        open_film(path)


def test_a_playlist_does_not_reach_out(tmp_path: Path) -> None:
    path = tmp_path / "film.m3u8"
    path.write_text("#EXTM3U\n#EXTINF:10,\nhttp://example.invalid/a.ts\n#EXT-X-ENDLIST\n")
    with pytest.raises(InputError):
        open_film(path)


def test_sound_only(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="sound but no picture"):
        open_film(write_sound(tmp_path / "a.m4a"))


def test_single_frame(tmp_path: Path) -> None:
    film = open_film(write_film(tmp_path / "one.mp4", 1))
    frames = list(film.frames())
    assert [f.number for f in frames] == [0]
    assert film.frame_at(3.0).number == 0
    assert film.warning is None
    result = make_shots(film.path, tmp_path)
    assert result.summary["shots"] == 1


def test_truncated_mp4_without_its_index(tmp_path: Path) -> None:
    whole = write_film(tmp_path / "whole.mp4", 48).read_bytes()
    (tmp_path / "cut.mp4").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="truncated"):
        open_film(tmp_path / "cut.mp4")


@pytest.mark.parametrize(
    ("suffix", "container_options"), [("mkv", {}), ("mp4", {"movflags": "faststart"})]
)
def test_truncated_film_yields_its_beginning(
    tmp_path: Path, suffix: str, container_options: dict[str, str]
) -> None:
    path = write_film(
        tmp_path / f"whole.{suffix}",
        [_noisy(i) for i in range(120)],
        container_options=container_options,
        options={"crf": "30"},
    )
    cut = tmp_path / f"cut.{suffix}"
    whole = path.read_bytes()
    cut.write_bytes(whole[: len(whole) * 6 // 10])
    film = open_film(cut)
    frames = list(film.frames())
    assert 40 < len(frames) < 90
    assert [f.number for f in frames] == list(range(len(frames)))
    assert film.warning is not None
    assert "is lost" in film.warning
    assert f"{frames[-1].end:.2f} s" in film.warning


@pytest.mark.parametrize("suffix", ["mkv", "mp4"])
def test_sound_that_outlasts_the_picture_is_no_damage(tmp_path: Path, suffix: str) -> None:
    film = open_film(write_film(tmp_path / f"a.{suffix}", 48, sound_seconds=5))
    assert sum(1 for _ in film.frames()) == 48
    assert film.warning is None


def test_a_truncated_film_with_longer_sound_breaks_off(tmp_path: Path) -> None:
    """Only the stream's own length tells: 5 s of picture, 8 s of sound, cut in the middle."""
    pictures = [_noisy(i) for i in range(120)]
    whole = write_film(tmp_path / "whole.mkv", pictures, sound_seconds=8)
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    film = open_film(cut)
    frames = list(film.frames())
    assert 20 < len(frames) < 100
    assert film.warning is not None
    assert "it should last 5.00 s" in film.warning


def test_a_failed_seek_is_no_damage(tmp_path: Path) -> None:
    """Behind a seek into a damaged stretch only what is shown counts."""
    path = write_film(tmp_path / "a.mkv", [_noisy(i) for i in range(120)], gop=12)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 3000] = bytes(3000)
    path.write_bytes(bytes(content))
    film = open_film(path)
    for _ in film.frames():
        pass
    damage = film.damage
    assert damage.marks
    for _ in film.frames(start=4):
        pass
    assert film.warning is None, "the damage lies before the frames that were asked for"
    for _ in film.frames(start=1):
        pass
    assert film.damage.marks == damage.marks


def test_damage_in_the_middle_is_told_once_and_passed(tmp_path: Path) -> None:
    path = write_film(tmp_path / "a.mkv", [_noisy(i) for i in range(120)], gop=12)
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 3000] = bytes(3000)
    path.write_bytes(bytes(content))
    film = open_film(path)
    frames = list(film.frames())
    assert len(frames) > 80
    assert all(a.exact < b.exact for a, b in pairwise(frames))
    assert frames[-1].time > 4.5
    assert film.warning is not None
    assert "damaged" in film.warning
    assert len(film.warning.split("; ")) == 2


@pytest.mark.parametrize("gone", [6, 30])
def test_packets_that_are_lost_whole_are_told(tmp_path: Path, gone: int) -> None:
    """A demuxer that finds the next packet behind the damage reports no error."""
    stamps = [i for i in range(96) if not 40 <= i < 40 + gone]
    path = write_film(tmp_path / "a.mkv", len(stamps), pts=stamps, time_base=Fraction(1, 24), gop=1)
    film = open_film(path)
    assert sum(1 for _ in film.frames()) == len(stamps)
    if gone == 6:  # a quarter of a second
        assert film.warning is None
    else:
        assert film.warning is not None
        assert "from 1.67 s on" in film.warning


def test_pictures_that_stand_for_long_are_no_damage(tmp_path: Path) -> None:
    stamps = [0, 1, 5, 6, 80, 81, 200]
    path = write_film(tmp_path / "a.mkv", len(stamps), pts=stamps, time_base=Fraction(1, 24))
    film = open_film(path)
    assert sum(1 for _ in film.frames()) == len(stamps)
    assert film.warning is None


def test_film_without_an_index(tmp_path: Path) -> None:
    """A bare elementary stream has no stamps at all: the nominal rate tells the time."""
    path = write_film(tmp_path / "raw.h264", 30, rate=25)
    frames = list(open_film(path).frames())
    assert [number_of(f.picture()) for f in frames] == list(range(30))
    assert all(a.exact < b.exact for a, b in pairwise(frames))
    assert float(frames[-1].exact) == pytest.approx(29 / 25, abs=0.1)


def test_joined_recordings_go_on(tmp_path: Path) -> None:
    """Two transport streams copied together: the second one's stamps start again."""
    path = write_film(tmp_path / "a.ts", 72)
    joined = tmp_path / "joined.ts"
    joined.write_bytes(path.read_bytes() * 2)
    film = open_film(joined)
    frames = list(film.frames())
    assert len(frames) == 144
    assert all(a.exact < b.exact for a, b in pairwise(frames))
    assert float(frames[-1].exact) == pytest.approx(143 / 24, abs=0.2)
    late = next(film.frames(start=frames[100].exact, first_number=100))
    assert (late.number, late.exact) == (100, frames[100].exact)
    assert number_of(late.picture()) == number_of(frames[100].picture())


def test_black_film_is_one_shot(tmp_path: Path) -> None:
    path = write_film(tmp_path / "black.mp4", [np.zeros((64, 96, 3), np.uint8)] * 48)
    make_shots(path, tmp_path)
    assert make_shots(path, tmp_path).summary == {"shots": 1, "seconds": 2.0}


def test_odd_sizes(tmp_path: Path) -> None:
    pictures = [numbered(i, 95, 63) for i in range(4)]
    film = open_film(write_film(tmp_path / "odd.mkv", pictures, codec="ffv1", pixels="bgr0"))
    assert (film.width, film.height) == (95, 63)
    assert next(film.frames()).picture().shape == (63, 95, 3)


def test_missing_stamps_in_an_avi_with_reordered_frames(tmp_path: Path) -> None:
    path = write_film(tmp_path / "b.avi", 40, codec="mpeg4", options={"bf": "2"})
    frames = list(open_film(path).frames())
    assert [number_of(f.picture()) for f in frames] == list(range(40))
    assert all(b.exact - a.exact == Fraction(1, 24) for a, b in pairwise(frames))


def _noisy(number: int) -> np.ndarray:
    rng = np.random.default_rng(number)
    noise = rng.integers(0, 40, (64, 96, 3), dtype=np.uint8)
    return numbered(number) // 2 + noise
