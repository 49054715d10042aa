"""Time: half-open spans in seconds, and the exact clock of a video stream.

A `Span` is [start, end). Frames exist only inside `callsheet.video`; everything else
speaks seconds. `TimeBase` turns a stream's integer stamps into seconds without drift.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from callsheet.errors import InputError


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open interval [start, end) in seconds; start <= end, both finite."""

    start: float
    end: float

    def __post_init__(self) -> None:
        if not (math.isfinite(self.start) and math.isfinite(self.end)):
            raise InputError(f"a span needs finite seconds, got [{self.start}, {self.end})")
        if self.end < self.start:
            raise InputError(
                f"a span must not end before it starts, got [{self.start}, {self.end})"
            )

    @property
    def duration(self) -> float:
        return self.end - self.start

    @property
    def middle(self) -> float:
        return 0.5 * (self.start + self.end)

    def contains(self, time: float) -> bool:
        return self.start <= time < self.end

    def overlaps(self, other: Span) -> bool:
        """Whether the two share an instant; touching ends do not."""
        return self.start < other.end and other.start < self.end

    def overlap(self, other: Span) -> float:
        """Seconds shared."""
        return max(0.0, min(self.end, other.end) - max(self.start, other.start))

    def iou(self, other: Span) -> float:
        shared = self.overlap(other)
        union = self.duration + other.duration - shared
        return shared / union if union > 0 else 0.0

    def hull(self, other: Span) -> Span:
        """Smallest span that covers both."""
        return Span(min(self.start, other.start), max(self.end, other.end))

    def padded(self, before: float, after: float) -> Span:
        """Widen; never before second 0."""
        return Span(max(0.0, self.start - before), max(self.end + after, 0.0))


@dataclass(frozen=True, slots=True)
class TimeBase:
    """Seconds per tick of a stream, as an exact fraction."""

    seconds_per_tick: Fraction

    def __post_init__(self) -> None:
        if self.seconds_per_tick <= 0:
            raise InputError(f"a time base must be positive, got {self.seconds_per_tick}")

    def exact_seconds(self, ticks: int) -> Fraction:
        return ticks * self.seconds_per_tick

    def seconds(self, ticks: int) -> float:
        return float(ticks * self.seconds_per_tick)

    def ticks(self, seconds: float | Fraction) -> int:
        """Nearest tick."""
        return round(Fraction(seconds) / self.seconds_per_tick)
