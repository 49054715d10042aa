"""The stage `tracks`: its tables, what a kill leaves, films of every odd kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from callsheet.core import TrackKind
from callsheet.errors import InputError, SettingsError
from callsheet.store import SCHEMAS, read_rows, read_table
from callsheet.video import track_tables, tracks
from callsheet.video.detection import Detections, detector_files
from callsheet.video.settings import TrackSettings
from callsheet.video.tracking import pieces
from callsheet.video.tracks import make_tracks
from video.films import write_film

WIDTH, HEIGHT = 160, 96


def walkers(frames: int, *, width: int = WIDTH, height: int = HEIGHT) -> Iterator[np.ndarray]:
    """One bright person walks to the right before a textured wall; its head is red."""
    rng = np.random.default_rng(0)
    wall = rng.integers(0, 60, (height, width, 3), dtype=np.uint8)
    coat = rng.integers(150, 255, (50, 24, 3), dtype=np.uint8)
    coat[:14, 6:18] = (0, 0, 230)
    for frame in range(frames):
        picture = wall.copy()
        x = 10 + frame % (width - 40)
        picture[20:70, x : x + 24] = coat
        yield picture


class Bright:
    """A detector without a network: the bright coat is a body, its red top a face."""

    def __init__(self, kind: TrackKind) -> None:
        self.kind = kind
        self.looks = 0

    def detect(self, pictures: Sequence[np.ndarray]) -> list[Detections]:
        self.looks += len(pictures)
        return [self._one(picture.astype(int)) for picture in pictures]

    def _one(self, picture: np.ndarray) -> Detections:
        red = (picture[..., 2] > 170) & (picture[..., 0] < 90) & (picture[..., 1] < 90)
        lit = red if self.kind is TrackKind.FACE else red | (picture.min(axis=2) > 100)
        if lit.sum() < 40:
            return Detections(np.empty((0, 4)), np.empty(0))
        (y0, y1), (x0, x1) = (np.percentile(axis, [1, 99]) for axis in np.nonzero(lit))
        box = np.array([[x0, y0, x1 - x0 + 1, y1 - y0 + 1]])
        points = np.array([[0.3, 0.4], [0.7, 0.4], [0.5, 0.6], [0.35, 0.8], [0.65, 0.8]])
        marks = box[:, None, :2] + points * box[:, None, 2:]
        if self.kind is TrackKind.BODY:
            return Detections(box, np.array([0.9]))
        return Detections(box, np.array([0.9]), marks, np.array([0.7]))


@pytest.fixture(autouse=True)
def detectors(monkeypatch: pytest.MonkeyPatch) -> dict[TrackKind, Bright]:
    made = {kind: Bright(kind) for kind in TrackKind}
    monkeypatch.setattr(tracks, "face_detector", lambda _s: made[TrackKind.FACE])
    monkeypatch.setattr(tracks, "person_detector", lambda _s: made[TrackKind.BODY])
    monkeypatch.setattr(tracks, "detector_files", lambda _s: [])
    return made


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("walk") / "walk.mp4"
    return write_film(path, list(walkers(96)), options={"crf": "12"})


def test_one_walker_is_one_face_and_one_body(
    film: Path, tmp_path: Path, detectors: dict[TrackKind, Bright]
) -> None:
    result = make_tracks(film, tmp_path)
    assert {k: result.summary[k] for k in ("faces", "bodies", "linked")} == {
        "faces": 1, "bodies": 1, "linked": 1}  # fmt: skip
    face, body = read_rows(tmp_path / "tracks.parquet", SCHEMAS["tracks"])
    assert (face["kind"], face["linked"], body["kind"], body["linked"]) == ("face", 1, "body", 0)
    assert face["row"] is None
    assert (face["start"], face["end"]) == pytest.approx((0, 4))
    assert 0 < face["quality"] <= 1
    assert detectors[TrackKind.BODY].looks == 96 // 5 + 1
    boxes = read_table(tmp_path / "boxes.parquet", SCHEMAS["boxes"]).to_pandas()
    mine = boxes[boxes.track == 1]
    assert mine.frame.tolist() == list(range(96))
    assert mine.time.to_numpy() == pytest.approx(np.arange(96) / 24)
    assert np.abs(mine.x.to_numpy() - (10 + np.arange(96))).max() < 3
    assert np.abs(mine.h.to_numpy() - 50).max() < 5
    assert not (tmp_path / "tracks.partial").exists()


def test_landmarks_of_every_look(film: Path, tmp_path: Path) -> None:
    make_tracks(film, tmp_path, TrackSettings(bodies=False))
    rows = read_rows(tmp_path / "landmarks.parquet", SCHEMAS["landmarks"])
    assert {r["track"] for r in rows} == {0}
    assert {0, 5, 10, 95} <= {r["frame"] for r in rows}
    for row in rows:
        assert row["right_eye_x"] < row["nose_x"] < row["left_eye_x"]
        assert row["nose_y"] < row["left_mouth_y"]
        assert row["sharpness"] == pytest.approx(0.7)
        assert 0 < row["quality"] <= 1


def test_boxes_are_pixels_of_the_displayed_picture(tmp_path: Path) -> None:
    """Followed at 64 lines, told at 192."""
    pictures = [np.kron(p, np.ones((2, 2, 1), np.uint8)) for p in walkers(30)]
    path = write_film(tmp_path / "big.mp4", pictures, options={"crf": "12"})
    make_tracks(path, tmp_path, TrackSettings(faces=False, height=64))
    boxes = read_table(tmp_path / "boxes.parquet", SCHEMAS["boxes"]).to_pandas()
    assert boxes.h.median() == pytest.approx(100, abs=8)
    assert boxes.x.iloc[0] == pytest.approx(20, abs=6)


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracks, "pieces_of", lambda shots: pieces.pieces_of(shots, 1.0))
    monkeypatch.setattr(tracks, "_KEEP_EVERY", 1.0)


@pytest.mark.usefixtures("small_pieces")
def test_pieces_of_one_shot_become_one_track(film: Path, tmp_path: Path) -> None:
    result = make_tracks(film, tmp_path)
    assert (result.summary["faces"], result.summary["bodies"]) == (1, 1)
    boxes = read_table(tmp_path / "boxes.parquet", SCHEMAS["boxes"]).to_pandas()
    assert boxes[boxes.track == 0].frame.tolist() == list(range(96))


@pytest.mark.usefixtures("small_pieces")
def test_a_kill_loses_little_and_changes_nothing(
    film: Path, tmp_path: Path, detectors: dict[TrackKind, Bright]
) -> None:
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    make_tracks(film, whole)

    def stop(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_tracks(film, killed, progress=stop)
    assert not (killed / "tracks.parquet").exists()
    assert list((killed / "tracks.partial").glob("clock-*.parquet"))
    detectors[TrackKind.BODY].looks = 0
    make_tracks(film, killed)
    assert detectors[TrackKind.BODY].looks < 20, "what was done is not done again"
    for name in ("tracks", "boxes", "landmarks", "together"):
        left, right = (
            read_table(folder / f"{name}.parquet", SCHEMAS[name]) for folder in (whole, killed)
        )
        assert left.equals(right), name


@pytest.mark.usefixtures("small_pieces")
def test_work_with_other_settings_is_not_gone_on_with(film: Path, tmp_path: Path) -> None:
    def stop(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_tracks(film, tmp_path, TrackSettings(every=3), progress=stop)
    again, fresh = make_tracks(film, tmp_path), make_tracks(film, tmp_path / "fresh")
    assert again == fresh


@pytest.mark.usefixtures("small_pieces")
def test_work_of_another_network_is_not_gone_on_with(
    film: Path, tmp_path: Path, detectors: dict[TrackKind, Bright], monkeypatch
) -> None:
    """The settings name the same file; what is in it has changed since the kill."""
    monkeypatch.setattr(tracks, "detector_files", detector_files)
    network = tmp_path / "own.onnx"
    settings = TrackSettings(bodies=False, face_model=str(network))
    looks = {}
    for content in (b"one", b"another"):
        network.write_bytes(b"one")
        _killed(film, tmp_path / "tables", settings)
        network.write_bytes(content)
        detectors[TrackKind.FACE].looks = 0
        make_tracks(film, tmp_path / "tables", settings)
        looks[content] = detectors[TrackKind.FACE].looks
    detectors[TrackKind.FACE].looks = 0
    make_tracks(film, tmp_path / "fresh", settings)
    assert looks[b"one"] < looks[b"another"] == detectors[TrackKind.FACE].looks


def _killed(film: Path, folder: Path, settings: TrackSettings | None = None) -> None:
    def stop(share: float) -> None:
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_tracks(film, folder, settings, progress=stop)


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("place", [0.15, 0.6])
def test_damage_is_told_once_and_is_not_lost_by_a_kill(tmp_path: Path, place: float) -> None:
    path = write_film(tmp_path / "w.mkv", list(walkers(96)), options={"crf": "12"})
    content = bytearray(path.read_bytes())
    at = int(place * len(content))
    content[at : at + 3000] = bytes(3000)
    path.write_bytes(bytes(content))
    (told,) = make_tracks(path, tmp_path / "whole").warnings
    assert "is damaged" in told
    _killed(path, tmp_path / "killed")
    assert make_tracks(path, tmp_path / "killed").warnings == (told,)


@pytest.mark.usefixtures("small_pieces")
def test_a_kill_after_the_last_frame_loses_no_warning(tmp_path: Path, monkeypatch) -> None:
    whole = write_film(tmp_path / "w.mkv", list(walkers(96)), options={"crf": "12"}).read_bytes()
    path = tmp_path / "cut.mkv"
    path.write_bytes(whole[: len(whole) // 2])
    (told,) = make_tracks(path, tmp_path / "whole").warnings
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(tracks.TrackTables, "write", _interrupted)
        make_tracks(path, tmp_path / "killed")
    assert make_tracks(path, tmp_path / "killed").warnings == (told,)


def _interrupted(*_arguments: object, **_named: object) -> None:
    raise KeyboardInterrupt


def test_old_tracks_never_lie_beside_new_boxes(film: Path, tmp_path: Path, monkeypatch) -> None:
    make_tracks(film, tmp_path)
    described = [tmp_path / name for name in ("faces.npy", "bodies.npy", "mouths.parquet")]
    (tmp_path / "thumbnails").mkdir()
    for path in (*described, tmp_path / "thumbnails" / "0.jpg"):
        path.write_bytes(b"of the tracks before")
    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(track_tables, "write_rows", _interrupted)
        make_tracks(film, tmp_path, TrackSettings(bodies=False))
    assert not (tmp_path / "tracks.parquet").exists()
    make_tracks(film, tmp_path, TrackSettings(bodies=False))
    assert len(read_rows(tmp_path / "tracks.parquet", SCHEMAS["tracks"])) == 1
    assert not any(path.exists() for path in (*described, tmp_path / "thumbnails"))


def test_tracks_stay_within_shots(tmp_path: Path) -> None:
    """The same picture goes on, but an editor says that there is a cut."""
    from callsheet.video.shots import make_shots

    path = write_film(tmp_path / "walk.mp4", list(walkers(96)), options={"crf": "12"})
    make_shots(path, tmp_path, cuts=[2.0])
    make_tracks(path, tmp_path, TrackSettings(faces=False))
    first, second = read_rows(tmp_path / "tracks.parquet", SCHEMAS["tracks"])
    assert (first["shot"], first["end"]) == (0, pytest.approx(2))
    assert (second["shot"], second["start"]) == (1, pytest.approx(2))
    assert read_rows(tmp_path / "together.parquet", SCHEMAS["together"]) == []


@pytest.mark.parametrize("pictures", [1, 2, 6])
def test_very_short_films(tmp_path: Path, pictures: int) -> None:
    path = write_film(tmp_path / "short.mkv", list(walkers(pictures)), codec="ffv1")
    result = make_tracks(path, tmp_path)
    assert result.summary["bodies"] == 1
    assert result.summary["boxes"] == 2 * pictures


def test_a_film_with_nobody(tmp_path: Path) -> None:
    path = write_film(tmp_path / "black.mp4", [np.zeros((HEIGHT, WIDTH, 3), np.uint8)] * 30)
    result = make_tracks(path, tmp_path)
    assert set(result.summary.values()) == {0}
    for name in ("tracks", "boxes", "landmarks", "together"):
        assert read_rows(tmp_path / f"{name}.parquet", SCHEMAS[name]) == []


def test_four_thousand_pixels(tmp_path: Path) -> None:
    big = [np.kron(p, np.ones((22, 24, 1), np.uint8)) for p in walkers(3, width=160, height=98)]
    path = write_film(tmp_path / "4k.mp4", big, codec="mpeg4")
    result = make_tracks(path, tmp_path, TrackSettings(faces=False))
    assert result.summary["bodies"] == 1


def test_a_truncated_film_warns_once(tmp_path: Path) -> None:
    whole = write_film(tmp_path / "w.mkv", list(walkers(96)), options={"crf": "12"}).read_bytes()
    path = tmp_path / "cut.mkv"
    path.write_bytes(whole[: len(whole) // 2])
    result = make_tracks(path, tmp_path)
    assert len(result.warnings) == 1
    assert "is lost" in result.warnings[0]
    assert result.summary["bodies"] == 1


def test_settings_are_checked(film: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="both off"):
        make_tracks(film, tmp_path, TrackSettings(faces=False, bodies=False))
    with pytest.raises(SettingsError, match="every must be at least 1, got 0"):
        TrackSettings(every=0)
    with pytest.raises(SettingsError, match="overlap must lie between 0 and 1"):
        TrackSettings(overlap=2)


def test_verb(film: Path, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from callsheet.cli.verbs.tracks import command

    done = CliRunner().invoke(command, [str(film), "--out", str(tmp_path), "--json"])
    assert done.exit_code == 0, done.output
    assert '"faces": 1' in done.output
    assert {p.name for p in tmp_path.iterdir()} == {
        "shots.parquet", "tracks.parquet", "boxes.parquet", "landmarks.parquet",
        "together.parquet", "stream.parquet", "video.txt"}  # fmt: skip


def test_a_folder_of_another_video_is_refused(film: Path, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from callsheet.cli.verbs.shots import command as shots
    from callsheet.cli.verbs.tracks import command as tracks

    other = write_film(tmp_path / "other.mp4", 10)
    out = tmp_path / "out"
    assert CliRunner().invoke(shots, [str(other), "--out", str(out)]).exit_code == 0
    for _ in range(2):
        refused = CliRunner().invoke(tracks, [str(film), "--out", str(out)])
        assert isinstance(refused.exception, InputError)
        assert "tables of another video (other.mp4)" in str(refused.exception)
    assert CliRunner().invoke(tracks, [str(other), "--out", str(out)]).exit_code == 0
    missing = CliRunner().invoke(tracks, [str(tmp_path / "no.mp4"), "--out", str(tmp_path / "x")])
    assert isinstance(missing.exception, InputError)
    assert not (tmp_path / "x").exists()


def test_progress_never_goes_back(film: Path, tmp_path: Path) -> None:
    told: list[float] = []
    make_tracks(film, tmp_path, progress=told.append)
    assert told == sorted(told)
    assert told[0] >= 0
    assert told[-1] == 1
