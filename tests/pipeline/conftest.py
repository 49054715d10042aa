"""A library of two films with tiny stages."""

from pathlib import Path

import pytest

from callsheet.errors import InputError
from callsheet.pipeline import run as run_module
from callsheet.pipeline import stages as stages_module
from callsheet.pipeline.library import Library
from callsheet.pipeline.stage import FilmWork, Scope, Stage
from tiny_stages import film_stage, gather


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
