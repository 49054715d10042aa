"""Which face speaks during a cue: the stage `speaking`, from measured mouths and subtitles.

A mouth that speaks opens and closes: its motion rises and falls. The strength of a face during a
cue is therefore the standard deviation of its mouth's motion over the cue, times the square root
of the share of the cue in which the face is seen (a speaker is rarely cut away from at once). On
the TV series that people have labelled this told the speaker among the faces on screen better
than the mean, the median or a high quantile of the motion did; see docs/video.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import Progress, StageResult, no_progress
from callsheet.store import SCHEMAS, read_table, write_rows
from callsheet.video.settings import SpeakingSettings


@dataclass(frozen=True, slots=True)
class Mouth:
    """The motion of one face track's mouth: `times` (n,) seconds, in order, and `motions` (n,)."""

    track: int
    times: NDArray[np.float64]
    motions: NDArray[np.float64]


def make_speaking(
    folder: Path, settings: SpeakingSettings | None = None, progress: Progress = no_progress
) -> StageResult:
    """Write `speaking.parquet` from mouths.parquet and cues.parquet; the video is not needed."""
    settings = settings or SpeakingSettings()
    cues = read_table(folder / "cues.parquet", SCHEMAS["cues"])
    mouths = _read_mouths(folder)
    rows = list(_scores(cues, mouths, settings))
    names = SCHEMAS["speaking"].column_names
    table = [dict(zip(names, row, strict=True)) for row in rows]
    write_rows(folder / "speaking.parquet", SCHEMAS["speaking"], table)
    progress(1.0)
    heard = len({cue for cue, _, _ in rows})
    return StageResult({"scores": len(rows), "cues with a face": heard})


def strength(motions: NDArray[np.floating], share: float) -> float:
    """How much a mouth seems to speak: `motions` in the cue, `share` of the cue it is seen in."""
    if len(motions) == 0:
        return 0.0
    return float(np.std(motions) * np.sqrt(min(max(share, 0.0), 1.0)))


def score(of_strength: float, half: float) -> float:
    """0 to 1; one half where the strength is `half`."""
    square = of_strength**2
    return square / (square + half**2)


def _scores(
    cues: Any, mouths: list[Mouth], settings: SpeakingSettings
) -> Iterator[tuple[int, int, float]]:
    """Cue, track, score of every face that is seen long enough during a spoken cue."""
    first = np.array([mouth.times[0] for mouth in mouths])
    last = np.array([mouth.times[-1] for mouth in mouths])
    for cue in cues.to_pylist():
        if cue["sound"]:
            continue
        start, end = cue["start"], cue["end"]
        for place in np.flatnonzero((first < end) & (last >= start)):
            mouth = mouths[place]
            low, high = np.searchsorted(mouth.times, [start, end])
            if high - low >= settings.min_frames:
                share = _seen(mouth.times[low:high]) / max(end - start, 1e-9)
                found = strength(mouth.motions[low:high], share)
                yield cue["cue"], mouth.track, score(found, settings.half_strength)


def _seen(times: NDArray[np.float64]) -> float:
    """Seconds from the first measure to the last, and one step more."""
    return float((times[-1] - times[0]) * len(times) / max(len(times) - 1, 1))


def _read_mouths(folder: Path) -> list[Mouth]:
    table = read_table(folder / "mouths.parquet", SCHEMAS["mouths"])
    tracks, times = table["track"].to_numpy(), table["time"].to_numpy()
    motions = table["motion"].to_numpy().astype(np.float64)
    order = np.lexsort((times, tracks))
    edges = np.flatnonzero(np.diff(tracks[order])) + 1
    groups = [group for group in np.split(order, edges) if len(group)]
    return [Mouth(int(tracks[g[0]]), times[g], motions[g]) for g in groups]
