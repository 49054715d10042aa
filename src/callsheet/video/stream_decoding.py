"""Containers opened, packets decoded, seeks made (PyAV): raw frames, and what was lost."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

import av

from callsheet.errors import InputError
from callsheet.video.stream_clock import is_cover, zero_of

_USUAL_RATE = Fraction(25)
_NOT_VIDEO = {"tty"}
"""Demuxers that make a picture of any text."""
_HOLE = 0.5
"""Seconds without a picture that a film does not have where every frame followed the last."""
_DURATION = re.compile(r"(\d+):(\d+):(\d+(?:\.\d+)?)")


@dataclass(slots=True)
class Damage:
    """What went wrong while decoding: where the picture was at each error, where it ended.

    `start`: seconds from which on frames were asked for; what fails before them (behind a seek)
    does not count. `marks`: seconds. `finished`: whether the reading came to the file's end.
    `steady`: whether every picture so far began where the one before ended.
    """

    start: float = 0.0
    marks: list[float] = field(default_factory=list)
    last_end: float = 0.0
    finished: bool = False
    steady: bool | None = None

    def show(self, start: float, end: float) -> None:
        """Follow the pictures: packets that are lost whole leave no error, only a hole in time."""
        step = start - self.last_end
        if self.steady and step > _HOLE:
            self.note()
        elif self.steady is None:
            self.steady = True
        else:
            self.steady = self.steady and abs(step) < 0.5 * (end - start)
        self.last_end = end

    def note(self) -> None:
        if self.last_end >= self.start:
            self.marks.append(self.last_end)

    def after(self, earlier: Damage) -> Damage:
        """This reading's and that of an earlier one which it goes on with, as one."""
        latest = self if self.finished or not earlier.finished else earlier
        marks = [*earlier.marks, *self.marks]
        return Damage(earlier.start, marks, latest.last_end, latest.finished)

    def sentence(self, path: Path, expected: Fraction | None) -> str | None:
        """One sentence for the user; None when the film is whole."""
        missing = float(expected) - self.last_end if expected and self.finished else 0.0
        breaks_off = missing > max(1.0, 0.02 * float(expected or 0))
        if self.marks and not (breaks_off and min(self.marks) >= self.last_end - 1):
            return (
                f"{path} is damaged: from {min(self.marks):.2f} s on not everything can be"
                f" decoded ({len(self.marks)} errors); what decodes is used"
            )
        if breaks_off:
            return (
                f"{path} breaks off: everything after {self.last_end:.2f} s is lost (it should"
                f" last {self.last_end + missing:.2f} s); what decodes is used"
            )
        return None


def opened(path: Path) -> Any:
    """Open a container. Only local files: a playlist must not reach out to the network."""
    options = {"protocol_whitelist": "file", "fflags": "+genpts"}
    try:
        container = av.open(f"file:{path}", options=options, metadata_errors="replace")
    except (av.FFmpegError, OSError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(
            f"{path} cannot be read as a video ({reason}); it is not a video, or truncated"
            " before its index",
            path=str(path),
        ) from error
    if container.format.name in _NOT_VIDEO:
        container.close()
        raise InputError(f"{path} is a text, not a video", path=str(path))
    return container


def picture_stream(container: Any, path: Path) -> Any:
    """The stream that players show."""
    stream = container.streams.best("video")
    if stream is None or is_cover(stream):
        what = "sound but no picture" if container.streams.audio else "no picture stream"
        raise InputError(f"{path} has {what}; a film needs a video stream", path=str(path))
    return threaded(stream)


def threaded(stream: Any) -> Any:
    """Let the decoder use all cores; must be said before it decodes anything."""
    stream.thread_type = "AUTO"
    return stream


def decoded(container: Any, stream: Any, damage: Damage) -> Iterator[Any]:
    """All frames that decode; what does not is noted and skipped."""
    packets = container.demux(stream)
    while (packet := _next_packet(packets, damage)) is not None:
        try:
            frames = packet.decode()
        except (av.FFmpegError, EOFError):
            damage.note()
            continue
        for frame in frames:
            if frame.is_corrupt:
                damage.note()
            yield frame


def decoded_after_seek(
    container: Any, stream: Any, stamp: Fraction, damage: Damage
) -> Iterator[Any]:
    """Frames from the key frame at or before a stamp; leading frames that need others are cut."""
    try:
        container.seek(int(stamp / stream.time_base), stream=stream)
    except (av.FFmpegError, OSError):
        return
    key = None
    for raw in decoded(container, stream, damage):
        if key is None:
            if not raw.key_frame or raw.pts is None:
                return
            key = raw.pts
        if raw.pts is None or raw.pts >= key:
            yield raw


def packet_stamps(container: Any, stream: Any) -> Iterator[Fraction]:
    """The stamp of every packet that will be shown, in the order of the file."""
    packets = container.demux(stream)
    while (packet := _next_packet(packets, Damage())) is not None:
        ticks = packet.pts if packet.pts is not None else packet.dts
        if ticks is not None and packet.size and not packet.is_discard:
            yield ticks * stream.time_base


def rate_of(stream: Any) -> Fraction:
    """Nominal frames per second."""
    for rate in (stream.average_rate, stream.guessed_rate, stream.base_rate):
        if rate and 0 < rate <= 1000:
            return Fraction(rate)
    return _USUAL_RATE


def expected_end(container: Any, stream: Any) -> Fraction | None:
    """Where the picture should end on the film's clock, by the file's own words; None: it says
    nothing of the picture alone."""
    zero = zero_of(container) or Fraction(0)
    if stream.duration:
        start = (stream.start_time or 0) * stream.time_base
        return Fraction(start + stream.duration * stream.time_base - zero)
    # Matroska tells a stream's length in a tag, and otherwise only that of the longest stream.
    tagged = _tagged_duration(stream)
    if tagged is not None:
        return tagged - zero
    return announced_end(container) if _is_alone(container, stream) else None


def announced_end(container: Any) -> Fraction | None:
    """How long the file as a whole says it lasts, sound and subtitles too."""
    return Fraction(container.duration, av.time_base) if container.duration else None


def _tagged_duration(stream: Any) -> Fraction | None:
    """The stream's tag DURATION, hours:minutes:seconds; None: there is none, or it is no time."""
    # A tag that has a language is called DURATION-eng and the like.
    tags = (text for name, text in stream.metadata.items() if name.split("-")[0] == "DURATION")
    found = _DURATION.fullmatch(next(tags, "").strip())
    if found is None:
        return None
    hours, minutes, seconds = (Fraction(part) for part in found.groups())
    return hours * 3600 + minutes * 60 + seconds


def _is_alone(container: Any, stream: Any) -> bool:
    """Whether nothing else in the file could be what makes it last so long."""
    others = (s for s in container.streams if s.index != stream.index)
    return all(other.type == "attachment" or is_cover(other) for other in others)


def _next_packet(packets: Iterator[Any], damage: Damage) -> Any | None:
    try:
        return next(packets, None)
    except (av.FFmpegError, OSError):
        damage.note()
        return None
