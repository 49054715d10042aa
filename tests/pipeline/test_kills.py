"""A kill in any stage loses that stage at most.

The real stages from the bags on, on a simulated library; those before them, which need networks
and minutes, have the same test on rendered films (`make test-all`).
"""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from callsheet.pipeline.library import Library
from callsheet.pipeline.run import run_library
from callsheet.pipeline.simulated import FIRST_REAL, make_simulated_library
from callsheet.pipeline.stages import STAGES
from callsheet.store import file_fingerprint
from callsheet.store.atomic import TEMPORARY_MARK
from callsheet.theatre.world import WorldSettings

NAMES = list(STAGES)[list(STAGES).index(FIRST_REAL) :]


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Library:
    folder = tmp_path_factory.mktemp("simulated")
    library = make_simulated_library(folder, WorldSettings(films=2, tracks=60, dimension=16))
    assert run_library(library, workers=1).failures == ()
    return library


def everything(library: Library) -> dict[str, str]:
    kinds = (".parquet", ".npy", ".html")
    files = (p for p in library.work_folder.rglob("*") if p.suffix in kinds)
    return {str(p.relative_to(library.work_folder)): file_fingerprint(p) for p in files}


CODE = """
import dataclasses, os, signal
from callsheet.pipeline import run, stages
from callsheet.pipeline.library import Library
from callsheet.store import atomic
def kill(*_):
    os.kill(os.getpid(), signal.SIGKILL)
stage = stages.STAGES[{name!r}]
def killed(*arguments):
    if {halfway}:
        atomic._flush_to_disk = kill  # a file is written, but not yet under its name
    stage.run(*arguments)
    kill()
stages.STAGES[{name!r}] = dataclasses.replace(stage, run=killed)
run.run_library(Library.open({folder!r}), workers=1)
"""


@pytest.mark.parametrize("halfway", [True, False])
@pytest.mark.parametrize("name", NAMES)
def test_a_kill_in_a_stage_loses_that_stage_at_most(
    finished: Library, tmp_path: Path, name: str, halfway: bool
) -> None:
    shutil.copytree(finished.folder, tmp_path / "films")
    library = Library.open(tmp_path / "films")
    before = everything(library)
    of_film = STAGES[name].scope == "film"
    folder = library.works[0].folder if of_film else library.work_folder
    (folder / f"{name}.manifest.json").unlink()
    code = CODE.format(name=name, folder=str(library.folder), halfway=halfway)
    result = subprocess.run([sys.executable, "-c", code], check=False)
    assert result.returncode == -signal.SIGKILL
    assert not (folder / f"{name}.manifest.json").exists()
    left = {p for p in library.work_folder.rglob("*") if TEMPORARY_MARK in p.name}
    assert bool(left) == halfway
    summary = run_library(library, workers=1)
    assert summary.failures == ()
    assert name in {o.stage for o in summary.outcomes if o.ran}
    assert everything(library) == before
    assert not any(path.exists() for path in left)
