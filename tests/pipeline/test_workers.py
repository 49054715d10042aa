"""Films in worker processes: who dies, who is interrupted, who is left."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from callsheet.pipeline import run as run_module
from callsheet.pipeline import runner as runner_module
from callsheet.pipeline.crew import run_in_processes
from callsheet.pipeline.library import Library
from callsheet.pipeline.lock import LibraryBusyError, holding
from callsheet.pipeline.plan import State
from callsheet.pipeline.run import library_status, run_library
from callsheet.pipeline.stage import StageOutcome
from callsheet.pipeline.watching import nobody_watches

SCRIPT = """
import os, pathlib, sys
from callsheet.pipeline.crew import run_in_processes
from callsheet.pipeline.library import Library
library = Library.open(pathlib.Path({folder!r}))
seen = []
for outcomes in run_in_processes(library.works, ["shots"], library.settings, workers=2, threads=1,
                                 watch=lambda *step: seen.append(step)):
    for outcome in outcomes:
        print(outcome.film, outcome.stage, outcome.failure)
"""


def test_films_run_in_processes_from_a_plain_script(tmp_path: Path) -> None:
    """No `if __name__ == "__main__"` is asked of the user; failures come back as sentences."""
    for film in ("a", "b", "c"):
        (tmp_path / film).mkdir()
        (tmp_path / film / "v.mp4").write_text("no video")
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(folder=str(tmp_path)))
    command = [sys.executable, str(script)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    lines = sorted(result.stdout.splitlines())
    assert [line.split()[:2] for line in lines] == [[f, "shots"] for f in "abc"]
    assert all("v.mp4" in line for line in lines)


CALLER = """
import subprocess, sys
subprocess.run([sys.executable, "-c", '''
import os, pathlib, time
from callsheet.pipeline import worker
def at_work(stream):
    pathlib.Path({mark!r}).write_text(str(os.getpid()))
    time.sleep(120)
worker._next_task = at_work
worker.main(1, os.getppid())
'''])
"""


def test_a_worker_at_work_ends_with_its_killed_caller(tmp_path: Path) -> None:
    mark = tmp_path / "worker"
    code = CALLER.format(mark=str(mark))
    with subprocess.Popen([sys.executable, "-c", code]) as caller:
        assert _soon(lambda: mark.exists() and mark.read_text() != "")
        worker = int(mark.read_text())
        os.kill(worker, signal.SIGINT)  # Ctrl-C is its caller's affair
        time.sleep(0.3)
        assert _lives(worker)
        caller.kill()
    assert _soon(lambda: not _lives(worker))


def _soon(true: Callable[[], bool], seconds: float = 30.0) -> bool:
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return true()


def _lives(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except FileNotFoundError:
        return False


def stand_in(folder: Path, monkeypatch: pytest.MonkeyPatch, *serving: str) -> None:
    """Workers are programs of these lines, which have `work` and `tell`."""
    program = folder / "python"
    head = [
        f"#!{sys.executable}",
        "import os, pickle, signal, sys, time",
        "def tell(kind, content):",
        "    pickle.dump((kind, content), sys.stdout.buffer)",
        "    sys.stdout.flush()",
        "while True:",
        "    work, names, settings = pickle.load(sys.stdin.buffer)",
    ]
    program.write_text("\n".join([*head, *(f"    {line}" for line in serving)]) + "\n")
    program.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(program))


def test_a_worker_that_dies_takes_only_its_film(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(
        tmp_path,
        monkeypatch,
        "if work.film.film == 'a':",
        "    os.kill(os.getpid(), signal.SIGKILL)",
        "tell('ended', [])",
    )
    ended = list(
        run_in_processes(
            library.works, [], library.settings, watch=nobody_watches, workers=1, threads=1
        )
    )
    assert [[(o.film, o.failure) for o in outcomes] for outcomes in ended] == [
        [("a", "its worker process died (signal 9): out of memory, or a crash in a library")],
        [],
    ]


def test_where_a_worker_died_is_noted_on_disk(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(
        tmp_path,
        monkeypatch,
        "tell('progress', (work.film.film, 'first', 0.0))",
        "os._exit(3)",
    )
    summary = run_library(library, stages=["first"], workers=2)
    assert [(o.film, o.stage) for o in summary.failures] in (
        [("a", "first"), ("b", "first")], [("b", "first"), ("a", "first")],
    )  # fmt: skip
    states = {s.film: s for s in library_status(library) if s.stage == "first"}
    assert states["a"].state is State.FAILED
    assert "its worker process died (exit code 3)" in states["a"].reason


def test_an_interrupted_run_leaves_nobody_at_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither a worker nor a thread that would start another one on the next film."""
    for film in "abcdef":
        (tmp_path / film).mkdir()
        (tmp_path / film / "v.mp4").write_text(film)
    stand_in(
        tmp_path,
        monkeypatch,
        f"open({str(tmp_path / 'started')!r}, 'a').write(f'{{os.getpid()}} ')",
        "if work.film.film == 'a':",
        "    tell('ended', [])",
        "else:",
        "    tell('progress', (work.film.film, 'shots', 0.0))",
        "    time.sleep(120)",
    )
    library = Library.open(tmp_path)
    before = set(threading.enumerate())
    films = run_in_processes(
        library.works, [], library.settings, watch=nobody_watches, workers=2, threads=1
    )
    assert next(films) == []
    started = tmp_path / "started"
    assert _soon(lambda: len(started.read_text().split()) == 3)
    films.close()
    assert set(threading.enumerate()) <= before
    assert len(started.read_text().split()) == 3
    assert not any(_lives(int(process)) for process in started.read_text().split())
    assert list(library.folder.rglob("*.failure.txt")) == []


def test_a_run_that_is_interrupted_between_films_ends_its_workers(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However it ends, the films are closed while the lock is still held."""
    told: list[str] = []

    class Interrupted(list[StageOutcome]):
        def __iter__(self) -> Iterator[StageOutcome]:
            raise KeyboardInterrupt

    def films(*_: object, **__: object) -> Iterator[list[StageOutcome]]:
        try:
            yield Interrupted()
        finally:
            with pytest.raises(LibraryBusyError), holding(library.work_folder):
                pass
            told.append("closed")

    monkeypatch.setattr(run_module, "run_films", films)
    with pytest.raises(KeyboardInterrupt) as caught:
        run_library(library, workers=2)
    assert told == ["closed"]
    assert caught.type is KeyboardInterrupt


def test_threads_are_shared_by_the_cores_that_may_be_used(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, int] = {}

    def processes(*_: object, **options: int) -> Iterator[list[StageOutcome]]:
        asked.update(options)
        yield from ()

    monkeypatch.setattr(runner_module, "run_in_processes", processes)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(4)))
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    list(runner_module.run_films(library.works, [], library.settings, watch=nobody_watches,
                                 workers=2))  # fmt: skip
    assert (asked["workers"], asked["threads"]) == (2, 2)
