"""What goes wrong is told, costs one film at most, and leaves nothing half."""

import errno
import fcntl
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from callsheet.errors import StoreError
from callsheet.pipeline import run as run_module
from callsheet.pipeline import stages as stages_module
from callsheet.pipeline.library import Library
from callsheet.pipeline.lock import LibraryBusyError, holding
from callsheet.pipeline.plan import State
from callsheet.pipeline.run import library_status
from callsheet.pipeline.stage import FilmWork
from tiny_stages import film_stage, ran, run


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
    assert "test_failing.py" in (failure.failure or "")
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


def test_stages_that_do_not_apply_say_why(library: Library) -> None:
    states = {(s.film, s.stage): s for s in library_status(library)}
    assert states["a", "script"].state is State.SKIPPED
    assert states["a", "script"].reason == "no screenplay"


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


def test_a_disk_too_full_for_the_lock_is_a_sentence(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StoreError, match=r"cannot write .*lock: No space left .* run again"):
        run(library)
    monkeypatch.undo()
    run(library)


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
