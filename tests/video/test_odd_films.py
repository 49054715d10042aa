"""Films of odd kinds through all stages of the wing, and the measures on a small one.

Detectors and networks are the real ones, where they are at hand.
"""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from callsheet.cli.verbs.bench_video import command as bench
from callsheet.cli.verbs.features import command as features
from callsheet.store import SCHEMAS, open_matrix, read_rows
from callsheet.video import FeatureSettings, TrackSettings, make_features, make_shots, make_tracks
from callsheet.video.models import is_present
from video.films import write_film

needs_networks = pytest.mark.skipif(
    not all(is_present(name) for name in ("yunet", "sface", "ssd-person", "efficientnet-lite2")),
    reason="run `callsheet models pull` first",
)
CREDITS = ["DIRECTED BY", "A. PUPPET", "WITH", "ROSA", "OTTO", "MAX", "A DOG", "THE END"]


def rolling_credits(frames: int) -> list[np.ndarray]:
    """White lines that roll up before black."""
    tall = np.zeros((700, 320, 3), np.uint8)
    for number, line in enumerate(CREDITS):
        at = (60, 220 + 50 * number)
        cv2.putText(tall, line, at, cv2.FONT_HERSHEY_SIMPLEX, 0.8, (255, 255, 255), 2)
    return [tall[4 * n : 4 * n + 180].copy() for n in range(frames)]


@needs_networks
@pytest.mark.parametrize("kind", ["credits", "black"])
def test_nobody_is_found_where_nobody_is(tmp_path: Path, kind: str) -> None:
    black = [np.zeros((180, 320, 3), np.uint8)] * 60
    film = write_film(tmp_path / "film.mp4", rolling_credits(60) if kind == "credits" else black)
    shots = make_shots(film, tmp_path)
    tracks = make_tracks(film, tmp_path)
    described = make_features(film, tmp_path)
    assert shots.summary == {"shots": 1, "seconds": 2.5}
    assert tracks.summary == {"faces": 0, "bodies": 0, "linked": 0, "boxes": 0}
    assert (described.summary["faces"], described.summary["bodies"]) == (0, 0)
    assert not (*shots.warnings, *tracks.warnings, *described.warnings)
    assert open_matrix(tmp_path / "bodies.npy").shape[0] == 0
    assert [p.name for p in (tmp_path / "thumbnails").iterdir()] == ["shot-0.jpg"]


@needs_networks
def test_a_damaged_film_is_told_of_once_by_the_verb(tmp_path: Path) -> None:
    """Shots, tracks and descriptors are made in turn, and each reading meets the damage."""
    film = write_film(tmp_path / "film.mkv", rolling_credits(60))
    content = bytearray(film.read_bytes())
    content[len(content) // 3 : len(content) // 3 + 1500] = bytes(1500)
    film.write_bytes(bytes(content))
    named = ["--channels", "", "--out", str(tmp_path / "tables")]
    told = CliRunner().invoke(features, [str(film), *named])
    assert told.exit_code == 0, told.output
    assert told.stderr.count("is damaged") == 1


@needs_networks
def test_bench_video_tells_of_every_stage(tmp_path: Path) -> None:
    film = write_film(tmp_path / "film.mp4", rolling_credits(24))
    told = CliRunner().invoke(bench, [str(film), "--json", "--every", "6"])
    assert told.exit_code == 0, told.output
    rows = {row["stage"]: row for row in map(json.loads, told.output.splitlines())}
    assert list(rows) == [
        "decoding alone", "shots", "face tracks", "face descriptors", "body tracks",
        "face and body tracks", "all descriptors", "faces, from video", "all, from video",
    ]  # fmt: skip
    assert all(row["frames"] == 24 and row["seconds"] > 0 for row in rows.values())
    whole = rows["all, from video"]
    parts = [rows[name]["seconds"] for name in ("shots", "face and body tracks", "all descriptors")]
    assert whole["seconds"] == pytest.approx(sum(parts))
    assert whole["frames_per_second"] == pytest.approx(24 / whole["seconds"])


def test_bench_video_tracking_scores_both_trackers(tmp_path: Path) -> None:
    """One walker who is always detected: nothing to miss, nothing to mix up."""
    rows = [[n, 1, 10 + 3 * n, 40, 20, 40, 1] for n in range(1, 41)]
    for name in ("gt", "det"):
        (tmp_path / name).mkdir()
        np.savetxt(tmp_path / name / f"{name}.txt", rows, delimiter=",", fmt="%d")
    told = CliRunner().invoke(bench, ["tracking", str(tmp_path), "--json"])
    assert told.exit_code == 0, told.output
    ours, rival = map(json.loads, told.output.splitlines())
    assert (ours["tracker"], rival["tracker"]) == ("callsheet", "SORT")
    assert (ours["idf1"], ours["mota"], ours["switches"]) == (1, 1, 0)
    assert "ratio" in CliRunner().invoke(bench, ["tracking", str(tmp_path)]).output


@needs_networks
@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_ten_minutes_of_one_loop(tmp_path: Path) -> None:
    """Half a minute of a puppet film, twenty times over: each turn gives what the first gave."""
    import av

    from callsheet.theatre import render_library

    render_library(tmp_path, films=1, seed=2, seconds=30.0)
    long = tmp_path / "long.mp4"
    with av.open(str(long), "w") as target:
        copied = None
        for turn in range(20):
            with av.open(str(tmp_path / "film-01" / "film.mp4")) as source:
                stream = source.streams.video[0]
                copied = copied or target.add_stream_from_template(stream)
                late = int(30 * turn / stream.time_base)
                for packet in source.demux(stream):
                    if packet.dts is not None:
                        packet.pts, packet.dts = packet.pts + late, packet.dts + late
                        packet.stream = copied
                        target.mux(packet)
    found = {}
    for name, film in (("short", tmp_path / "film-01" / "film.mp4"), ("long", long)):
        folder = tmp_path / name
        stages = (
            make_shots(film, folder),
            make_tracks(film, folder, TrackSettings(bodies=False)),
            make_features(film, folder, FeatureSettings(channels=())),
        )
        assert not [warning for stage in stages for warning in stage.warnings]
        found[name] = {key: value for stage in stages for key, value in stage.summary.items()}
    assert found["long"]["seconds"] == 600
    for count in ("shots", "faces", "boxes"):
        assert found["long"][count] == pytest.approx(20 * found["short"][count], rel=0.02)
    faces = np.asarray(open_matrix(tmp_path / "long" / "faces.npy"))
    rows = [r for r in read_rows(tmp_path / "long" / "tracks.parquet", SCHEMAS["tracks"])
            if r["row"] is not None]  # fmt: skip
    first, last = ([r["row"] for r in rows if a <= r["start"] < a + 30] for a in (0, 570))
    assert (faces[first] @ faces[last].T).max(axis=1).min() > 0.95
