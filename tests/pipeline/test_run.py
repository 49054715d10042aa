"""Stages run once, again when something changed, and never half."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from callsheet.core import Progress, StageResult
from callsheet.errors import InputError
from callsheet.pipeline import run as run_module
from callsheet.pipeline import stages as stages_module
from callsheet.pipeline.library import Library
from callsheet.pipeline.plan import State
from callsheet.pipeline.run import library_status, stages_for
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.stage import FilmWork, Scope, Stage
from callsheet.store import SCHEMAS, read_rows, write_rows, write_text
from callsheet.video import make_speaking
from callsheet.video.models import Task, add_model
from callsheet.video.models.registry import InputRecipe
from tiny_stages import film_stage, ran, run


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


def test_a_pin_that_changes_no_name_is_labelled_all_the_same() -> None:
    """A body whose face is not seen takes no part in the names: the labels read the pins, too."""
    for stage in ("names", "actions", "labels"):
        assert "pins" in stages_module.STAGES[stage].may_read


def test_damaged_manifests_are_run_again(library: Library) -> None:
    run(library)
    (library.work_folder / "a" / "first.manifest.json").write_text('{"half')
    assert ran(run(library)) == ["a:first"]


def test_named_stages_bring_what_they_need(library: Library) -> None:
    assert stages_for(["second"]) == ["first", "second"]
    assert ran(run(library, stages=["first"])) == ["a:first", "b:first"]
    with pytest.raises(InputError, match="no stage 'thrid'; the stages are first, second"):
        stages_for(["thrid"])


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


def test_without_measured_mouths_nobody_is_said_to_speak(tmp_path: Path) -> None:
    """`[features] mouths = false` leaves an empty table, which `speaking` can read."""
    assert "mouths.parquet" in stages_module.STAGES["features"].outputs
    write_rows(tmp_path / "mouths.parquet", SCHEMAS["mouths"], [])
    cue = {"cue": 0, "start": 0.0, "end": 1.0, "text": "hello", "speaker": None, "sound": False}
    write_rows(tmp_path / "cues.parquet", SCHEMAS["cues"], [cue])
    make_speaking(tmp_path)
    assert read_rows(tmp_path / "speaking.parquet", SCHEMAS["speaking"]) == []
