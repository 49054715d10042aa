"""When a frame is shown: exact seconds on the film's clock, never going backwards.

The clock's zero is the start of the earliest sound or picture stream of the file: that is where
players (and the makers of subtitles, who watch players) see second 0. Edit lists are already
applied by the demuxer. Where stamps are missing the nominal rate fills in; where they jump back
(joined recordings) the clock goes on from where it was.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

_SMALL_STEP_BACK = Fraction(1)
"""Up to a second is one wrongly stamped frame; more is another recording joined on."""


class Clock:
    """Gives every decoded frame its time; feed it the frames in order."""

    def __init__(self, time_base: Fraction, *, zero: Fraction | None, rate: Fraction) -> None:
        self._time_base = time_base
        self._zero = zero
        self._step = 1 / rate
        self._shift = Fraction(0)
        self._last: Fraction | None = None

    def time(self, raw: Any) -> Fraction:
        """The frame's exact seconds; larger than those of the frame before."""
        time = self._stamped(raw)
        if self._last is not None and time <= self._last:
            time = self._mended(time)
        self._last = time
        return time

    def duration(self, raw: Any) -> Fraction:
        """How long the frame says it is shown; the nominal step where it does not say."""
        ticks = raw.duration or 0
        return ticks * self._time_base if ticks > 0 else self._step

    def stamp(self, raw: Any) -> Fraction | None:
        """The time the file itself gives the frame, before mending; None: no stamp."""
        ticks = raw.pts if raw.pts is not None else raw.dts
        if ticks is None:
            return None
        if self._zero is None:
            self._zero = ticks * self._time_base
        return Fraction(ticks * self._time_base - self._zero)

    def _stamped(self, raw: Any) -> Fraction:
        stamp = self.stamp(raw)
        if stamp is None:
            return Fraction(0) if self._last is None else self._last + self._step
        return stamp + self._shift

    def _mended(self, time: Fraction) -> Fraction:
        assert self._last is not None
        if self._last - time > _SMALL_STEP_BACK:
            self._shift += self._last + self._step - time
            return self._last + self._step
        return self._last + min(self._time_base, self._step)


def zero_of(container: Any) -> Fraction | None:
    """Start of the earliest sound or picture stream, exactly; None where no stream tells."""
    starts = [
        stream.start_time * stream.time_base
        for stream in (*container.streams.video, *container.streams.audio)
        if stream.start_time is not None and not is_cover(stream)
    ]
    return min(starts, default=None)


def is_cover(stream: Any) -> bool:
    """Whether a video stream is only a cover picture of a sound file."""
    return bool(stream.disposition & stream.disposition.__class__.attached_pic)
