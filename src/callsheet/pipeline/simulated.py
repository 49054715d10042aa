"""A library of simulated films: everything up to the bags as if it had been computed.

The world gives tracks, evidence, descriptors and truth; videos, screenplays and subtitles are
token files. Manifests are written as the stages would have left them, so that `run` begins
with the bags. For measuring how the pipeline grows with the number of films.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from callsheet.pipeline import plan
from callsheet.pipeline.library import Library
from callsheet.pipeline.stage import WORK_FOLDER, FilmWork, Stage
from callsheet.pipeline.stages import STAGES
from callsheet.store import (
    SCHEMAS,
    file_fingerprint,
    read_rows,
    write_manifest,
    write_matrix,
    write_rows,
    write_text,
)
from callsheet.theatre.world import WorldSettings, film_folders, make_world

FIRST_REAL = "bags"
"""The first stage that is really run."""

_TOKENS = {"video.mp4": "simulated", "screenplay.txt": "simulated", "subtitles.srt": "simulated"}


def make_simulated_library(folder: Path, settings: WorldSettings) -> Library:
    """Write token films and the world's tables; everything before the bags counts as done."""
    work_folder = folder / WORK_FOLDER
    make_world(work_folder, settings)
    for film_folder in film_folders(work_folder, settings):
        for name, content in _TOKENS.items():
            write_text(folder / film_folder.name / name, f"{content} {film_folder.name}\n")
    library = Library.open(folder)
    for work in library.works:
        _complete(work)
        _pretend(work, library)
    return library


def _complete(work: FilmWork) -> None:
    """Tables that a world does not write and later stages may look for."""
    names = {"speaking"} | {
        Path(output).stem
        for stage in _pretended()
        for output in stage.outputs
        if output.endswith(".parquet") and output not in ("stream.parquet", "boxes.parquet")
    }
    for name in names:
        path = work.folder / f"{name}.parquet"
        if not path.exists():
            write_rows(path, SCHEMAS[name], [])
    tracks = read_rows(work.folder / "tracks.parquet", SCHEMAS["tracks"])
    write_rows(work.folder / "boxes.parquet", SCHEMAS["boxes"], map(_box, tracks))
    stream = work.folder / "stream.parquet"
    if not stream.exists():
        row = {"width": 640, "height": 360, "rate_numerator": 24, "rate_denominator": 1,
               "frames": 24 * 3600, "duration": 3600.0}  # fmt: skip
        write_rows(stream, SCHEMAS["stream"], [row])
    if not (work.folder / "faces.npy").exists():  # a film whose faces nobody saw
        write_matrix(work.folder / "faces.npy", np.zeros((0, 1), np.float32))


def _box(track: dict[str, Any]) -> dict[str, Any]:
    """One box at the track's first instant."""
    place = {"x": 100.0, "y": 50.0, "w": 60.0, "h": 160.0, "confidence": 1.0}
    frame = round(24 * track["start"])
    return {"track": track["track"], "time": track["start"], "frame": frame, **place}


def _pretend(work: FilmWork, library: Library) -> None:
    """Manifests of the stages before the first real one, in their order."""
    for stage in _pretended():
        wanted = plan.wanted_manifest(work, stage, STAGES, library.settings)
        outputs = {name: file_fingerprint(work.folder / name) for name in stage.outputs}
        note = {"simulated": True, "faces": 0, "bodies": 0}
        manifest = replace(wanted, outputs=outputs, summary=note)
        write_manifest(plan.manifest_path(work.folder, stage), manifest)


def _pretended() -> list[Stage]:
    """The stages before the first real one, in their order."""
    stages = list(STAGES.values())
    return stages[: [stage.name for stage in stages].index(FIRST_REAL)]
