"""The stages, in order: each calls one function of a room.

Rooms are imported when their stage runs, so that `callsheet status` loads no heavy library.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from callsheet.core import Progress, StageResult
from callsheet.errors import InputError
from callsheet.pipeline.plan import manifest_path
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.stage import FilmWork, Scope, Stage


def _shots(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
    from callsheet.video import make_shots

    return make_shots(work.source("video"), work.folder, settings.shots, progress)


def _tracks(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
    from callsheet.video import make_tracks

    return make_tracks(work.source("video"), work.folder, settings.tracks, progress)


def _features(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
    from callsheet.video import make_features

    return make_features(work.source("video"), work.folder, settings.features, progress)


def _script(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
    from callsheet.text import make_script

    return make_script(work.source("screenplay"), work.folder, settings.script, progress)


def _cast(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
    from callsheet.text import make_cast

    return make_cast(work.folder, work.film.cast)


def _cues(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
    from callsheet.text import make_cues

    return make_cues(work.source("subtitles"), work.folder, settings.subtitles, progress)


def _align(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
    from callsheet.text import make_alignment

    return make_alignment(work.folder, settings.alignment, progress)


def _evidence(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
    from callsheet.text import make_evidence

    return make_evidence(work.folder, settings.evidence, progress)


def _speaking(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
    from callsheet.video import make_speaking

    return make_speaking(work.folder, settings.speaking, progress)


def _bags(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
    from callsheet.bags import make_bags

    return make_bags(work.folder, settings.bags, progress)


def _names(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
    from callsheet.model import make_names

    return make_names(work.folder, settings.names, progress)


def _actions(
    works: Sequence[FilmWork], folder: Path, settings: Settings, progress: Progress
) -> StageResult:
    from callsheet.model import make_actions

    described = [
        work.folder
        for work in works
        if work.has("video") and manifest_path(work.folder, STAGES["features"]).exists()
    ]
    return make_actions(described, folder, settings.actions, progress)


def _labels(work: FilmWork, settings: Settings, progress: Progress) -> StageResult:
    from callsheet.model import make_labels

    if not any((work.folder / f"{what}_scores.npy").exists() for what in ("name", "action")):
        raise InputError(
            "nothing to label it by: no script was aligned here, and no film of the library"
            " teaches actions; add its screenplay and subtitles"
        )
    return make_labels(work.folder, settings.labels, progress)


def _index(
    works: Sequence[FilmWork], folder: Path, settings: Settings, progress: Progress
) -> StageResult:
    from callsheet.pipeline.index import make_index

    return make_index(works, folder, progress)


def _report(
    works: Sequence[FilmWork], folder: Path, settings: Settings, progress: Progress
) -> StageResult:
    from callsheet.pipeline.reporting import report_films

    return report_films(works, folder, progress)


_ALL = (
    Stage("shots", _shots, ("shots.parquet", "stream.parquet"), reads=("video",),
          settings=("shots",), keeps=True),
    Stage("script", _script, ("elements.parquet", "scenes.parquet"), reads=("screenplay",),
          settings=("script",)),
    Stage("cast", _cast, ("cast.parquet",), may_read=("cast",), after=("script",)),
    Stage("cues", _cues, ("cues.parquet",), reads=("subtitles",), may_follow=("shots",),
          settings=("subtitles",)),
    Stage("align", _align, ("alignment.parquet", "speakers.parquet", "scene_spans.parquet"),
          after=("script", "cast", "cues"), settings=("alignment",)),
    Stage("evidence", _evidence, ("evidence.parquet",), after=("align", "cast"),
          settings=("evidence",)),
    Stage("tracks", _tracks, ("tracks.parquet", "boxes.parquet", "landmarks.parquet",
          "together.parquet"), reads=("video",),
          amended=("tracks.parquet",),
          after=("shots",), settings=("tracks",), keeps=True),
    Stage("features", _features, ("faces.npy", "bodies.npy", "mouths.parquet", "tracks.parquet"),
          reads=("video",), after=("tracks",), settings=("features",), keeps=True, version=2),
    Stage("speaking", _speaking, ("speaking.parquet",), after=("features", "cues"),
          settings=("speaking",)),
    Stage("bags", _bags, ("bags.parquet",), after=("tracks", "evidence"),
          may_follow=("speaking",), settings=("bags",)),
    Stage("names", _names, ("names.npy", "name_scores.npy", "names.json", "names_weights.npy"),
          may_read=("pins",), after=("features", "bags"), settings=("names",)),
    Stage("actions", _actions, ("*/actions.npy", "*/action_scores.npy", "*/action_trials.npy",
          "*/actions.json", "actions.json*", "actions_weights.npy*", "actions_trials.npy*"),
          may_read=("pins",), after=("features",), may_follow=("bags", "names"),
          settings=("actions",), scope=Scope.LIBRARY),
    Stage("labels", _labels, ("labels.parquet", "scores.parquet"), after=("features",),
          may_read=("pins",), may_follow=("names", "bags", "actions"), settings=("labels",)),
    Stage("index", _index, ("index.parquet", "people.json"), may_follow=("labels", "cast"),
          watches=("thumbnails",), scope=Scope.LIBRARY, keeps=True, version=2),
    Stage("report", _report, ("report/*.html",), watches=("truth", "thumbnails", "notes"),
          may_follow=("labels", "evidence", "align", "cast", "script", "shots"),
          scope=Scope.LIBRARY, keeps=True, version=2),
)  # fmt: skip

STAGES = {stage.name: stage for stage in _ALL}
"""Name -> stage, in an order in which every stage comes after those it needs."""
