"""The demo's library is rendered when it must be, and holds its own films only."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from callsheet.cli.main import app
from callsheet.cli.verbs import bench_pipeline, models
from callsheet.pipeline import demo
from callsheet.pipeline.library import Library


class Painter:
    """Stands for the theatre: makes the folders and counts."""

    def __init__(self) -> None:
        self.calls = 0
        self.killed = False

    def __call__(self, folder: Path, *, films: int, seed: int, seconds: float) -> None:
        self.calls += 1
        for number in range(1, films + 1):
            film = folder / f"film-{number:02}"
            film.mkdir(parents=True)  # nothing of an earlier demo is in the way
            (film / "film.mp4").write_text(f"{seed} {seconds}")
            if self.killed:
                raise KeyboardInterrupt


@pytest.fixture
def paint() -> Painter:
    return Painter()


def opened(folder: Path, paint: Painter, **other: Any) -> list[str]:
    asked = {"films": 3, "seed": 0, "seconds": 9.0, **other}
    library: Library = demo.render_and_open(folder, render=paint, **asked)
    return [film.film for film in library.films]


def test_the_same_demo_is_rendered_once(tmp_path: Path, paint: Painter) -> None:
    folder = tmp_path / "demo"
    assert opened(folder, paint) == ["film-01", "film-02", "film-03"]
    assert opened(folder, paint) == ["film-01", "film-02", "film-03"]
    assert paint.calls == 1


def test_films_of_an_earlier_demo_are_taken_away_and_those_of_others_stay(
    tmp_path: Path, paint: Painter
) -> None:
    opened(tmp_path, paint)
    (tmp_path / ".callsheet" / "film-03").mkdir(parents=True)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "own.mp4").touch()
    assert opened(tmp_path, paint, films=2) == ["film-01", "film-02", "mine"]
    assert not (tmp_path / ".callsheet" / "film-03").exists()
    assert opened(tmp_path, paint, films=2, seed=1) == ["film-01", "film-02", "mine"]
    assert (tmp_path / "film-01" / "film.mp4").read_text() == "1 9.0"


def test_another_theatre_paints_anew(
    tmp_path: Path, paint: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(tmp_path, paint)
    monkeypatch.setattr(demo, "theatre_version", lambda: "another")
    opened(tmp_path, paint)
    assert paint.calls == 2


def test_a_render_that_was_interrupted_is_done_again(tmp_path: Path, paint: Painter) -> None:
    opened(tmp_path, paint)
    paint.killed = True
    with pytest.raises(KeyboardInterrupt):
        opened(tmp_path, paint, seed=1)
    paint.killed = False
    assert opened(tmp_path, paint) == ["film-01", "film-02", "film-03"]
    assert (tmp_path / "film-01" / "film.mp4").read_text() == "0 9.0"


def test_peak_memory_is_that_of_all_processes_together() -> None:
    code = "import time; held = bytearray(64 << 20); print('held', flush=True); time.sleep(60)"
    own = bench_pipeline._resident(os.getpid())
    with bench_pipeline.PeakMemory(every=0.01) as memory:
        workers = [
            subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE) for _ in range(2)
        ]
        for worker in workers:
            assert worker.stdout is not None
            worker.stdout.readline()
        time.sleep(0.3)
        for worker in workers:
            worker.kill()
            worker.communicate()
    assert memory.peak > own + (128 << 20)


def test_networks_are_told_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    result = CliRunner().invoke(app, ["models", "check", "--json"])
    assert "yunet" in json.loads(result.output)["missing"]
    monkeypatch.setattr(models, "_rows", list)
    assert CliRunner().invoke(app, ["models", "check"]).output.endswith("is here and whole\n")
    for verb in ("pull", "path", "check", "add", "list"):
        told = CliRunner().invoke(app, ["models", verb, "--help"]).output
        assert "--json" in told
