"""Detectors: the real networks on real pictures, a user's ONNX detector, wrong files."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import onnx
import pytest
from click.testing import CliRunner
from onnx import TensorProto, helper

import callsheet.video
from callsheet.cli.verbs.models import command as models
from callsheet.cli.verbs.tracks import command as tracks
from callsheet.core import StageResult
from callsheet.errors import ModelFileError
from callsheet.video.detection import (
    Detections,
    detector_files,
    face_detector,
    person_detector,
)
from callsheet.video.detection.faces import YuNetFaces, sharpness
from callsheet.video.detection.persons import OnnxPersons, network_input
from callsheet.video.geometry import pairwise_iou
from callsheet.video.models import InputRecipe, is_present, model_path
from callsheet.video.settings import TrackSettings
from video.films import write_film


@pytest.fixture(scope="module")
def street(shared_data: Path) -> np.ndarray:
    return cv2.imread(str(shared_data / "mot" / "TUD-Campus" / "img1" / "000001.jpg"))


def needs(name: str) -> None:
    if not is_present(name):
        pytest.skip(f"the model {name} is not on this machine; run callsheet models pull")


def test_persons_on_a_real_street(street: np.ndarray, shared_data: Path) -> None:
    needs("ssd-person")
    found = person_detector(TrackSettings()).detect([street, street[:, ::-1].copy()])
    truth = np.loadtxt(shared_data / "mot" / "TUD-Campus" / "gt" / "gt.txt", delimiter=",")
    truth = truth[truth[:, 0] == 1][:, 2:6]
    hits = (pairwise_iou(truth, found[0].boxes).max(axis=1) > 0.5).sum()
    assert hits >= 4
    assert len(found) == 2
    mirrored = found[1].boxes[found[1].confidences.argmax()]
    upright = found[0].boxes[found[0].confidences.argmax()]
    assert abs(mirrored[0] + mirrored[2] / 2 - (640 - upright[0] - upright[2] / 2)) < 40


def test_faces_on_a_real_street(street: np.ndarray) -> None:
    needs("yunet")
    (found,) = face_detector(TrackSettings()).detect([street])
    assert (found.confidences > 0.6).sum() >= 4
    for box, points in zip(found.boxes, found.landmarks, strict=True):
        assert (points >= box[:2] - 3).all()
        assert (points <= box[:2] + box[2:] + 3).all()
    assert ((found.sharpness >= 0) & (found.sharpness <= 1)).all()
    assert (found.boxes[:, 3] >= TrackSettings().min_face).all()


def test_nothing_in_a_black_picture() -> None:
    needs("yunet")
    needs("ssd-person")
    black = np.zeros((90, 160, 3), np.uint8)
    for detector in (face_detector(TrackSettings()), person_detector(TrackSettings())):
        assert [len(d) for d in detector.detect([black])] == [0]
    assert person_detector(TrackSettings()).detect([]) == []


def constant_detector(path: Path, names: tuple[str, str, str]) -> Path:
    """A network that always finds a person, a car and a doubtful person."""
    values = (
        np.array([[32, 16, 64, 64], [0, 0, 9, 9], [0, 0, 9, 9]], np.float32),
        np.array([1, 3, 1], np.int64),
        np.array([0.9, 0.9, 0.05], np.float32),
    )
    kinds = (TensorProto.FLOAT, TensorProto.INT64, TensorProto.FLOAT)
    nodes = [
        helper.make_node("Constant", [], [name], value=onnx.numpy_helper.from_array(value))
        for name, value in zip(names, values, strict=True)
    ]
    outputs = [
        helper.make_tensor_value_info(name, kind, value.shape)
        for name, kind, value in zip(names, kinds, values, strict=True)
    ]
    picture = helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, 640, 640])
    graph = helper.make_graph(nodes, "constant", [picture], outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(path))
    return path


def test_a_users_onnx_detector(tmp_path: Path) -> None:
    path = constant_detector(tmp_path / "mine.onnx", ("boxes", "labels", "scores"))
    detector = person_detector(TrackSettings(person_model=str(path)))
    (found,) = detector.detect([np.zeros((320, 1280, 3), np.uint8)])
    assert found.boxes.tolist() == [[64, 8, 64, 24]]
    assert found.confidences == pytest.approx([0.9])


@pytest.mark.skipif(not is_present("yunet"), reason="run `callsheet models pull` first")
def test_a_users_face_detector_is_added_and_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine.onnx"
    mine.write_bytes(model_path("yunet").read_bytes())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    done = CliRunner().invoke(models, ["add", "faces", str(mine), "--task", "face-detector"])
    assert done.exit_code == 0, done.output
    detector = face_detector(TrackSettings(face_model="faces"))
    assert [len(d) for d in detector.detect([np.zeros((90, 160, 3), np.uint8)])] == [0]
    assert detector_files(TrackSettings(face_model="faces", bodies=False))[0].exists()


def test_the_verb_takes_detectors_by_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stage is told of them; what it does with them is told elsewhere."""
    told: list[TrackSettings] = []

    def stage(_video: Path, _out: Path, settings: TrackSettings, _progress: object) -> StageResult:
        told.append(settings)
        return StageResult({"faces": 0})

    monkeypatch.setattr(callsheet.video, "make_tracks", stage)
    film = write_film(tmp_path / "a.mp4", 3)
    named = ["--face-model", "f.onnx", "--person-model", "p.onnx", "--every", "3"]
    done = CliRunner().invoke(tracks, [str(film), "--out", str(tmp_path / "t"), *named])
    assert done.exit_code == 0, done.output
    assert told == [TrackSettings(face_model="f.onnx", person_model="p.onnx", every=3)]


def test_a_users_detector_keeps_to_the_cores_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    path = constant_detector(tmp_path / "mine.onnx", ("boxes", "labels", "scores"))
    detector = person_detector(TrackSettings(person_model=str(path)))
    assert isinstance(detector, OnnxPersons)
    assert detector._session.get_session_options().intra_op_num_threads == 1


def test_wrong_networks_are_refused(tmp_path: Path) -> None:
    path = constant_detector(tmp_path / "odd.onnx", ("a", "b", "c"))
    with pytest.raises(ModelFileError, match=r"has the outputs a, b, c"):
        person_detector(TrackSettings(person_model=str(path)))
    (tmp_path / "text.onnx").write_text("not a network")
    with pytest.raises(ModelFileError, match="not an ONNX network"):
        person_detector(TrackSettings(person_model=str(tmp_path / "text.onnx")))
    with pytest.raises(ModelFileError, match="not a face detector"):
        YuNetFaces(tmp_path / "text.onnx", confidence=0.5)
    with pytest.raises(ModelFileError, match="does not exist"):
        face_detector(TrackSettings(face_model=str(tmp_path / "none.onnx")))


def test_input_recipe() -> None:
    picture = np.full((4, 4, 3), (10, 20, 30), np.uint8)
    recipe = InputRecipe(2, 2, mean=(30, 20, 10), scale=0.5, order="rgb")
    assert network_input(picture, recipe).shape == (1, 3, 2, 2)
    assert np.unique(network_input(picture, recipe)) == pytest.approx([0])
    last = InputRecipe(2, 2, order="bgr", layout="nhwc")
    assert network_input(picture, last)[0, 0, 0].tolist() == [10, 20, 30]


def test_sharpness_falls_with_blur() -> None:
    rng = np.random.default_rng(0)
    sharp = rng.integers(0, 255, (60, 60), dtype=np.uint8)
    blurred = cv2.GaussianBlur(sharp, (0, 0), 3)
    box = np.array([[5.0, 5, 50, 50]])
    assert sharpness(sharp, box)[0] > 2 * sharpness(blurred, box)[0]
    assert sharpness(sharp, np.array([[100.0, 100, 5, 5]]))[0] == 0


def test_detections_fill_what_is_missing() -> None:
    found = Detections(np.zeros((2, 4)), np.ones(2))
    assert found.landmarks.shape == (2, 5, 2)
    assert np.isnan(found.sharpness).all()
    assert len(found.where(np.array([True, False]))) == 1
