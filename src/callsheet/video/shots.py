"""Shots: the runs of frames between cuts, by PySceneDetect's detectors on our own frames.

The detector sees small pictures with their frame numbers; what it calls a cut becomes the exact
time of that frame. Shots tile the film: each ends where the next begins.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

from callsheet.core import Progress, Shot, Span, StageResult, no_progress
from callsheet.errors import InputError
from callsheet.store import SCHEMAS, write_items, write_rows
from callsheet.video.settings import ShotSettings
from callsheet.video.stream import FilmStream, Frame, open_film

_DEFAULT_THRESHOLD = {"adaptive": 3.0, "content": 27.0}
_PROGRESS_EVERY = 100


class CutDetector(Protocol):
    """Sees every frame in order and names the cuts, perhaps some frames later."""

    def push(self, frame: Frame) -> Sequence[int]:
        """Numbers of the frames that start a shot, found now."""


class SceneDetectCuts:
    """PySceneDetect's ContentDetector or AdaptiveDetector, fed with our frames."""

    def __init__(self, settings: ShotSettings, rate: Fraction) -> None:
        from scenedetect.common import FrameTimecode

        self._height = settings.height
        self._timecode = FrameTimecode(0, fps=float(rate))
        self._make_timecode: Any = FrameTimecode
        self._detector = _scenedetect_detector(settings, rate)

    def push(self, frame: Frame) -> list[int]:
        timecode = self._make_timecode(frame.number, fps=self._timecode)
        cuts = self._detector.process_frame(timecode, frame.picture(self._height))
        return [cut.frame_num for cut in cuts]


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
    counted = Counted()
    if cuts is None:
        shots = find_shots(film, settings or ShotSettings(), progress, counted=counted)
    else:
        shots = shots_from_cuts(film, cuts)
        counted.frames = film.frame_count()
    write_items(folder / "shots.parquet", SCHEMAS["shots"], shots)
    write_rows(folder / "stream.parquet", SCHEMAS["stream"], [_stream_row(film, shots, counted)])
    seconds = shots[-1].span.end - shots[0].span.start
    warnings = (film.warning,) if film.warning else ()
    return StageResult({"shots": len(shots), "seconds": round(seconds, 3)}, warnings)


@dataclass(slots=True)
class Counted:
    """How many frames a reading gave."""

    frames: int = 0

    def through(self, frames: Iterator[Frame]) -> Iterator[Frame]:
        for frame in frames:
            self.frames += 1
            yield frame


def _stream_row(film: FilmStream, shots: Sequence[Shot], counted: Counted) -> dict[str, Any]:
    return {
        "width": film.width,
        "height": film.height,
        "rate_numerator": film.rate.numerator,
        "rate_denominator": film.rate.denominator,
        "frames": counted.frames,
        "duration": shots[-1].span.end,
    }


def find_shots(
    film: FilmStream,
    settings: ShotSettings,
    progress: Progress = no_progress,
    *,
    counted: Counted | None = None,
) -> list[Shot]:
    """Detect the cuts of a film in one reading."""
    detector = SceneDetectCuts(settings, film.rate)
    shown = (counted or Counted()).through(film.frames())
    frames = _watched(shown, film.seconds, progress)
    starts, end = _starts(frames, detector)
    return _tiled(starts, end)


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


def _starts(frames: Iterator[Frame], detector: CutDetector) -> tuple[list[float], float]:
    """Times at which shots start, and the end of the film.

    Cuts are told late, by any number of frames where quick cuts are merged: all times are kept,
    eight bytes a frame.
    """
    starts: list[float] = []
    times = array("d")
    end = 0.0
    for frame in frames:
        times.append(frame.time)
        end = frame.end
        starts = starts or [frame.time]
        starts += [times[cut] for cut in detector.push(frame) if times[cut] > starts[-1]]
    return starts, end


def _tiled(starts: Sequence[float], end: float) -> list[Shot]:
    ends = [*starts[1:], end]
    return [Shot(i, Span(a, b)) for i, (a, b) in enumerate(zip(starts, ends, strict=True))]


def _watched(frames: Iterator[Frame], seconds: float | None, progress: Progress) -> Iterator[Frame]:
    for frame in frames:
        if seconds and frame.number % _PROGRESS_EVERY == 0:
            progress(min(1.0, max(0.0, frame.time / seconds)))
        yield frame
    progress(1.0)


def _scenedetect_detector(settings: ShotSettings, rate: Fraction) -> Any:
    from scenedetect.detectors import AdaptiveDetector, ContentDetector

    threshold = settings.threshold or _DEFAULT_THRESHOLD[settings.detector]
    shortest = max(1, round(settings.min_seconds * rate))
    if settings.detector == "adaptive":
        return AdaptiveDetector(adaptive_threshold=threshold, min_scene_len=shortest)
    return ContentDetector(threshold=threshold, min_scene_len=shortest)
