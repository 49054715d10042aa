"""Stages run once, again when something changed, and never half."""

import errno
import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from callsheet.core import Progress, StageResult
from callsheet.errors import InputError, StoreError
from callsheet.pipeline import run as run_module
from callsheet.pipeline import runner as runner_module
from callsheet.pipeline import stages as stages_module
from callsheet.pipeline.crew import run_in_processes
from callsheet.pipeline.library import Library
from callsheet.pipeline.lock import LibraryBusyError, holding
from callsheet.pipeline.plan import State
from callsheet.pipeline.run import RunSummary, library_status, run_library, stages_for
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.stage import FilmWork, Scope, Stage, StageOutcome
from callsheet.pipeline.watching import nobody_watches
from callsheet.store import SCHEMAS, read_rows, write_rows, write_text
from callsheet.video import make_speaking
from callsheet.video.models import Task, add_model
from callsheet.video.models.registry import InputRecipe

Act = Callable[[FilmWork], str]


def film_stage(name: str, act: Act, **more: object) -> Stage:
    def run(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
        write_text(work.folder / f"{name}.txt", act(work))
        return StageResult({"wrote": name})

    return Stage(name, run, (f"{name}.txt",), **more)  # type: ignore[arg-type]


def gather(
    works: Sequence[FilmWork], folder: Path, settings: Settings, progress: Progress
) -> StageResult:
    texts = [w.folder / "second.txt" for w in works]
    write_text(folder / "all.txt", "".join(t.read_text() for t in texts if t.exists()))
    return StageResult()


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    """Two films; `first` counts letters of the video, `second` shouts it, `join` gathers."""
    for film in ("a", "b"):
        (tmp_path / film).mkdir()
        (tmp_path / film / "v.mp4").write_text(film)

    def first(work: FilmWork) -> str:
        text = work.source("video").read_text()
        if text == "broken":
            raise InputError("v.mp4 is broken")
        return str(len(text))

    def second(work: FilmWork) -> str:
        return (work.folder / "first.txt").read_text() + "!"

    made = [
        film_stage("first", first, reads=("video",), settings=("run",)),
        film_stage("second", second, after=("first",)),
        film_stage("script", lambda _: "s", reads=("screenplay",)),
        Stage("join", gather, ("all.txt",), after=("second",), scope=Scope.LIBRARY),
    ]
    registry = {stage.name: stage for stage in made}
    monkeypatch.setattr(stages_module, "STAGES", registry)
    monkeypatch.setattr(run_module, "STAGES", registry)
    return Library.open(tmp_path)


def run(library: Library, **options: object) -> RunSummary:
    return run_library(library, workers=1, **options)  # type: ignore[arg-type]


def ran(summary: RunSummary) -> list[str]:
    return [f"{o.film}:{o.stage}" for o in summary.outcomes if o.ran]


def test_everything_runs_once(library: Library) -> None:
    assert ran(run(library)) == ["a:first", "a:second", "b:first", "b:second", ":join"]
    assert (library.work_folder / "all.txt").read_text() == "1!1!"
    again = run(library)
    assert ran(again) == []
    assert again.of("a")["first"].summary == {"wrote": "first"}


def test_a_changed_file_reruns_what_depends_on_it(library: Library) -> None:
    run(library)
    (library.folder / "a" / "v.mp4").write_text("longer")
    assert [(s.stage, s.reason) for s in library_status(library) if s.state is State.STALE] == [
        ("first", "video changed")
    ]
    assert ran(run(library)) == ["a:first", "a:second", ":join"]


def test_equal_output_stops_the_wave(library: Library) -> None:
    run(library)
    (library.folder / "a" / "v.mp4").write_text("z")  # another letter, but still one
    assert ran(run(library)) == ["a:first"]


def test_a_lost_output_is_made_again(library: Library) -> None:
    run(library)
    (library.work_folder / "b" / "second.txt").unlink()
    stale = [s for s in library_status(library) if s.state is State.STALE]
    assert [(s.film, s.reason) for s in stale] == [("b", "second.txt is gone")]
    assert ran(run(library)) == ["b:second"]


def test_a_damaged_output_is_made_again(library: Library) -> None:
    run(library)
    (library.work_folder / "b" / "second.txt").write_text("half")
    stale = [s for s in library_status(library) if s.state is State.STALE]
    assert [(s.film, s.reason) for s in stale] == [("b", "second.txt is not as this stage left it")]
    assert ran(run(library)) == ["b:second"]


def test_a_stage_that_completes_anothers_output(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `features` completes the tracks table: if `first` runs again, so must `completing`."""

    def completing(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
        path = work.folder / "first.txt"
        write_text(path, path.read_text().rstrip("+") + "+")
        return StageResult()

    stages = dict(run_module.STAGES)
    stages["first"] = replace(stages["first"], amended=("first.txt",), keeps=True)
    stages["completing"] = Stage("completing", completing, ("first.txt",), after=("first",),
                                 keeps=True)  # fmt: skip
    for module in (stages_module, run_module):
        monkeypatch.setattr(module, "STAGES", stages)
    named = ["completing"]
    assert ran(run(library, stages=named)) == [
        "a:first", "a:completing", "b:first", "b:completing",
    ]  # fmt: skip
    assert ran(run(library, stages=named)) == []
    (library.folder / "a" / "v.mp4").write_text("z")  # `first` writes the same bytes again
    assert ran(run(library, stages=named)) == ["a:first", "a:completing"]
    assert (library.work_folder / "a" / "first.txt").read_text() == "1+"


def test_changed_settings_rerun_their_stage(library: Library) -> None:
    run(library)
    (library.folder / "callsheet.toml").write_text("[run]\nworkers = 1\n")
    changed = Library.open(library.folder)
    reasons = {s.reason for s in library_status(changed) if s.state is State.STALE}
    assert "setting run.workers changed" in reasons


def test_a_changed_file_behind_a_setting_reruns_its_stage(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The setting's text stays the same; a file by path, and a network that the user added."""
    stages = {"first": replace(run_module.STAGES["first"], settings=("features",))}
    for module in (stages_module, run_module):
        monkeypatch.setattr(module, "STAGES", stages)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    words, network = tmp_path / "words.npz", tmp_path / "mine.onnx"
    words.write_text("one")
    network.write_text("one")
    recipe = InputRecipe(112, 112)
    add_model("mine", network, task=Task("face-descriptor"), recipe=recipe)
    (library.folder / "callsheet.toml").write_text(
        f'[features]\nmotion_words = "{words}"\nface_model = "mine"\n'
    )
    library = Library.open(library.folder)
    run(library)
    assert ran(run(library)) == []

    def stale() -> set[str]:
        return {s.reason for s in library_status(library) if s.state is State.STALE}

    words.write_text("another")
    assert stale() == {"the file of setting features.motion_words changed"}
    assert len(ran(run(library))) == 2
    network.write_text("another")
    add_model("mine", network, task=Task("face-descriptor"), recipe=recipe)
    assert stale() == {"the file of setting features.face_model changed"}
    words.unlink()
    assert len(ran(run(library))) == 2
    assert ran(run(library)) == []


def test_one_failure_does_not_stop_the_others(library: Library) -> None:
    (library.folder / "a" / "v.mp4").write_text("broken")
    summary = run(library)
    assert [(o.film, o.stage, o.failure) for o in summary.failures] == [
        ("a", "first", "v.mp4 is broken")
    ]
    assert ran(summary) == ["a:first", "b:first", "b:second", ":join"]
    assert (library.work_folder / "all.txt").read_text() == "1!"
    states = {(s.film, s.stage): s for s in library_status(library)}
    assert states["a", "first"].state is State.FAILED
    assert states["a", "first"].reason == "v.mp4 is broken"
    (library.folder / "a" / "v.mp4").write_text("mended")
    assert run(library).failures == ()
    assert (library.work_folder / "all.txt").read_text() == "6!1!"


def test_a_bug_in_one_film_is_a_failure_of_that_film(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def second(work: FilmWork) -> str:
        return str(1 // (work.film.film != "a"))

    stages = {**run_module.STAGES, "second": film_stage("second", second, after=("first",))}
    for module in (stages_module, run_module):
        monkeypatch.setattr(module, "STAGES", stages)
    summary = run(library)
    (failure,) = summary.failures
    assert (failure.film, failure.stage) == ("a", "second")
    assert "unexpected ZeroDivisionError: " in (failure.failure or "")
    assert "test_run.py" in (failure.failure or "")
    note = library.work_folder / "a" / "second.failure.txt"
    assert note.read_text() == f"{failure.failure}\n"
    assert (library.work_folder / "all.txt").read_text() == "1"


def test_a_stage_that_waits_says_for_what(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    third = film_stage("third", lambda _: "3", after=("second",))
    for module in (stages_module, run_module):
        monkeypatch.setattr(module, "STAGES", {**run_module.STAGES, "third": third})
    reasons = {s.stage: s.reason for s in library_status(library) if s.film == "a"}
    assert (reasons["first"], reasons["third"]) == ("", "waits for first")
    (library.folder / "a" / "v.mp4").write_text("broken")
    run(library)
    reasons = {s.stage: s.reason for s in library_status(library) if s.film == "a"}
    assert reasons["second"] == reasons["third"] == "waits for first, which failed"


def test_what_a_stage_of_the_library_shows_reruns_it(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the report shows thumbnails, notes of failures and warnings, and a truth."""
    join = replace(run_module.STAGES["join"], watches=("truth", "thumbnails", "notes"))
    for module in (stages_module, run_module):
        monkeypatch.setattr(module, "STAGES", {**run_module.STAGES, "join": join})
    run(library)
    assert ran(run(library)) == []

    def reason() -> str:
        (stale,) = [s.reason for s in library_status(library) if s.state is State.STALE]
        assert ran(run(library)) == [":join"]
        assert ran(run(library)) == []
        return stale

    folder = library.work_folder / "a"
    (folder / "thumbnails").mkdir()
    (folder / "thumbnails" / "1.jpg").write_bytes(b"picture")
    assert reason() == "thumbnails of a changed"
    (library.folder / "a" / "truth").mkdir()
    (library.folder / "a" / "truth" / "truth.parquet").write_text("one")
    assert reason() == "truth of a changed"
    (library.folder / "a" / "truth" / "truth.parquet").write_text("two")
    assert reason() == "truth of a changed"
    (library.folder / "a" / "truth" / "truth.parquet").unlink()
    assert reason() == "truth of a changed"
    (folder / "other.failure.txt").write_text("refused")
    assert reason() == "notes of a changed"
    manifest = folder / "second.manifest.json"
    manifest.write_text(manifest.read_text().replace('"warnings": []', '"warnings": ["odd"]'))
    assert reason() == "notes of a changed"
    (library.work_folder / "actions.failure.txt").write_text("no film teaches actions")
    assert reason() == "failures of all films together changed"


def test_the_report_and_the_index_follow_all_that_they_show() -> None:
    report, index = stages_module.STAGES["report"], stages_module.STAGES["index"]
    assert {"labels", "evidence", "align", "cast", "script", "shots"} <= set(report.may_follow)
    assert set(report.watches) == {"truth", "thumbnails", "notes"}
    assert "cast" in index.may_follow
    assert index.watches == ("thumbnails",)


def test_stages_that_do_not_apply_say_why(library: Library) -> None:
    states = {(s.film, s.stage): s for s in library_status(library)}
    assert states["a", "script"].state is State.SKIPPED
    assert states["a", "script"].reason == "no screenplay"


def test_damaged_manifests_are_run_again(library: Library) -> None:
    run(library)
    (library.work_folder / "a" / "first.manifest.json").write_text('{"half')
    assert ran(run(library)) == ["a:first"]


def test_named_stages_bring_what_they_need(library: Library) -> None:
    assert stages_for(["second"]) == ["first", "second"]
    assert ran(run(library, stages=["first"])) == ["a:first", "b:first"]
    with pytest.raises(InputError, match="no stage 'thrid'; the stages are first, second"):
        stages_for(["thrid"])


def test_the_second_run_is_told_who_holds_the_library(library: Library) -> None:
    code = (
        "import sys, pathlib\nfrom callsheet.pipeline.lock import holding\n"
        f"with holding(pathlib.Path({str(library.work_folder)!r})):\n"
        "    print('held', flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(LibraryBusyError, match=f"in use by process {other.pid} on"):
            run(library)
        other.kill()
    with holding(library.work_folder):
        held = json.loads((library.work_folder / "lock").read_text())
        assert set(held) == {"process", "host", "since"}
    run(library)


def test_a_disk_without_locks_is_not_a_busy_one(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_locks(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with pytest.raises(StoreError, match=r"cannot lock .*: No locks available") as caught:
        run(library)
    assert caught.type is StoreError


def test_a_library_whose_results_cannot_be_written_is_a_sentence(library: Library) -> None:
    """Where a file stands in the place of the folder not even root can write."""
    library.work_folder.write_text("in the way")
    with pytest.raises(StoreError, match=r"cannot write into .*\.callsheet: .* folder writable"):
        run(library)


def test_a_full_disk_is_a_sentence_and_the_next_run_goes_on(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk fills while film a is at work: nothing half-written, b goes on."""
    write = Path.write_text

    def full(path: Path, text: str, *rest: Any, **more: Any) -> int:
        if path.parent.name == "a":
            write(path, text[: len(text) // 2], *rest, **more)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, text, *rest, **more)

    monkeypatch.setattr(Path, "write_text", full)
    summary = run(library)
    (failure,) = summary.failures
    assert (failure.film, failure.stage) == ("a", "first")
    assert "No space left on device; free some space" in (failure.failure or "")
    assert [p.name for p in (library.work_folder / "a").iterdir()] == []
    assert (library.work_folder / "all.txt").read_text() == "1!"
    monkeypatch.setattr(Path, "write_text", write)
    assert run(library).failures == ()
    assert (library.work_folder / "all.txt").read_text() == "1!1!"


def test_films_follow_a_stage_of_the_library(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `labels` follows `actions`, which writes into every film's folder."""

    def spread(
        works: Sequence[FilmWork], folder: Path, settings: Settings, progress: Progress
    ) -> StageResult:
        total = sum(len((w.folder / "first.txt").read_text()) for w in works)
        for work in works:
            write_text(work.folder / "total.txt", str(total))
        return StageResult()

    stages = {name: run_module.STAGES[name] for name in ("first", "second")}
    stages["spread"] = Stage("spread", spread, ("*/total.txt",), after=("first",),
                             scope=Scope.LIBRARY)  # fmt: skip
    last = film_stage("last", lambda work: (work.folder / "total.txt").read_text())
    stages["last"] = replace(last, may_follow=("spread",))
    for module in (stages_module, run_module):
        monkeypatch.setattr(module, "STAGES", stages)
    run(library)
    assert ran(run(library)) == []
    (library.folder / "a" / "v.mp4").write_text("0123456789")
    assert ran(run(library)) == ["a:first", "a:second", ":spread", "a:last", "b:last"]
    assert (library.work_folder / "b" / "last.txt").read_text() == "3"
    (library.work_folder / "b" / "total.txt").unlink()
    assert ran(run(library)) == [":spread"]
    assert (library.work_folder / "b" / "total.txt").exists()


def test_results_of_a_file_that_is_gone_are_removed(library: Library) -> None:
    script = library.folder / "a" / "s.fountain"
    script.write_text("INT. HOUSE")
    run(Library.open(library.folder))
    written = library.work_folder / "a" / "script.txt"
    assert written.exists()
    script.unlink()
    run(Library.open(library.folder))
    assert not written.exists()
    assert not (library.work_folder / "a" / "script.manifest.json").exists()


def test_results_of_a_video_that_is_away_stay(library: Library) -> None:
    (library.folder / "a" / "s.fountain").write_text("INT. HOUSE")
    (library.folder / "a" / "v.mp4").rename(library.folder / "away")
    library = Library.open(library.folder)
    run(library)
    (library.folder / "away").rename(library.folder / "a" / "v.mp4")
    library = Library.open(library.folder)
    run(library)
    (library.folder / "a" / "v.mp4").rename(library.folder / "away")
    run(Library.open(library.folder))
    assert (library.work_folder / "a" / "second.txt").exists()
    (library.folder / "away").rename(library.folder / "a" / "v.mp4")
    assert "a:first" not in ran(run(Library.open(library.folder)))


def test_what_follows_a_failure_neither_runs_nor_stays(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    third = film_stage("third", lambda _: "3", after=("second",))
    for module in (stages_module, run_module):
        monkeypatch.setattr(module, "STAGES", {**run_module.STAGES, "third": third})
    assert "a:third" in ran(run(library))
    (library.folder / "a" / "v.mp4").write_text("broken")
    summary = run(library)
    assert [(o.film, o.stage) for o in summary.failures] == [("a", "first")]
    assert {o.stage for o in summary.outcomes if o.film == "a"} == {"first"}
    assert not (library.work_folder / "a" / "third.txt").exists()
    assert (library.work_folder / "all.txt").read_text() == "1!"


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


def test_without_measured_mouths_nobody_is_said_to_speak(tmp_path: Path) -> None:
    """`[features] mouths = false` leaves an empty table, which `speaking` can read."""
    assert "mouths.parquet" in stages_module.STAGES["features"].outputs
    write_rows(tmp_path / "mouths.parquet", SCHEMAS["mouths"], [])
    cue = {"cue": 0, "start": 0.0, "end": 1.0, "text": "hello", "speaker": None, "sound": False}
    write_rows(tmp_path / "cues.parquet", SCHEMAS["cues"], [cue])
    make_speaking(tmp_path)
    assert read_rows(tmp_path / "speaking.parquet", SCHEMAS["speaking"]) == []
