"""The whole on rendered puppet films: real detectors, real text, faults in every stage.

The films are rendered once and kept in the user's cache, by the version that rendered them.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import platformdirs
import pytest

from callsheet import __version__
from callsheet.cli.verbs.run import print_summary
from callsheet.pipeline.corrections import import_corrections
from callsheet.pipeline.library import Library
from callsheet.pipeline.plan import State
from callsheet.pipeline.run import library_status, run_library
from callsheet.pipeline.stages import STAGES
from callsheet.report.page.gather import gather
from callsheet.report.page.render import film_file
from callsheet.store import SCHEMAS, file_fingerprint, read_manifest, read_rows

SECONDS = 8.0


@pytest.fixture(scope="session")
def puppets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rendered films; kept between test runs."""
    import callsheet.theatre.stage as stage
    from callsheet.theatre import render_library

    sources = sorted(Path(stage.__file__).parent.rglob("*.py"))
    mark = "".join(file_fingerprint(p) for p in sources)
    kept = Path(platformdirs.user_cache_dir("callsheet")) / "tests" / f"puppets-{__version__}"
    if not (kept / "mark").exists() or (kept / "mark").read_text() != mark:
        shutil.rmtree(kept, ignore_errors=True)
        render_library(kept, films=2, seed=5, seconds=SECONDS)
        (kept / "mark").write_text(mark)
    films = tmp_path_factory.mktemp("films")
    for film in ("film-01", "film-02"):
        shutil.copytree(kept / film, films / film)
    return films


@pytest.fixture(scope="session")
def finished(puppets: Path) -> Library:
    """The two films with everything computed."""
    library = Library.open(puppets)
    summary = run_library(library, workers=1)
    assert summary.failures == ()
    return library


def copy_of(library: Library, tmp_path: Path) -> Library:
    shutil.copytree(library.folder, tmp_path / "films")
    return Library.open(tmp_path / "films")


def everything(library: Library) -> dict[str, str]:
    """Fingerprints of all results but reports (they hold no clock, but manifests hold seconds)."""
    files = (p for p in library.work_folder.rglob("*") if p.suffix in (".parquet", ".npy"))
    return {str(p.relative_to(library.work_folder)): file_fingerprint(p) for p in files}


def test_films_become_a_call_sheet(finished: Library) -> None:
    states = {s.state for s in library_status(finished)}
    assert states == {State.DONE}
    for work in finished.works:
        labels = finished.labels(work.film.film)
        assert any(t.person is not None and t.person.is_named for t in labels)
        page = finished.work_folder / "report" / f"film-{work.film.film}.html"
        assert "data:image/jpeg" in page.read_text(encoding="utf-8")
    assert run_library(finished, workers=1).ran == 0


def test_the_code_of_the_readme_runs(finished: Library, tmp_path: Path) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    (tmp_path / "films").symlink_to(finished.folder)
    command = [sys.executable, "-c", code.replace("casablanca", "film-01")]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert len(result.stdout.splitlines()) == len(finished.labels("film-01"))


def test_the_run_and_the_page_count_the_named_alike(finished: Library) -> None:
    for work in finished.works:
        told = read_manifest(work.folder / "labels.manifest.json").summary
        share = told["people_named"] / told["people"]
        page = gather(work.film.film, work.folder)
        assert page.counts["named"] == pytest.approx(share)


def test_names_are_mostly_right(finished: Library) -> None:
    from callsheet.pipeline.demo import compare_names

    ours = compare_names(finished)[0]
    assert ours.method == "callsheet"
    assert ours.cast_accuracy >= 0.5  # a few faces in 16 seconds; the demo measures more


def test_a_film_without_its_script_is_labelled_by_the_others(
    finished: Library, tmp_path: Path
) -> None:
    library = copy_of(finished, tmp_path)
    for name in ("screenplay.fountain", "screenplay.txt", "subtitles.srt"):
        (library.folder / "film-02" / name).unlink(missing_ok=True)
    library = Library.open(library.folder)
    summary = run_library(library, workers=1)
    assert summary.failures == ()
    rows = read_rows(library.work("film-02").folder / "labels.parquet", SCHEMAS["labels"])
    assert all(row["person"] is None for row in rows)
    assert any(row["action"] is not None for row in rows)


def test_the_wrong_script_is_flagged_and_the_rest_is_fine(
    finished: Library, tmp_path: Path
) -> None:
    library = copy_of(finished, tmp_path)
    script = next(p for p in (library.folder / "film-02").glob("screenplay.*"))
    script.write_text(OTHER_SCRIPT, encoding="utf-8")
    summary = run_library(library, workers=1)
    assert [(o.film, o.stage) for o in summary.failures] == [("film-02", "align")]
    assert "film-01" in {o.film for o in summary.outcomes if o.stage == "labels"}
    page = (library.work_folder / "report" / film_file("film-02")).read_text(encoding="utf-8")
    assert "<b>refused</b><span>script" in page
    assert "<li>align: " in page


OTHER_SCRIPT = "\n\n".join(
    f"INT. SUBMARINE {n} - NIGHT\n\nThe captain studies gauge number {n}.\n\n"
    f"CAPTAIN\nTorpedo bearing {n * 7} degrees, brace everyone for impact forward!"
    for n in range(1, 40)
)


def test_an_unreadable_film_does_not_stop_the_others(finished: Library, tmp_path: Path) -> None:
    library = copy_of(finished, tmp_path)
    (library.folder / "film-01" / "film.mp4").write_bytes(os.urandom(20_000))
    summary = run_library(library, workers=1)
    assert [(o.film, o.stage) for o in summary.failures] == [("film-01", "shots")]
    assert "film.mp4" in (summary.failures[0].failure or "")
    assert not (library.work("film-01").folder / "labels.parquet").exists()
    page = (library.work_folder / "report" / "index.html").read_text(encoding="utf-8")
    assert "not labelled: shots failed" in page


def test_a_film_that_was_never_readable_leaves_actions_to_the_others(
    finished: Library, tmp_path: Path
) -> None:
    library = copy_of(finished, tmp_path)
    shutil.rmtree(library.work("film-01").folder)
    (library.folder / "film-01" / "film.mp4").write_bytes(os.urandom(20_000))
    summary = run_library(library, workers=1)
    assert [(o.film, o.stage) for o in summary.failures] == [("film-01", "shots")]
    rows = read_rows(library.work("film-02").folder / "labels.parquet", SCHEMAS["labels"])
    assert any(row["action"] is not None for row in rows)


def test_a_film_without_video_gives_its_text(
    finished: Library, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library = copy_of(finished, tmp_path)
    (library.folder / "book").mkdir()
    for name in ("film-02/subtitles.srt", *(f"film-02/{p}" for p in SCRIPTS)):
        if (library.folder / name).exists():
            shutil.copy(library.folder / name, library.folder / "book")
    library = Library.open(library.folder)
    summary = run_library(library, workers=1)
    assert summary.failures == ()
    assert set(summary.of("book")) == {"script", "cast", "cues", "align", "evidence"}
    assert len(read_rows(library.work("book").folder / "evidence.parquet", SCHEMAS["evidence"])) > 0
    assert {s.state for s in library_status(library) if s.film == "book"} == {
        State.DONE, State.SKIPPED,
    }  # fmt: skip
    print_summary(library, summary)
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("book"))
    assert row.endswith("text only, no video")


SCRIPTS = ("screenplay.fountain", "screenplay.txt")


def test_what_a_person_says_is_labelled_and_can_be_taken_back(
    finished: Library, tmp_path: Path
) -> None:
    """From a CSV through the pins to the labels, and back to what they were."""
    library = copy_of(finished, tmp_path)
    before = everything(library)
    (first, *_) = (t for t in library.labels("film-01") if t.person and t.person.is_named)
    cast = read_rows(library.work("film-01").folder / "cast.parquet", SCHEMAS["cast"])
    other = next(row["person"] for row in cast if row["person"] != first.person.name)
    path = tmp_path / "c.csv"
    path.write_text(f"film,track,person\nfilm-01,{first.track},{other}\n", encoding="utf-8")
    import_corrections(library, path, film=None)
    summary = run_library(library, workers=1)
    assert summary.failures == ()
    assert {"names", "labels", "index", "report"} <= {o.stage for o in summary.outcomes if o.ran}
    labels = {t.track: t.person for t in library.labels("film-01")}
    assert labels[first.track].name == other
    path.write_text(f"film,track,person\nfilm-01,{first.track},-\n", encoding="utf-8")
    import_corrections(library, path, film=None)
    assert run_library(library, workers=1).failures == ()
    assert everything(library) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into read-only folders")
def test_a_read_only_folder_is_a_sentence(puppets: Path, tmp_path: Path) -> None:
    shutil.copytree(puppets, tmp_path / "films", ignore=shutil.ignore_patterns(".callsheet"))
    (tmp_path / "films").chmod(0o500)
    command = [sys.executable, "-m", "callsheet", "run", str(tmp_path / "films")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "make the folder writable" in result.stderr


def test_missing_networks_are_named_with_the_command(puppets: Path, tmp_path: Path) -> None:
    shutil.copytree(puppets, tmp_path / "films", ignore=shutil.ignore_patterns(".callsheet"))
    command = [sys.executable, "-m", "callsheet", "run", str(tmp_path / "films"), "--workers", "1"]
    empty = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "empty-cache")}
    result = subprocess.run(command, capture_output=True, text=True, check=False, env=empty)
    assert result.returncode == 1
    assert "callsheet models pull" in result.stderr


@pytest.mark.slow
@pytest.mark.parametrize("name", STAGES)
def test_a_kill_in_any_stage_loses_that_stage_at_most(
    finished: Library, tmp_path: Path, name: str
) -> None:
    library = copy_of(finished, tmp_path)
    before = everything(library)
    folder = library.work("film-01").folder if name in _film_stages() else library.work_folder
    (folder / f"{name}.manifest.json").unlink()
    code = f"""
        import dataclasses, os, pathlib, signal
        from callsheet.pipeline import run, stages
        from callsheet.pipeline.library import Library
        stage = stages.STAGES[{name!r}]
        def killed(*arguments):
            stage.run(*arguments)
            os.kill(os.getpid(), signal.SIGKILL)
        stages.STAGES[{name!r}] = dataclasses.replace(stage, run=killed)
        run.run_library(Library.open(pathlib.Path({str(library.folder)!r})), workers=1)
    """
    result = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=False)
    assert result.returncode == -signal.SIGKILL
    assert not (folder / f"{name}.manifest.json").exists()
    summary = run_library(library, workers=1)
    assert summary.failures == ()
    assert name in {o.stage for o in summary.outcomes if o.ran}
    assert everything(library) == before


def _film_stages() -> set[str]:
    return {name for name, stage in STAGES.items() if stage.scope == "film"}


@pytest.mark.slow
def test_processes_give_the_same_as_one(finished: Library, tmp_path: Path) -> None:
    shutil.copytree(
        finished.folder, tmp_path / "films", ignore=shutil.ignore_patterns(".callsheet")
    )
    library = Library.open(tmp_path / "films")
    assert run_library(library, workers=2).failures == ()
    assert set(everything(library)) == set(everything(finished))
    tables = [json.dumps(read_rows(lib.works[0].folder / "labels.parquet", SCHEMAS["labels"]))
              for lib in (library, finished)]  # fmt: skip
    assert len(json.loads(tables[0])) == len(json.loads(tables[1]))
