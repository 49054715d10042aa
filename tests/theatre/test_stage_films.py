"""Plots, texts and short films: what was planned is what is written, heard and seen."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest

from callsheet.core import ACTIONS, BACKGROUND
from callsheet.errors import InputError
from callsheet.store import read_rows
from callsheet.store.schemas import BOXES, SHOTS, TRACKS, TRUTH
from callsheet.theatre import StageSettings, render_library
from callsheet.theatre.stage import frames as stage_frames
from callsheet.theatre.stage import library as stage_library
from callsheet.theatre.stage.face import Expression, paint_face
from callsheet.theatre.stage.frames import HEIGHT, WIDTH, ShotPainter
from callsheet.theatre.stage.library import Film, plan_library
from callsheet.theatre.stage.looks import draw_cast
from callsheet.theatre.stage.plot import Deed, Line
from callsheet.theatre.stage.pose import Mark, Pose, stand
from callsheet.theatre.stage.screenplay import told_count, write_fountain, write_studio
from callsheet.theatre.stage.sets import BUILDERS, build_set
from callsheet.theatre.stage.shot import FPS, Framing
from callsheet.theatre.stage.staging import PLACES
from callsheet.theatre.stage.subtitles import write_srt


@pytest.fixture(scope="module")
def plans() -> list[Film]:
    return plan_library(4, seed=5, settings=StageSettings())


@pytest.fixture(scope="module")
def many_plans() -> list[Film]:
    return plan_library(40, seed=6, settings=StageSettings())


def _deeds(film: Film) -> list[Deed]:
    return [b for scene in film.plot.scenes for b in scene.beats if isinstance(b, Deed)]


def test_films_last_as_long_as_asked(plans: list[Film]) -> None:
    for film in plans:
        assert sum(shot.frames for shot in film.shooting.shots) == 60 * FPS
        assert 12 <= len(film.shooting.shots) <= 26
        assert all(shot.frames > FPS for shot in film.shooting.shots)


def test_casts_are_not_shared_but_actions_are(plans: list[Film]) -> None:
    names = [{p.name for p in film.plot.company if p.name} for film in plans]
    assert all(4 <= len(cast) <= 6 for cast in names)
    assert sum(map(len, names)) == len(set.union(*names))
    played = [deed.action for film in plans for deed in _deeds(film)]
    assert set(played) == set(ACTIONS)
    assert all(played.count(action) >= 3 for action in ACTIONS)


def test_actions_happen_where_they_can(plans: list[Film]) -> None:
    for film in plans:
        for scene in film.plot.scenes:
            for beat in scene.beats:
                if isinstance(beat, Deed):
                    assert scene.place in PLACES[beat.action]
                    assert set(beat.people) <= set(scene.present)


def test_the_told_share_is_kept(plans: list[Film]) -> None:
    for film in plans:
        assert told_count(film.plot) == round(0.72 * len(_deeds(film)))


def test_screenplays_hold_every_line_and_description(plans: list[Film]) -> None:
    for film in plans:
        for text in (write_fountain(film.plot), write_studio(film.plot)):
            flat = " ".join(text.split())
            for scene in film.plot.scenes:
                assert scene.heading in flat
                for beat in scene.beats:
                    words = beat.text if isinstance(beat, Line) else beat.sentence
                    assert words is None or " ".join(words.split()) in flat or "\n" in text
        assert "{" not in write_fountain(film.plot)


def test_subtitles_keep_order_and_stay_near_the_speech(plans: list[Film]) -> None:
    for film in plans:
        spoken = film.shooting.spoken
        text = write_srt(spoken, np.random.default_rng(0))
        stamps = re.findall(r"(\d+):(\d+):(\d+),(\d+) --> (\d+):(\d+):(\d+),(\d+)", text)
        spans = []
        for stamp in stamps:
            h1, m1, s1, f1, h2, m2, s2, f2 = map(int, stamp)
            start, end = 3600 * h1 + 60 * m1 + s1 + f1 / 1000, 3600 * h2 + 60 * m2 + s2 + f2 / 1000
            assert start < end
            spans.append((start, end))
        assert spans == sorted(spans)
        for line in spoken:
            assert min(abs(start - line.start) for start, _ in spans) < 0.7


def test_speakers_are_seen_unless_off_screen(many_plans: list[Film]) -> None:
    places = {shot.place for film in many_plans for shot in film.shooting.shots}
    assert "in_car" in places
    assert any(spoken.line.off for film in many_plans for spoken in film.shooting.spoken)
    for film in many_plans:
        clock, shots = 0.0, iter(film.shooting.shots)
        spoken = list(film.shooting.spoken)
        for shot in shots:
            for line in [s for s in spoken if clock <= s.start < clock + shot.seconds]:
                seen = {player.person for player in shot.players}
                assert line.line.shown in seen
                assert (line.line.speaker in seen) != line.line.off
            clock += shot.seconds


def test_nobody_of_a_cast_is_a_double() -> None:
    rng = np.random.default_rng(3)
    cast = draw_cast(rng, [True, False, True, False])
    faces = [paint_face(look, Expression()).astype(float) for look in cast]
    for n, a in enumerate(faces):
        for b in faces[:n]:
            assert np.abs(a - b).mean() > 6.0


def test_mouths_open_and_eyes_close() -> None:
    look = draw_cast(np.random.default_rng(0), [False])[0]
    still = paint_face(look, Expression()).astype(int)
    talks = np.abs(paint_face(look, Expression(mouth=1.0)).astype(int) - still).sum(axis=2)
    blinks = np.abs(paint_face(look, Expression(lids=1.0)).astype(int) - still).sum(axis=2)
    rows = np.arange(still.shape[0])
    assert (talks.sum(axis=1) @ rows) / talks.sum() > 0.6 * still.shape[0]  # in the lower half
    assert 0.4 < (blinks.sum(axis=1) @ rows) / blinks.sum() / still.shape[0] < 0.55


@pytest.mark.parametrize("name", sorted(BUILDERS))
def test_sets_are_the_same_for_the_same_seed(name: str) -> None:
    a, b = build_set(name, 4), build_set(name, 4)
    assert a.panels == b.panels
    assert all((a.textures[t] == b.textures[t]).all() for t in a.textures)
    assert {p.texture for p in a.panels} <= set(a.textures)


def test_frames_do_not_depend_on_who_painted_before(plans: list[Film]) -> None:
    shot = plans[0].shooting.shots[1]
    looks = [person.look for person in plans[0].plot.company]
    frame, seen = ShotPainter(shot, looks, seed=1).paint(9)
    painter = ShotPainter(shot, looks, seed=1)
    painter.paint(3)
    again, seen_again = painter.paint(9)
    assert (frame == again).all()
    assert seen == seen_again
    assert frame.shape == (HEIGHT, WIDTH, 3)
    assert frame.std() > 15


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("library")
    render_library(folder, films=1, seed=8, seconds=5.0, workers=2)
    return folder


def test_a_film_is_written_whole(library: Path) -> None:
    folder = library / "film-01"
    with av.open(str(folder / "film.mp4")) as container:
        stream = container.streams.video[0]
        assert (stream.width, stream.height, stream.average_rate) == (WIDTH, HEIGHT, FPS)
        assert sum(1 for _ in container.decode(video=0)) == 5 * FPS
    rows = list(csv.DictReader((folder / "cast.csv").read_text().splitlines()))
    assert all(row["name"] and row["actor"] for row in rows)
    assert (folder / "screenplay.fountain").stat().st_size > 100
    assert "-->" in (folder / "subtitles.srt").read_text()


def test_the_truth_holds_together(library: Path) -> None:
    folder = library / "film-01" / "truth"
    shots = read_rows(folder / "shots.parquet", SHOTS)
    tracks = {r["track"]: r for r in read_rows(folder / "tracks.parquet", TRACKS)}
    truth = {r["track"]: r for r in read_rows(folder / "truth.parquet", TRUTH)}
    cast = (library / "film-01" / "cast.csv").read_text().splitlines()
    names = {row["name"] for row in csv.DictReader(cast)}
    assert [s["start"] for s in shots[1:]] == [s["end"] for s in shots[:-1]]
    assert shots[-1]["end"] == pytest.approx(5.0)
    assert set(tracks) == set(truth)
    for track, row in truth.items():
        assert row["person"] in names | {BACKGROUND}
        assert row["action"] in {*ACTIONS, BACKGROUND}
        shot = shots[tracks[track]["shot"]]
        assert shot["start"] <= row["start"] < row["end"] <= shot["end"] + 1e-9
        if tracks[track]["linked"] is not None:
            other = truth[tracks[track]["linked"]]
            assert (other["person"], other["kind"] != row["kind"]) == (row["person"], True)
    for box in read_rows(folder / "boxes.parquet", BOXES):
        assert box["time"] == pytest.approx(box["frame"] / FPS)
        assert truth[box["track"]]["start"] <= box["time"] < truth[box["track"]]["end"]
        assert box["w"] > 0
        assert box["h"] > 0


def test_seconds_take_the_place_of_those_in_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[StageSettings] = []

    def plan(_films: int, *, seed: int, settings: StageSettings) -> list[Film]:
        planned.append(settings)
        raise InterruptedError

    monkeypatch.setattr(stage_library, "plan_library", plan)
    told = StageSettings(seconds=30.0, told=0.5)
    for seconds, wanted in ((None, 30.0), (20.0, 20.0)):
        with pytest.raises(InterruptedError):
            render_library(tmp_path, films=1, seed=1, seconds=seconds, settings=told)
        assert planned[-1] == StageSettings(seconds=wanted, told=0.5)


def test_named_people_walk_and_drink_too(many_plans: list[Film]) -> None:
    moves = {player.move for film in many_plans for shot in film.shooting.shots
             for player in shot.players if player.person < film.plot.cast}  # fmt: skip
    assert {"walk", "drink"} <= moves


def test_speakers_turn_their_heads(many_plans: list[Film]) -> None:
    shot = next(shot for shot in many_plans[0].shooting.shots if shot.players[0].glance)
    painter = ShotPainter(shot, [p.look for p in many_plans[0].plot.company], seed=0)
    facing = []
    for time in (0.1 * shot.seconds, 0.5 * shot.seconds, 0.9 * shot.seconds):
        stance = painter._stances([painter._moment(p, time) for p in shot.players])[0]
        facing.append(np.degrees(np.arctan2(stance.head_axes[2][0], stance.head_axes[2][2])))
    assert abs(facing[1] - facing[0]) > 10
    assert abs(facing[1] - facing[2]) > 10
    for film in many_plans:
        for shot in film.shooting.shots:
            for player in shot.players:
                turned = player.mark.facing + player.glance
                assert not player.glance or abs(turned) < 0.5, "never so far that the face is lost"


def test_light_changes_in_some_scenes_and_stays_as_it_was_left(many_plans: list[Film]) -> None:
    dimmed = 0
    for film in many_plans:
        level: dict[int, float] = {}
        for shot in film.shooting.shots:
            assert shot.light == pytest.approx(level.get(shot.scene, shot.light))
            level[shot.scene] = shot.light * shot.dimming
            assert 0.55 < level[shot.scene] < 1.4
            dimmed += shot.dimming != 1
    assert dimmed > 20
    shot = replace(many_plans[0].shooting.shots[0], dimming=0.75, flicker=0.0)
    painter = ShotPainter(shot, [p.look for p in many_plans[0].plot.company], seed=0)
    first, last = (painter.paint(n)[0].mean() for n in (0, shot.frames - 1))
    assert last / first == pytest.approx(0.75, abs=0.05)


def test_a_true_face_box_ends_where_the_picture_does() -> None:
    stance = stand(Pose(), Mark(0.0, 0.0, 0.0), 1.75)
    camera = Framing((0.0, 1.6, 0.0), 0.8, 0.0).camera(540, 960)
    pixels = 960 * 540
    whole = stage_frames._face_box(camera, stance, pixels)
    assert whole is not None
    x, y, w, h = whole
    for right, up, wanted in (
        (x + 0.25 * w, 0.0, (0.0, y, 0.75 * w, h)),
        (0.0, y + 0.25 * h, (x, 0.0, w, 0.75 * h)),
        (x + 0.75 * w - WIDTH, 0.0, (WIDTH - 0.75 * w, y, 0.75 * w, h)),
    ):
        cut = camera.shifted(-right * stage_frames.OVER, -up * stage_frames.OVER)
        assert stage_frames._face_box(cut, stance, pixels) == pytest.approx(wanted, abs=0.01)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes(library: Path, tmp_path: Path) -> None:
    render_library(tmp_path, films=1, seed=8, seconds=5.0, workers=1)
    for name in (
        "film.mp4",
        "screenplay.fountain",
        "subtitles.srt",
        "cast.csv",
        "truth/boxes.parquet",
    ):
        assert (tmp_path / "film-01" / name).read_bytes() == (
            library / "film-01" / name
        ).read_bytes()


def test_wrong_use_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="films must be at least 1, got 0"):
        render_library(tmp_path, films=0, seed=1)
    with pytest.raises(InputError, match="seconds must lie between 5 and 7200, got 1"):
        render_library(tmp_path, films=1, seed=1, seconds=1.0)
    with pytest.raises(InputError, match="workers must be at least 1"):
        render_library(tmp_path, films=1, seed=1, workers=0)
