"""Do subtitles keep the film's time? The film's cuts tell, or other subtitles that do.

Whoever times subtitles lets many of them start or end at a cut. So if every subtitle time is
put through rate × time + offset, the distances to cuts pile up at one value when rate and
offset are right, and nowhere when they are wrong. The rates tried are those that happen:
ratios of 23.976, 24 and 25 frames a second. Against other subtitles of the film the distances
between equal words do the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from callsheet.core import Cue, Span
from callsheet.text.alignment.lines import line_words, lines_of
from callsheet.text.alignment.matching import match_words
from callsheet.text.readings import Subtitles

_FRAME_RATES = {"23.976": 24000 / 1001, "24": 24.0, "25": 25.0}
_REACH = 90.0
"""Offsets up to this many seconds are found."""
_BIN = 0.1
"""Distances are counted in bins of this many seconds, three together."""
_STRONG = 8.0
"""A peak must stand out by this many standard deviations (chance reaches 4 to 7)..."""
_CLEAR = 1.3
"""...and this much more than that of any other rate."""
_FEWEST = 40
"""Subtitles, or cuts, below which nothing is said."""
_SMALL = 0.5
"""Seconds of offset that nobody minds: subtitles lead and trail cuts by some frames."""


@dataclass(frozen=True, slots=True)
class Drift:
    """film seconds = rate × subtitle seconds + offset; `frames`: the rates it comes from, as
    "25 against 23.976"; `strength`: by how many standard deviations it stands out."""

    rate: float
    offset: float
    frames: str
    strength: float

    @property
    def matters(self) -> bool:
        return self.rate != 1.0 or abs(self.offset) > _SMALL

    def film_time(self, span: Span) -> Span:
        """A subtitle's span on the film's clock."""
        start = max(0.0, self.rate * span.start + self.offset)
        return Span(start, max(start, self.rate * span.end + self.offset))

    def __str__(self) -> str:
        parts = [f"run at another rate ({self.frames} frames a second)"] if self.frames else []
        if abs(self.offset) > _SMALL:
            parts.append(f"are {abs(self.offset):.1f} s {'early' if self.offset > 0 else 'late'}")
        return " and ".join(parts) or "keep the film's time"


def find_drift(subtitles: Subtitles, cuts: Sequence[float]) -> Drift | None:
    """Compare subtitles with the film's cuts (seconds); None: they do not tell."""
    spans = [cue.span for cue in subtitles.cues]
    edges = np.unique([time for span in spans for time in (span.start, span.end)])
    marks = np.sort(np.asarray(cuts, dtype=np.float64))
    if min(len(edges) // 2, len(marks)) < _FEWEST:
        return None
    return _clearest([_piled(edges * rate, marks, rate, frames) for frames, rate in rates()])


def drift_between(subtitles: Subtitles, reference: Subtitles) -> Drift | None:
    """Compare subtitles with others that keep the film's time; None: they do not tell."""
    ours, theirs = lines_of(subtitles.cues), lines_of(reference.cues)
    words, known = line_words(ours), line_words(theirs)
    matches = match_words(known, words)
    equal = np.flatnonzero(matches.equal)
    if len(np.unique(words.owner[equal])) < _FEWEST:
        return None
    times = np.array([line.span.start for line in ours])[words.owner[equal]]
    marks = np.array([line.span.start for line in theirs])[known.owner[matches.script[equal]]]
    found = [_drift(marks - times * rate, rate, frames) for frames, rate in rates()]
    return _clearest(found)


def retimed(subtitles: Subtitles, drift: Drift) -> Subtitles:
    """The same subtitles on the film's clock."""
    cues: tuple[Cue, ...] = tuple(
        replace(cue, span=drift.film_time(cue.span)) for cue in subtitles.cues
    )
    return Subtitles(cues, subtitles.warnings)


def rates() -> list[tuple[str, float]]:
    """Every rate that happens, with its name; no name for 1."""
    pairs = permutations(_FRAME_RATES.items(), 2)
    return [("", 1.0), *((f"{own} against {film}", a / b) for (own, a), (film, b) in pairs)]


def _piled(
    times: npt.NDArray[np.float64], marks: npt.NDArray[np.float64], rate: float, frames: str
) -> Drift:
    """Distances from subtitle times to all cuts within reach, piled up."""
    first = np.searchsorted(marks, times - _REACH)
    last = np.searchsorted(marks, times + _REACH)
    apart = [marks[a:b] - time for a, b, time in zip(first, last, times, strict=True)]
    return _drift(np.concatenate(apart), rate, frames)


def _drift(apart: npt.NDArray[np.float64], rate: float, frames: str) -> Drift:
    """The distance that comes most often, and by how much it stands out."""
    edges = np.arange(-_REACH, _REACH + _BIN / 2, _BIN)
    piles: Any = np.histogram(apart, edges)[0]
    smooth = np.convolve(piles, np.ones(3), "same")[1:-1]
    place = int(smooth.argmax())
    offset = float(edges[place + 1] + _BIN / 2)
    near = apart[np.abs(apart - offset) <= 1.5 * _BIN]
    spread = float(smooth.std()) or 1.0
    strength = float(smooth[place] - smooth.mean()) / spread
    return Drift(rate, float(np.median(near)) if len(near) else offset, frames, strength)


def _clearest(found: Sequence[Drift]) -> Drift | None:
    """The strongest, if it is strong and nothing comes near."""
    best, second = sorted(found, key=lambda drift: -drift.strength)[:2]
    clear = best.strength >= _STRONG and best.strength >= _CLEAR * second.strength
    return best if clear else None
