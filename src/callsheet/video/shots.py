"""Shots: the runs of frames between cuts (`cuts` finds them). They tile the film: each ends where
the next begins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from callsheet.core import Progress, Shot, Span, StageResult, no_progress
from callsheet.errors import InputError
from callsheet.store import SCHEMAS, file_fingerprint, value_fingerprint, write_items, write_rows
from callsheet.video.cuts import detector_version, read_starts
from callsheet.video.settings import ShotSettings
from callsheet.video.shelf import PartShelf
from callsheet.video.stream import FilmStream, open_film

_WAY = 1
"""Raise when the reading changes, so that half-done work of another way is not gone on with."""


def make_shots(
    video: Path,
    folder: Path,
    settings: ShotSettings | None = None,
    progress: Progress = no_progress,
    *,
    cuts: Sequence[float] | None = None,
) -> StageResult:
    """Write `shots.parquet` and `stream.parquet`. `cuts` (seconds) replaces the detector."""
    film = open_film(video)
    settings = settings or ShotSettings()
    shelf = PartShelf(folder / "shots.partial", _mark(video, settings))
    if cuts is None:
        reading = read_starts(film, settings, progress, shelf=shelf)
        shots, frames = _tiled(reading.starts, reading.end), len(reading.times)
    else:
        shots, frames = shots_from_cuts(film, cuts), film.frame_count()
    write_items(folder / "shots.parquet", SCHEMAS["shots"], shots)
    write_rows(folder / "stream.parquet", SCHEMAS["stream"], [_stream_row(film, shots, frames)])
    shelf.clear()
    seconds = shots[-1].span.end - shots[0].span.start
    warnings = (film.warning,) if film.warning else ()
    return StageResult({"shots": len(shots), "seconds": round(seconds, 3)}, warnings)


def _mark(video: Path, settings: ShotSettings) -> str:
    """Names the work: this film, these settings and this detector, in this way."""
    named = [_WAY, file_fingerprint(video), asdict(settings), detector_version()]
    return value_fingerprint(named)


def _stream_row(film: FilmStream, shots: Sequence[Shot], frames: int) -> dict[str, Any]:
    return {
        "width": film.width,
        "height": film.height,
        "rate_numerator": film.rate.numerator,
        "rate_denominator": film.rate.denominator,
        "frames": frames,
        "duration": shots[-1].span.end,
    }


def find_shots(
    film: FilmStream, settings: ShotSettings, progress: Progress = no_progress
) -> list[Shot]:
    """Detect the cuts of a film in one reading."""
    reading = read_starts(film, settings, progress)
    return _tiled(reading.starts, reading.end)


def shots_from_cuts(film: FilmStream, cuts: Iterable[float]) -> list[Shot]:
    """Shots between given cuts; those before the first or after the last frame do nothing."""
    first, end = film.extent()
    inner = sorted({float(cut) for cut in cuts if first < cut < end})
    return _tiled([float(first), *inner], float(end))


def read_cuts(path: Path) -> list[float]:
    """Cuts of a text file, a number of seconds a line (# starts a comment)."""
    cuts = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        text = line.split("#")[0].strip()
        try:
            cuts += [float(text)] if text else []
        except ValueError:
            raise InputError(
                f"{path}:{number}: expected a cut in seconds, got {text}", path=str(path)
            ) from None
    return cuts


def _tiled(starts: Sequence[float], end: float) -> list[Shot]:
    ends = [*starts[1:], end]
    return [Shot(i, Span(a, b)) for i, (a, b) in enumerate(zip(starts, ends, strict=True))]
