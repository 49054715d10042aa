"""Exit codes, the form of errors, and a light import."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import SimpleNamespace

import click
import pytest

from callsheet.cli import main as door
from callsheet.cli.main import VERBS, app, main
from callsheet.errors import InputError

HEAVY = (
    "numba", "numpy", "scipy", "scipy.optimize", "pyarrow", "cv2", "av", "spacy", "matplotlib",
    "sklearn", "onnxruntime", "onnx", "scenedetect", "pypdf", "pysubs2", "jinja2", "h5py", "pandas",
)  # fmt: skip


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "callsheet", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})  # fmt: skip


def python(code: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("what", ["import callsheet", "import callsheet.cli.main"])
def test_import_is_light(what: str) -> None:
    code = f"{what}; import sys; print([m for m in {HEAVY} if m in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_help_is_light() -> None:
    code = (
        "import sys; from callsheet.cli.main import main\n"
        "try: main(['--help'])\n"
        f"except SystemExit: print([m for m in {HEAVY} if m in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "[]"


def test_version_and_help() -> None:
    assert run("--version").stdout.startswith("callsheet, version ")
    assert "doctor" in run("--help").stdout


def test_wrong_use_is_two() -> None:
    result = run("no-such-verb")
    assert result.returncode == 2
    assert "No such command" in result.stderr


@pytest.mark.parametrize("command", [("export", "paper"), ("run", "--stage", "shotz")])
def test_a_choice_that_is_none_is_wrong_use(command: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "v.mp4").write_text("")
    result = run(*command, str(tmp_path))
    assert result.returncode == 2
    assert "formats are ava" in result.stderr or "did you mean 'shots'" in result.stderr


def test_a_share_beyond_one_is_wrong_use(tmp_path: Path) -> None:
    result = run("fit", str(tmp_path), "--precision", "1.5")
    assert result.returncode == 2
    assert "--precision" in result.stderr


def test_doctor_names_parts_and_prints_json() -> None:
    result = run("doctor", "--json")
    report = json.loads(result.stdout)
    assert set(report["parts"]) == {"core", "learn", "text", "video", "report", "matlab"}
    assert report["cores"] >= 1
    assert len(report["mend"]) == len(report["missing"])
    assert result.returncode == (1 if report["missing"] else 0)


def test_doctor_knows_every_extra_and_what_it_brings() -> None:
    """What an installation needs is written in pyproject.toml; doctor says the same."""
    from callsheet.cli.verbs.doctor import PARTS

    path = Path(__file__).resolve().parents[2] / "pyproject.toml"
    project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
    extras = {name: brought for name, brought in project["optional-dependencies"].items()
              if name not in ("all", "dev")}  # fmt: skip
    wanted = {"core": project["dependencies"], **extras}
    assert {part: set(packages) for part, packages in PARTS.items()} == {
        part: {re.split(r"[<>=!~]", line)[0] for line in lines} for part, lines in wanted.items()
    }


def test_doctor_mends_the_core_by_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    from callsheet.cli.verbs import doctor

    monkeypatch.setattr(doctor, "_version", lambda name: None if name in ("scipy", "av") else "1")
    report = doctor.examine()
    assert "pip install callsheet" in report["mend"]
    assert "pip install 'callsheet[video]'" in report["mend"]
    assert not any("[core]" in line for line in report["mend"])


def test_doctor_names_networks_that_are_missing_and_the_command(tmp_path: Path) -> None:
    result = run("doctor", XDG_CACHE_HOME=str(tmp_path))
    assert result.returncode == 1
    assert result.stdout.splitlines()[-1].split(maxsplit=1) == ["mend", "callsheet models pull"]


FAILURES = {
    "input": InputError("page 7 of [x].txt is torn"),
    "ctrl-c": KeyboardInterrupt(),
    "bug": RuntimeError("oops"),
    "disk": OSError(28, "No space left", "f.npy"),
}


@click.command("fail")
@click.argument("how")
def fail(how: str) -> None:
    raise FAILURES[how]


@pytest.fixture
def failing_verb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(VERBS, "fail", "nowhere")
    monkeypatch.setattr(door, "import_module", lambda _: SimpleNamespace(command=fail))


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ("input", "error: page 7 of [x].txt is torn"),
        ("ctrl-c", "error: interrupted"),
        ("bug", "error: unexpected RuntimeError: oops"),
        ("disk", "error: cannot use f.npy: No space left"),
    ],
)
@pytest.mark.usefixtures("failing_verb")
def test_failures_are_one_sentence(
    how: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["fail", how])
    assert stop.value.code == 1
    printed = capsys.readouterr().err
    assert sentence in printed
    assert "Traceback" not in printed


@pytest.mark.usefixtures("failing_verb")
def test_debug_shows_the_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["fail", "bug", "--debug"])
    assert "Traceback" in capsys.readouterr().err


def test_every_verb_has_help_with_an_example() -> None:
    context = click.Context(app)
    for verb in VERBS:
        command = app.get_command(context, verb)
        assert command is not None
        assert command.help, verb
        assert "Example" in command.help, verb
