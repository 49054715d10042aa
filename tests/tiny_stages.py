"""Stages that write a word each, to test how stages are run."""

from collections.abc import Callable, Sequence
from pathlib import Path

from callsheet.core import Progress, StageResult
from callsheet.pipeline.library import Library
from callsheet.pipeline.run import RunSummary, run_library
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.stage import FilmWork, Stage
from callsheet.store import write_text

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


def run(library: Library, **options: object) -> RunSummary:
    return run_library(library, workers=1, **options)  # type: ignore[arg-type]


def ran(summary: RunSummary) -> list[str]:
    return [f"{o.film}:{o.stage}" for o in summary.outcomes if o.ran]
