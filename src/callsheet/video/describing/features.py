"""One reading of a film that describes all its tracks: the stage `features`.

`plan` says what is wanted in which frame, `crew` who looks, `parts` where the film is cut so that
a killed run goes on, `assembling` how the parts become files.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from fractions import Fraction
from itertools import takewhile
from pathlib import Path

import numpy as np

from callsheet.core import Progress, Span, StageResult, no_progress
from callsheet.store import SCHEMAS, file_fingerprint, read_table, value_fingerprint
from callsheet.video.describing.assembling import (
    write_bodies,
    write_faces,
    write_mouths,
    write_tracks,
)
from callsheet.video.describing.crew import Crew, crew_for, files_of
from callsheet.video.describing.parts import FilmParts, parts_of
from callsheet.video.describing.plan import Plan, read_plan
from callsheet.video.describing.sight import Sight
from callsheet.video.models import file_sha256
from callsheet.video.settings import FeatureSettings
from callsheet.video.shelf import Arrays, Part, PartShelf
from callsheet.video.stream import FilmStream, open_film
from callsheet.video.stream_decoding import Damage

_WAY = 1
"""Raise when the describing changes, so that parts of another way are not joined to this one's."""
_HAIR = Fraction(1, 1_000_000)
"""Seconds by which the float of a frame's own time may differ from its exact time."""
_PROGRESS_EVERY = 24


def make_features(
    video: Path,
    folder: Path,
    settings: FeatureSettings | None = None,
    progress: Progress = no_progress,
) -> StageResult:
    """Write faces.npy, bodies.npy, mouths.parquet and thumbnails/, and fill in tracks.parquet.

    Reads tracks, boxes, landmarks and shots from `folder`. A killed run goes on where it was.
    """
    plan = read_plan(folder, settings or FeatureSettings())
    film = open_film(video)
    shots = _shots(folder)
    end = _last_time(plan, shots)
    parts = parts_of([shot.start for shot in shots], end, plan.settings.part_seconds)
    shelf = PartShelf(folder / "features.partial", _mark(video, folder, plan.settings))
    crew = crew_for(film, plan, folder, shots, drawn=_drawn(shelf, parts))
    for part, arrays in _described(film, crew, parts, shelf, end, progress):
        shelf.put(part, arrays)
    summary = _assembled(folder, plan, crew, FilmParts(shelf, parts))
    warning = film.warning_of(_damage(FilmParts(shelf, parts)))
    shelf.clear()
    progress(1.0)
    return StageResult(summary, (warning,) if warning else ())


def _described(
    film: FilmStream, crew: Crew, parts: list[Part], shelf: PartShelf, end: float,
    progress: Progress,
) -> Iterator[tuple[Part, Arrays]]:  # fmt: skip
    """The parts that are not there yet, each when it is done."""
    missing = [part for part in parts if not shelf.has(part)]
    if not missing:
        return
    first = missing[0]
    number = int(shelf.get(parts[first.number - 1])["next_frame"]) if first.number else 0
    todo = iter(parts[first.number :])
    part = next(todo)
    start = Fraction(part.start) - _HAIR if first.number else Fraction(0)
    for frame in film.frames(start=start, first_number=number):
        while frame.time >= part.end:
            yield part, _taken(crew, frame.number, film, part)
            part = next(todo)
        if frame.time > end:
            break
        sight = Sight(frame)
        for describer in crew.describers:
            describer.see(sight)
        number = frame.number + 1
        if number % _PROGRESS_EVERY == 0:
            progress(min(1.0, frame.time / max(end, 1e-9)))
    for rest in (part, *todo):
        yield rest, _taken(crew, number, film, rest)


def _last_time(plan: Plan, shots: list[Span]) -> float:
    """The last second at which there is something to see: a box, or a shot's middle."""
    last = float(plan.boxes["time"].max(initial=0.0))
    return max(last, shots[-1].middle) if plan.settings.thumbnails and shots else last


def _taken(crew: Crew, next_frame: int, film: FilmStream, part: Part) -> Arrays:
    """What all describers found in the part, the number of the frame after it, and what could
    not be decoded of it."""
    arrays = {
        f"{describer.name}.{name}": values
        for describer in crew.describers
        for name, values in describer.take().items()
    }
    damage = film.damage
    marks = [mark for mark in damage.marks if part.number == 0 or mark >= part.start]
    end = [damage.last_end] if damage.finished else []
    return arrays | {
        "next_frame": np.array(next_frame),
        "damage.marks": np.array([mark for mark in marks if mark < part.end], np.float64),
        "damage.end": np.array(end, np.float64),
    }


def _damage(parts: FilmParts) -> Damage:
    """What could not be decoded of all parts, whichever run read them."""
    end = parts.array("damage.end")
    last_end = float(end[-1]) if len(end) else 0.0
    marks = parts.array("damage.marks").tolist()
    return Damage(marks=marks, last_end=last_end, finished=len(end) > 0)


def _drawn(shelf: PartShelf, parts: list[Part]) -> list[int]:
    """Shots whose pictures earlier runs wrote, in the parts that are not read again."""
    kept = takewhile(shelf.has, parts)
    return [int(shot) for part in kept for shot in shelf.get(part).get("shots.shot", ())]


def _assembled(folder: Path, plan: Plan, crew: Crew, parts: FilmParts) -> dict[str, int]:
    faces = write_faces(folder, plan, crew, parts)
    bodies = write_bodies(folder, plan, crew, parts)
    write_mouths(folder, parts, measured=plan.settings.mouths)
    write_tracks(folder, plan, faces, bodies)
    undescribed = len(plan.tracks.ids) - len(faces) - len(bodies)
    return {
        "faces": len(faces),
        "bodies": len(bodies),
        "not described": undescribed,
        "numbers a body": sum(crew.widths.values()),
    }


def _shots(folder: Path) -> list[Span]:
    table = read_table(folder / "shots.parquet", SCHEMAS["shots"])
    spans = zip(table["start"].to_pylist(), table["end"].to_pylist(), strict=True)
    return [Span(start, end) for start, end in spans]


def _mark(video: Path, folder: Path, settings: FeatureSettings) -> str:
    """Names the parts of this film, these boxes, settings, networks and words, in this way.

    tracks.parquet does not count: this stage writes it, and boxes change whenever tracks do.
    """
    inputs = [video, *(folder / f"{name}.parquet" for name in ("shots", "boxes", "landmarks"))]
    prints = [file_fingerprint(path) for path in inputs]
    prints += [file_sha256(path) for path in files_of(settings)]
    return value_fingerprint([_WAY, asdict(settings), *prints])
