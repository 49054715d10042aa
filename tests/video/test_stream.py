"""Frames come with exact times, upright, with square pixels, and seeks land where they should."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from callsheet.errors import InputError
from callsheet.video.stream import open_film
from video.films import HEIGHT, WIDTH, number_of, numbered, write_film

NTSC = Fraction(24000, 1001)


def test_times_are_exact(tmp_path: Path) -> None:
    film = open_film(write_film(tmp_path / "a.mp4", 48, rate=NTSC))
    frames = list(film.frames())
    assert [f.exact for f in frames] == [k / NTSC for k in range(48)]
    assert [f.number for f in frames] == list(range(48))
    assert [number_of(f.picture()) for f in frames] == list(range(48))
    assert film.rate == NTSC
    assert film.warning is None


def test_variable_frame_rate(tmp_path: Path) -> None:
    stamps = [0, 40, 45, 300, 1000, 1001, 2500, 2540]
    path = write_film(tmp_path / "v.mkv", 8, pts=stamps, time_base=Fraction(1, 1000))
    assert [f.exact for f in open_film(path).frames()] == [Fraction(s, 1000) for s in stamps]


def test_zero_is_where_players_start(tmp_path: Path) -> None:
    """A transport stream starts its stamps anywhere; the film starts at second 0."""
    path = write_film(tmp_path / "a.ts", 24, sound_seconds=1)
    times = [f.exact for f in open_film(path).frames()]
    assert 0 <= times[0] < Fraction(1, 10)
    assert all(b - a == Fraction(1, 24) for a, b in pairwise(times))


def test_picture_that_starts_after_the_sound(tmp_path: Path) -> None:
    stamps = [500 + 40 * k for k in range(24)]
    path = write_film(
        tmp_path / "late.mp4", 24, pts=stamps, time_base=Fraction(1, 1000), sound_seconds=2
    )
    assert next(open_film(path).frames()).time == pytest.approx(0.5, abs=0.03)


@pytest.mark.parametrize("height", [None, 32, 17])
def test_height_bounds_the_pictures(tmp_path: Path, height: int | None) -> None:
    film = open_film(write_film(tmp_path / "a.mkv", 3))
    picture = next(film.frames(height=height)).picture()
    width, expected = film.size_at(height)
    assert picture.shape == (expected, width, 3)
    assert expected == (height or HEIGHT)
    assert next(film.frames()).gray(height).shape == picture.shape[:2]


def test_height_never_enlarges(tmp_path: Path) -> None:
    film = open_film(write_film(tmp_path / "a.mkv", 3))
    assert next(film.frames(height=1000)).picture().shape == (HEIGHT, WIDTH, 3)


def test_every(tmp_path: Path) -> None:
    film = open_film(write_film(tmp_path / "a.mkv", 20))
    assert [f.number for f in film.frames(every=6)] == [0, 6, 12, 18]
    with pytest.raises(InputError, match="every must be 1 or more, got 0"):
        next(film.frames(every=0))


@pytest.mark.parametrize(
    ("turn", "corner"),
    [
        ({"degrees": 0}, (0, 0)),
        ({"degrees": 90}, (-1, 0)),
        ({"degrees": 180}, (-1, -1)),
        ({"degrees": -90}, (0, -1)),
        ({"degrees": 0, "hflip": True}, (0, -1)),
        ({"degrees": 0, "vflip": True}, (-1, 0)),
    ],
)
def test_turned_films_stand_upright(
    tmp_path: Path, turn: dict[str, int], corner: tuple[int, int]
) -> None:
    """The red corner goes where the display matrix (counter-clockwise, then mirrors) says."""
    path = write_film(tmp_path / "t.mp4", 3, turn=turn)
    film = open_film(path)
    picture = next(film.frames()).picture().astype(int)
    sideways = abs(turn["degrees"]) == 90
    assert (film.width, film.height) == ((HEIGHT, WIDTH) if sideways else (WIDTH, HEIGHT))
    assert picture.shape[:2] == (film.height, film.width)
    red = [
        (y, x)
        for y in (0, -1)
        for x in (0, -1)
        if picture[4 if y == 0 else -5, 4 if x == 0 else -5, 2] > 150
    ]
    assert red == [corner]


def test_pixels_become_square(tmp_path: Path) -> None:
    film = open_film(write_film(tmp_path / "s.mp4", 3, shape=Fraction(4, 3)))
    assert (film.width, film.height) == (128, 64)
    assert next(film.frames()).picture().shape == (64, 128, 3)


def test_ten_bits(tmp_path: Path) -> None:
    path = write_film(tmp_path / "x.mkv", 12, codec="ffv1", pixels="yuv420p10le")
    frames = list(open_film(path).frames())
    assert [number_of(f.picture()) for f in frames] == list(range(12))
    assert frames[0].picture().dtype == np.uint8


def test_interlaced_frames_lose_their_comb(tmp_path: Path) -> None:
    """Two fields of different moments: one is kept, no alternating lines remain."""
    comb = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
    comb[::2] = 200
    path = write_film(tmp_path / "i.mkv", [comb] * 4, options={"x264-params": "tff=1", "qp": "1"})
    picture = next(open_film(path).frames()).picture().astype(float)
    assert abs(picture[8:-8].mean() - 200) < 6
    assert np.abs(np.diff(picture[8:-8], axis=0)).max() < 12


def test_of_several_streams_the_default_is_shown(tmp_path: Path) -> None:
    import av

    path = tmp_path / "two.mkv"
    with av.open(str(path), "w") as container:
        streams = []
        for size in ((WIDTH, HEIGHT), (32, 32)):
            stream = container.add_stream("mpeg4", rate=24)
            stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
            streams.append(stream)
        for i in range(24):
            for stream in streams:
                picture = numbered(i, stream.width, stream.height)
                frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
                container.mux(stream.encode(frame))
        for stream in streams:
            container.mux(stream.encode())
    film = open_film(path)
    frames = list(film.frames())
    assert (film.width, film.height) == (WIDTH, HEIGHT)
    assert [number_of(f.picture()) for f in frames] == list(range(24))


def test_an_edit_list_cuts_the_beginning_off(tmp_path: Path) -> None:
    """The file holds 48 frames from a key frame on; its edit list says: show from the 13th."""
    import av

    whole, cut = write_film(tmp_path / "whole.mp4", 48, gop=48), tmp_path / "cut.mp4"
    keep = {"avoid_negative_ts": "disabled", "use_editlist": "1"}
    with av.open(str(whole)) as source, av.open(str(cut), "w", options=keep) as target:
        stream = source.streams.video[0]
        copied = target.add_stream_from_template(stream)
        shift = int(Fraction(12, 24) / stream.time_base)
        for packet in source.demux(stream):
            if packet.dts is None:
                continue
            packet.pts, packet.dts = packet.pts - shift, packet.dts - shift
            packet.stream = copied
            target.mux(packet)
    assert b"elst" in cut.read_bytes()
    film = open_film(cut)
    frames = list(film.frames())
    assert [number_of(f.picture()) for f in frames] == list(range(12, 48))
    assert [f.exact for f in frames] == [Fraction(n, 24) for n in range(36)]
    assert number_of(film.frame_at(0.5).picture()) == 24
    assert film.warning is None


CONTAINERS = {
    "mp4": {},
    "mkv": {},
    "ts": {},
    "avi": {"codec": "mpeg4"},
    "mpg": {"codec": "mpeg2video", "rate": 25},
    "webm": {"codec": "libvpx", "options": {"deadline": "realtime", "cpu-used": "8"}},
}


@pytest.fixture(scope="module", params=CONTAINERS)
def seekable(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("seek") / f"film.{request.param}"
    return write_film(path, 75, gop=30, **CONTAINERS[request.param])


def test_seeking_equals_decoding(seekable: Path) -> None:
    film = open_film(seekable)
    whole = [(f.number, f.exact, number_of(f.picture())) for f in film.frames()]
    assert len(whole) == 75
    for number in (0, 1, 29, 30, 31, 44, 60, 74):
        _, exact, _ = whole[number]
        found = film.frame_at(float(exact))
        assert (found.number, found.exact, number_of(found.picture())) == whole[number]
        rest = [(f.number, f.exact, number_of(f.picture())) for f in film.frames(start=exact)]
        assert rest == whole[number:]


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(time=st.floats(-1, 5))
def test_frame_at_is_the_frame_on_screen(seekable: Path, time: float) -> None:
    film = open_film(seekable)
    times = [f.time for f in film.frames()]
    number = max(0, int(np.searchsorted(times, time + 5e-7, side="right")) - 1)
    assert film.frame_at(time).number == number


def test_frames_end_where_the_next_begins(seekable: Path) -> None:
    frames = list(open_film(seekable).frames())
    for a, b in pairwise(frames):
        assert a.end == pytest.approx(b.time, abs=0.0015)
