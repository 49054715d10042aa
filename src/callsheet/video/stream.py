"""A film as frames with exact times.

`open_film` looks at a file and refuses what is not a video; `FilmStream.frames` decodes it from
the start or from any second on; `FilmStream.frame_at` seeks. Frames are numbered from 0 in the
order in which the decoder delivers them, and become pictures only when asked. A damaged or
truncated file yields all that decodes; `FilmStream.warning` then says from when on it is lost.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import count, dropwhile, takewhile
from pathlib import Path
from typing import Any

from callsheet.errors import InputError
from callsheet.video.stream_clock import Clock, zero_of
from callsheet.video.stream_decoding import (
    Damage,
    announced_end,
    decoded,
    decoded_after_seek,
    expected_end,
    opened,
    packet_stamps,
    picture_stream,
    rate_of,
    threaded,
)
from callsheet.video.stream_picture import Picture, View, view_of

_BACK_OFFS = (Fraction(0), Fraction(2), Fraction(15))
"""Seconds to seek further back when a seek landed too late."""
_REORDERED = Fraction(1)
"""Stamps of one recording lie less than this out of order (frames that refer ahead)."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: its number, exact time and duration in seconds, its picture when asked."""

    number: int
    exact: Fraction
    duration: Fraction
    raw: Any
    view: View

    @property
    def time(self) -> float:
        """Seconds on the film's clock."""
        return float(self.exact)

    @property
    def end(self) -> float:
        """When it stops being shown, as far as the frame itself knows."""
        return float(self.exact + self.duration)

    def picture(self, height: int | None = None) -> Picture:
        """BGR, (height, width, 3), upright with square pixels; at most as high as asked."""
        return self.view.scaled(height).bgr(self.raw)

    def gray(self, height: int | None = None) -> Picture:
        """Brightness only, (height, width)."""
        return self.view.scaled(height).gray(self.raw)


class FilmStream:
    """A video file that can be decoded; made by `open_film`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._damage = self._earlier = Damage()
        with opened(path) as container:
            stream = picture_stream(container, path)
            first = next(decoded(container, stream, Damage()), None)
            if first is None:
                raise InputError(
                    f"{path} holds no picture that can be decoded: it is damaged or its codec"
                    " is not known",
                    path=str(path),
                )
            self._stream_index: int = stream.index
            self._view = view_of(first, stream)
            self._zero = zero_of(container)
            self._expected = expected_end(container, stream)
            self._announced = self._expected or announced_end(container)
            self.rate = rate_of(stream)

    @property
    def width(self) -> int:
        """Displayed width, pixels."""
        return self._view.shown[0]

    @property
    def height(self) -> int:
        """Displayed height, pixels."""
        return self._view.shown[1]

    def size_at(self, height: int | None) -> tuple[int, int]:
        """Width and height of the pictures that frames give when asked for this height."""
        return self._view.scaled(height).shown

    @property
    def seconds(self) -> float | None:
        """Where the file says its picture (or else the whole of it) ends; None: it does not say."""
        return None if self._announced is None else float(self._announced)

    @property
    def warning(self) -> str | None:
        """One sentence about what could not be decoded in the latest reading of frames (and in
        the one that it goes on with)."""
        return self.warning_of(self.damage)

    def warning_of(self, damage: Damage) -> str | None:
        """The same sentence about damage that was noted elsewhere."""
        return damage.sentence(self.path, self._expected)

    @property
    def damage(self) -> Damage:
        """What could not be decoded, as `warning` tells it."""
        return self._damage.after(self._earlier)

    def go_on_from(self, damage: Damage) -> None:
        """Count what an earlier reading noted: the one to come begins where that one stopped."""
        self._earlier = damage

    def frames(
        self,
        every: int = 1,
        height: int | None = None,
        start: float | Fraction = 0,
        *,
        first_number: int | None = None,
    ) -> Iterator[Frame]:
        """Every n-th frame (by number) of those shown at `start` or later.

        `height` bounds the pictures' height. `first_number` is the number of the first of them,
        for callers who know it; without it a seek counts the stamps of the file.
        """
        if every < 1:
            raise InputError(f"every must be 1 or more, got {every}")
        shown = self._timed(Fraction(start))
        if start > 0:
            shown = dropwhile(lambda timed: timed[0] < start, shown)
        for frame in self._numbered(shown, first_number, self._view.scaled(height)):
            if frame.number % every == 0:
                yield frame

    def frame_at(self, time: float | Fraction) -> Frame:
        """The frame that is on the screen at a time (the first one before the film starts)."""
        # The float of a frame's own time may lie a hair below its exact time.
        wanted = Fraction(time) + Fraction(1, 1_000_000)
        before = takewhile(lambda timed: timed[0] <= wanted, self._timed(wanted))
        last = None
        for last in before:  # noqa: B007 — only the last one is wanted
            pass
        if last is None:
            return next(self.frames())
        return next(self._numbered(iter([last]), None, self._view))

    def extent(self) -> tuple[Fraction, Fraction]:
        """When the first frame is shown and when the last one ends, without decoding."""
        if not self._sorted_stamps:
            return Fraction(0), self._announced or Fraction(0)
        return self._sorted_stamps[0], self._sorted_stamps[-1] + 1 / self.rate

    def frame_count(self) -> int:
        """Frames that the file announces, without decoding."""
        return len(self._stamps)

    def _numbered(
        self, shown: Iterator[tuple[Fraction, Fraction, Any]], first_number: int | None, view: View
    ) -> Iterator[Frame]:
        first = next(shown, None)
        if first is None:
            return
        number = self._number_of(first[0]) if first_number is None else first_number
        yield Frame(number, *first, view)
        for following, timed in zip(count(number + 1), shown, strict=False):
            yield Frame(following, *timed, view)

    def _timed(self, start: Fraction) -> Iterator[tuple[Fraction, Fraction, Any]]:
        """(time, duration, raw) of all frames from the key frame at or before `start`."""
        damage = self._damage = Damage(float(start), last_end=float(start))
        with opened(self.path) as container:
            stream = threaded(container.streams[self._stream_index])
            clock = Clock(stream.time_base, zero=self._zero, rate=self.rate)
            for raw in self._raw_from(container, stream, start, damage):
                exact, duration = clock.time(raw), clock.duration(raw)
                damage.show(float(exact), float(exact + duration))
                yield exact, duration, raw
            damage.finished = True

    def _raw_from(
        self, container: Any, stream: Any, start: Fraction, damage: Damage
    ) -> Iterator[Any]:
        """Decoded frames from a key frame at or before `start`, or from the beginning."""
        for back_off in _BACK_OFFS if start > 0 and self._can_seek else ():
            stamp = start - back_off + (self._zero or 0)
            noted = len(damage.marks)
            frames = decoded_after_seek(container, stream, stamp, damage)
            first = next(frames, None)
            # What fails before the first picture belongs to the seek: the film may be whole.
            del damage.marks[noted:]
            if first is not None and self._lands(first.pts * stream.time_base, start):
                yield first
                yield from frames
                return
        with opened(self.path) as afresh:
            yield from decoded(afresh, threaded(afresh.streams[self._stream_index]), damage)

    def _lands(self, stamp: Fraction, start: Fraction) -> bool:
        """Whether a seek came out early enough, and at a stamp that the file really has.

        Some containers stamp few packets; behind a seek the demuxer guesses the rest wrongly.
        """
        time = stamp - (self._zero or 0)
        place = bisect_left(self._sorted_stamps, time)
        return time <= start and self._sorted_stamps[place : place + 1] == [time]

    def _number_of(self, time: Fraction) -> int:
        """How many frames of the file are shown before this time."""
        return bisect_left(self._sorted_stamps, time) if time > 0 else 0

    @cached_property
    def _stamps(self) -> list[Fraction]:
        """Times of all frames in the order of the file, read without decoding."""
        with opened(self.path) as container:
            stamps = packet_stamps(container, container.streams[self._stream_index])
            return [stamp - (self._zero or 0) for stamp in stamps]

    @cached_property
    def _sorted_stamps(self) -> list[Fraction]:
        return sorted(self._stamps)

    @cached_property
    def _can_seek(self) -> bool:
        """Joined recordings start again at 0 in the middle; in those a stamp is no place."""
        steps = zip(self._stamps, self._stamps[1:], strict=False)
        return bool(self._stamps) and all(a - b < _REORDERED for a, b in steps)


def open_film(path: str | Path) -> FilmStream:
    """Look at a video file; what is not a video, or shows nothing, is one clear sentence."""
    path = Path(path)
    if not path.is_file():
        raise InputError(f"{path} does not exist or is not a file", path=str(path))
    return FilmStream(path)
