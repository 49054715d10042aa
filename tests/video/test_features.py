"""The stage features: matrices, resuming, films with nobody, cuts, thumbnails, settings."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.video.films import write_film

import callsheet.video.describing.features as stage
from callsheet.errors import ModelFileError, SettingsError, StoreError
from callsheet.store import SCHEMAS, open_matrix, read_rows, read_table, write_rows, write_table
from callsheet.video import FeatureSettings, make_features
from callsheet.video.describing.parts import parts_of
from callsheet.video.describing.plan import read_plan
from callsheet.video.faces.alignment import TEMPLATE
from callsheet.video.shelf import PartShelf
from callsheet.video.speaking import make_speaking
from callsheet.video.trajectories.words import MotionWords

MARKS = ("right_eye", "left_eye", "nose", "right_mouth", "left_mouth")
RATE, WIDTH, HEIGHT = 24, 320, 180


@pytest.fixture(scope="module")
def networks(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """A face network (eight means) and an appearance network (a map of five channels)."""
    from onnx import TensorProto, helper, numpy_helper, save

    folder = tmp_path_factory.mktemp("networks")
    rng = np.random.default_rng(0)

    def write(name: str, nodes: list, weights: dict, given: list) -> str:
        taken = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, "h", "w"])
        out = helper.make_tensor_value_info("y", TensorProto.FLOAT, given)
        constants = [numpy_helper.from_array(v, k) for k, v in weights.items()]
        graph = helper.make_graph(nodes, name, [taken], [out], constants)
        opset = [helper.make_opsetid("", 13)]
        save(helper.make_model(graph, opset_imports=opset, ir_version=8), folder / name)
        return str(folder / name)

    kernel = rng.normal(size=(5, 3, 8, 8)).astype(np.float32)
    convolve = helper.make_node("Conv", ["x", "k"], ["y"], strides=[8, 8])
    mean = helper.make_node("ReduceMean", ["x"], ["m"], axes=[2, 3], keepdims=0)
    mix = helper.make_node("MatMul", ["m", "w"], ["y"])
    weight = rng.normal(size=(3, 8)).astype(np.float32)
    return (
        write("face.onnx", [mean, mix], {"w": weight}, ["n", 8]),
        write("look.onnx", [convolve], {"k": kernel}, ["n", 5, "a", "b"]),
    )


@pytest.fixture
def settings(networks: tuple[str, str]) -> FeatureSettings:
    return FeatureSettings(
        face_model=networks[0], appearance_model=networks[1], motion_height=90, part_seconds=1.0
    )


def _pictures(count: int) -> list[np.ndarray]:
    """A textured wall, and a textured person who walks to the right."""
    import cv2

    rng = np.random.default_rng(0)
    wall, person = (
        cv2.resize(rng.uniform(0, 255, (45, 80, 3)).astype(np.uint8), (WIDTH, HEIGHT))
        for _ in range(2)
    )
    pictures = []
    for t in range(count):
        picture = wall.copy()
        left = 40 + 2 * t
        picture[40:160, left : left + 60] = person[40:160, 40:100]
        pictures.append(picture)
    return pictures


def _tables(folder: Path, count: int, cuts: tuple[int, ...] = (), *, people: bool = True) -> None:
    """One face and one body a shot, in every frame; landmarks at every fifth."""
    edges = [0, *cuts, count]
    shots = [{"shot": n, "start": a / RATE, "end": b / RATE}
             for n, (a, b) in enumerate(pairwise(edges))]  # fmt: skip
    write_rows(folder / "shots.parquet", SCHEMAS["shots"], shots)
    tracks, boxes, marks = [], [], []
    for shot, (first, last) in enumerate(pairwise(edges)):
        for kind in ("body", "face") if people else ():
            track = len(tracks)
            tracks.append({"track": track, "kind": kind, "shot": shot, "start": first / RATE,
                           "end": last / RATE, "best_time": (first + last) // 2 / RATE,
                           "quality": 0.5, "linked": None, "row": None})  # fmt: skip
            for f in range(first, last):
                x = 40.0 + 2 * f
                sides = (x, 40, 60, 120) if kind == "body" else (x + 10, 45, 40, 40)
                where = {"track": track, "time": f / RATE, "frame": f}
                boxes.append({**where, **dict(zip("xywh", sides, strict=True)), "confidence": 0.9})
                if kind == "face" and f % 5 == 0:
                    points = TEMPLATE * (40 / 112) + [x + 10, 45]
                    flat = {f"{m}_{a}": v for m, p in zip(MARKS, points, strict=True)
                            for a, v in zip("xy", p, strict=True)}  # fmt: skip
                    marks.append({**where, **flat, "confidence": 0.9, "sharpness": 0.5,
                                  "quality": 0.5})  # fmt: skip
    write_rows(folder / "tracks.parquet", SCHEMAS["tracks"], tracks)
    write_rows(folder / "boxes.parquet", SCHEMAS["boxes"], boxes)
    write_rows(folder / "landmarks.parquet", SCHEMAS["landmarks"], marks)


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_film(tmp_path_factory.mktemp("film") / "walk.mp4", _pictures(80), rate=RATE)


def _outputs(folder: Path) -> dict[str, bytes]:
    names = ["faces.npy", "bodies.npy", "tracks.parquet", "mouths.parquet"]
    names += sorted(f"thumbnails/{path.name}" for path in (folder / "thumbnails").iterdir())
    return {name: (folder / name).read_bytes() for name in names}


def test_every_track_gets_its_row_and_every_channel_is_of_length_one(
    film: Path, tmp_path: Path, settings: FeatureSettings
) -> None:
    _tables(tmp_path, 80, (40,))
    result = make_features(film, tmp_path, settings)
    assert result.summary["faces"] == result.summary["bodies"] == 2
    rows = read_rows(tmp_path / "tracks.parquet", SCHEMAS["tracks"])
    assert [row["row"] for row in rows] == [0, 0, 1, 1]
    faces, bodies = open_matrix(tmp_path / "faces.npy"), open_matrix(tmp_path / "bodies.npy")
    assert faces.shape == (2, 8)
    np.testing.assert_allclose(np.linalg.norm(faces, axis=1), 1, rtol=1e-5)
    assert bodies.shape == (2, 3 * 512 + 5)
    for part in np.split(bodies.astype(np.float64), [512, 1024, 1536], axis=1):
        np.testing.assert_allclose(np.linalg.norm(part, axis=1), 1, rtol=2e-3)
    assert not (tmp_path / "features.partial").exists()


def test_mouths_are_measured_between_neighbouring_frames(
    film: Path, tmp_path: Path, settings: FeatureSettings
) -> None:
    _tables(tmp_path, 80, (40,))
    make_features(film, tmp_path, replace(settings, part_seconds=60.0))
    mouths = read_table(tmp_path / "mouths.parquet", SCHEMAS["mouths"])
    assert mouths.num_rows == 2 * 39
    assert (mouths["motion"].to_numpy() >= 0).all()


def test_thumbnails_show_each_track(film: Path, tmp_path: Path, settings: FeatureSettings) -> None:
    import cv2

    _tables(tmp_path, 80)
    make_features(film, tmp_path, settings)
    for track, tallness in ((0, 120 / 60), (1, 40 / 40)):
        picture = cv2.imread(str(tmp_path / "thumbnails" / f"{track}.jpg"))
        assert max(picture.shape) <= 112
        assert picture.std() > 10
        assert picture.shape[0] / picture.shape[1] == pytest.approx(tallness, rel=0.1)
    names = {p.name for p in (tmp_path / "thumbnails").iterdir()}
    assert names == {"0.jpg", "1.jpg", "shot-0.jpg"}


class KilledError(Exception):
    pass


def _killed_run(
    film: Path, folder: Path, settings: FeatureSettings, monkeypatch, *, after: int
) -> None:
    """Describe a film, and die when so many parts are kept."""
    put, seen = PartShelf.put, []

    def dying(self, part, arrays) -> None:
        if len(seen) == after:
            raise KilledError
        seen.append(part)
        put(self, part, arrays)

    with monkeypatch.context() as patch:
        patch.setattr(PartShelf, "put", dying)
        with pytest.raises(KilledError):
            make_features(film, folder, settings)


@pytest.mark.parametrize("cuts", [(), (21, 24), (23, 24, 25)])
@pytest.mark.parametrize("killed_after", [0, 1, 2])
def test_a_killed_run_goes_on_and_gives_the_same(
    film: Path, tmp_path: Path, settings: FeatureSettings, monkeypatch, killed_after: int, cuts
) -> None:
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
        _tables(folder, 80, cuts)
    make_features(film, whole, settings)
    assert len(list((whole / "thumbnails").glob("shot-*.jpg"))) == len(cuts) + 1
    _killed_run(film, broken, settings, monkeypatch, after=killed_after)
    assert not (broken / "faces.npy").exists()
    frames = []
    sight = stage.Sight
    monkeypatch.setattr(stage, "Sight", lambda frame: frames.append(frame.number) or sight(frame))
    make_features(film, broken, settings)
    assert _outputs(broken) == _outputs(whole)
    # What was finished is not decoded again.
    starts = [0, *(cut / RATE for cut in cuts)]
    assert frames[0] == round(parts_of(starts, 79 / RATE, 1.0)[killed_after].start * RATE)


def test_the_picture_of_a_shot_shows_that_shot(tmp_path: Path, settings: FeatureSettings) -> None:
    """Also where the shot is one frame long."""
    import cv2

    film = write_film(
        tmp_path / "grays.mp4",
        [np.full((HEIGHT, WIDTH, 3), 20 if n < 20 else 230 if n == 20 else 120, np.uint8)
         for n in range(40)], rate=RATE, options={"crf": "10"},
    )  # fmt: skip
    _tables(tmp_path, 40, (20, 21))
    make_features(film, tmp_path, settings)
    shown = [cv2.imread(str(tmp_path / f"thumbnails/shot-{n}.jpg")).mean() for n in range(3)]
    assert shown == pytest.approx([20, 230, 120], abs=8)


def test_parts_of_other_networks_or_words_are_not_joined(
    film: Path, tmp_path: Path, settings: FeatureSettings, monkeypatch
) -> None:
    """The names in the settings stay; the files behind them change between kill and resume."""
    from callsheet.video.trajectories.words import load_words, save_words

    for changed in ("face_model", "appearance_model", "motion_words"):
        own, other = tmp_path / f"{changed}-own", tmp_path / f"{changed}-other"
        folder = tmp_path / changed
        folder.mkdir()
        _tables(folder, 80)
        if changed == "motion_words":
            save_words(own, load_words())
            save_words(other, MotionWords({c: w[::-1] for c, w in load_words().words.items()}))
        else:
            own, other = own.with_suffix(".onnx"), other.with_suffix(".onnx")
            own.write_bytes(Path(getattr(settings, changed)).read_bytes())
            _write_blind(other, Path(getattr(settings, changed)))
        mine = replace(settings, **{changed: str(own)})
        _killed_run(film, folder, mine, monkeypatch, after=2)
        own.write_bytes(other.read_bytes())
        make_features(film, folder, mine)
        resumed = _outputs(folder)
        make_features(film, folder, mine)
        assert resumed == _outputs(folder), changed


def _write_blind(path: Path, network: Path) -> None:
    """The same network with its weights turned round."""
    from onnx import load, numpy_helper, save

    model = load(network)
    for weight in model.graph.initializer:
        values = numpy_helper.to_array(weight)
        weight.CopyFrom(numpy_helper.from_array(values[..., ::-1].copy(), weight.name))
    save(model, path)


def test_a_damaged_film_warns_once_also_after_a_kill(
    tmp_path: Path, settings: FeatureSettings, monkeypatch
) -> None:
    film = write_film(tmp_path / "walk.mkv", _pictures(80), rate=RATE)
    content = bytearray(film.read_bytes())
    content[len(content) // 8 : len(content) // 8 + 2000] = bytes(2000)
    film.write_bytes(bytes(content))
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    for folder in (whole, broken):
        folder.mkdir()
        _tables(folder, 80)
    (told,) = make_features(film, whole, settings).warnings
    assert "is damaged" in told
    _killed_run(film, broken, settings, monkeypatch, after=2)
    assert make_features(film, broken, settings).warnings == (told,)


def test_without_mouths_speaking_is_silent_and_does_not_fail(
    film: Path, tmp_path: Path, settings: FeatureSettings
) -> None:
    _tables(tmp_path, 80)
    make_features(film, tmp_path, settings)
    make_features(film, tmp_path, replace(settings, mouths=False))
    assert read_rows(tmp_path / "mouths.parquet", SCHEMAS["mouths"]) == []
    cue = {"cue": 0, "start": 0.0, "end": 2.0, "text": "Yes.", "speaker": None, "sound": False}
    write_rows(tmp_path / "cues.parquet", SCHEMAS["cues"], [cue])
    assert make_speaking(tmp_path).summary == {"scores": 0, "cues with a face": 0}


def test_a_damaged_part_is_made_again(film: Path, tmp_path: Path, settings, monkeypatch) -> None:
    _tables(tmp_path, 80)
    make_features(film, tmp_path, settings)
    before = _outputs(tmp_path)
    monkeypatch.setattr(PartShelf, "clear", lambda self: None)
    make_features(film, tmp_path, settings)
    parts = sorted((tmp_path / "features.partial").rglob("*.npz"))
    assert len(parts) == 4
    parts[1].write_bytes(parts[1].read_bytes()[:100])
    make_features(film, tmp_path, settings)
    assert _outputs(tmp_path) == before


def test_running_twice_changes_nothing(film: Path, tmp_path: Path, settings) -> None:
    _tables(tmp_path, 80, (30,))
    make_features(film, tmp_path, settings)
    before = _outputs(tmp_path)
    make_features(film, tmp_path, settings)
    assert _outputs(tmp_path) == before


def test_a_film_with_nobody(film: Path, tmp_path: Path, settings: FeatureSettings) -> None:
    _tables(tmp_path, 80, people=False)
    result = make_features(film, tmp_path, settings)
    assert result.summary["faces"] == result.summary["bodies"] == 0
    assert open_matrix(tmp_path / "faces.npy").shape == (0, 8)
    assert open_matrix(tmp_path / "bodies.npy").shape == (0, 3 * 512 + 5)


def test_a_single_frame(tmp_path: Path, settings: FeatureSettings) -> None:
    film = write_film(tmp_path / "one.mp4", _pictures(1), rate=RATE)
    _tables(tmp_path, 1)
    result = make_features(film, tmp_path, settings)
    assert result.summary["faces"] == result.summary["bodies"] == 1
    bodies = open_matrix(tmp_path / "bodies.npy")
    assert (bodies[:, :1536] == 0).all()  # nothing can move in one frame
    assert np.linalg.norm(bodies[0, 1536:].astype(float)) == pytest.approx(1, rel=1e-2)


def test_black_frames(tmp_path: Path, settings: FeatureSettings) -> None:
    black = [np.zeros((HEIGHT, WIDTH, 3), np.uint8)] * 40
    film = write_film(tmp_path / "black.mp4", black, rate=RATE)
    _tables(tmp_path, 40)
    make_features(film, tmp_path, settings)
    assert np.isfinite(open_matrix(tmp_path / "faces.npy")).all()
    assert (open_matrix(tmp_path / "bodies.npy")[:, :1536] == 0).all()


def test_boxes_beyond_the_picture(film: Path, tmp_path: Path, settings: FeatureSettings) -> None:
    _tables(tmp_path, 80)
    table = read_table(tmp_path / "boxes.parquet", SCHEMAS["boxes"])
    columns = {name: table[name].to_numpy() for name in table.column_names}
    columns["x"] = columns["x"] + 280
    write_table(tmp_path / "boxes.parquet", SCHEMAS["boxes"], columns)
    make_features(film, tmp_path, settings)
    assert np.isfinite(open_matrix(tmp_path / "bodies.npy")).all()


def test_channels_can_be_chosen_and_ordered(film: Path, tmp_path: Path, settings) -> None:
    _tables(tmp_path, 80)
    make_features(film, tmp_path, settings)
    whole = np.array(open_matrix(tmp_path / "bodies.npy"))
    make_features(film, tmp_path, replace(settings, channels=("appearance", "mbhy")))
    some = open_matrix(tmp_path / "bodies.npy")
    np.testing.assert_array_equal(some, np.hstack([whole[:, 1536:], whole[:, 1024:1536]]))
    make_features(film, tmp_path, replace(settings, channels=()))
    assert open_matrix(tmp_path / "bodies.npy").shape == (0, 0)
    rows = read_rows(tmp_path / "tracks.parquet", SCHEMAS["tracks"])
    assert [row["row"] for row in rows] == [None, 0]


def test_only_sure_faces_are_described_and_unusable_ones_never(
    film: Path, tmp_path: Path, settings: FeatureSettings
) -> None:
    _tables(tmp_path, 80)
    rows = read_rows(tmp_path / "landmarks.parquet", SCHEMAS["landmarks"])
    for row in rows[::2]:
        row["nose_x"] = float("nan")
    write_rows(tmp_path / "landmarks.parquet", SCHEMAS["landmarks"], rows)
    plan = read_plan(tmp_path, settings)
    assert len(plan.faces) == 5
    assert set(plan.faces.frames) <= {row["frame"] for row in rows[1::2]}


def test_landmarks_are_carried_between_detections(tmp_path: Path, settings) -> None:
    """The face moves with constant speed: carried points lie where they truly are."""
    _tables(tmp_path, 80)
    plan = read_plan(tmp_path, settings)
    mouths = plan.mouths
    assert len(mouths) == 80
    truth = (
        TEMPLATE * (40 / 112) + np.stack([50.0 + 2 * mouths.frames, np.full(80, 45.0)], 1)[:, None]
    )
    np.testing.assert_allclose(mouths["points"][:76], truth[:76], atol=1e-3)


def test_bodies_are_looked_at_every_tenth_frame_or_once(tmp_path: Path, settings) -> None:
    _tables(tmp_path, 49, (41,))
    looks = read_plan(tmp_path, settings).looks
    assert looks.frames.tolist() == [0, 10, 20, 30, 40, 45]


@pytest.mark.parametrize(("starts", "end", "edges"), [
    ([0.0], 10.0, [0]),
    ([0.0], 200.0, [0, 60, 120, 180]),
    ([0.0, 58.0, 70.0, 131.0], 150.0, [0, 58, 118]),
    ([0.0, 40.0, 99.0, 160.0], 190.0, [0, 40, 99, 159]),
    ([0.0, 59.0, 61.0], 100.0, [0, 59]),
    ([0.0, 5.0], 100.0, [0, 60]),
    ([], 0.0, [0]),
])  # fmt: skip
def test_parts_end_at_the_last_cut_of_their_minute(starts, end, edges) -> None:
    parts = parts_of(starts, end, 60.0)
    assert [part.start for part in parts] == edges
    assert [part.end for part in parts] == [*edges[1:], float("inf")]


@given(st.lists(st.floats(0, 900), max_size=40), st.floats(0, 900), st.floats(1, 60))
def test_no_part_is_longer_than_asked(starts: list[float], end: float, seconds: float) -> None:
    parts = parts_of(sorted(starts), end, seconds)
    edges = [part.start for part in parts]
    assert all(0 < b - a <= seconds + 1e-9 for a, b in pairwise(edges))
    assert end - edges[-1] < seconds


def test_without_tracks_the_stage_to_run_is_named(film: Path, tmp_path: Path, settings) -> None:
    with pytest.raises(StoreError, match="run the stage that writes it"):
        make_features(film, tmp_path, settings)


def test_a_missing_network_names_the_command(film: Path, tmp_path: Path, settings) -> None:
    _tables(tmp_path, 80)
    with pytest.raises(ModelFileError, match="does not exist"):
        make_features(film, tmp_path, replace(settings, face_model="absent.onnx"))
    with pytest.raises(ModelFileError, match="no model is called"):
        make_features(film, tmp_path, replace(settings, appearance_model="resnet"))


@pytest.mark.parametrize("wrong", [
    {"channels": ("hof", "sound")}, {"channels": ("hof", "hof")}, {"faces_per_track": 0},
    {"motion_height": 10}, {"part_seconds": 0.0},
])  # fmt: skip
def test_settings_out_of_range_are_refused(wrong: dict) -> None:
    with pytest.raises(SettingsError):
        FeatureSettings(**wrong)


def _call(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    from callsheet.cli.main import main

    with pytest.raises(SystemExit) as left:
        main([str(a) for a in arguments])
    told = capsys.readouterr()
    return int(left.value.code or 0), told.out, told.err


def test_the_verb_describes_one_film(film, networks, tmp_path: Path, capsys) -> None:
    _tables(tmp_path, 80)
    code, out, _ = _call(
        capsys, "features", film, "--out", tmp_path, "--face-model", networks[0],
        "--appearance-model", networks[1], "--channels", "mbhx,appearance", "--json",
    )  # fmt: skip
    assert code == 0
    assert json.loads(out)["numbers a body"] == 512 + 5
    assert open_matrix(tmp_path / "bodies.npy").shape == (1, 512 + 5)


def test_the_verb_refuses_wrong_use(film: Path, tmp_path: Path, capsys) -> None:
    assert _call(capsys, "features", film)[0] == 2
    assert _call(capsys, "features", film, film, "--out", tmp_path)[0] == 2
    code, _, err = _call(capsys, "features", tmp_path / "absent.mp4", "--out", tmp_path)
    assert code == 1
    assert "absent.mp4 does not exist" in err
    _tables(tmp_path, 80)
    code, _, err = _call(capsys, "features", film, "--out", tmp_path, "--channels", "sound")
    assert code == 1
    assert "channels must be one of" in err
