"""One frame as the describers see it: pictures are made once, when first asked for."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray

from callsheet.video.stream import Frame
from callsheet.video.stream_picture import Picture


class Sight:
    """A frame's number and time, its colours, and its brightness at the heights asked for."""

    def __init__(self, frame: Frame) -> None:
        self.number = frame.number
        self.time = frame.time
        self._frame = frame
        self._colours: Picture | None = None
        self._grays: dict[int | None, Picture] = {}

    def colours(self) -> Picture:
        """(height, width, 3) BGR, full size."""
        if self._colours is None:
            self._colours = self._frame.picture()
        return self._colours

    def small(self, height: int) -> Picture:
        """BGR, at most as high as asked."""
        return self._frame.picture(height)

    def gray(self, height: int | None = None) -> Picture:
        """(height, width), at most as high as asked."""
        if height not in self._grays:
            self._grays[height] = self._frame.gray(height)
        return self._grays[height]


class Describer(Protocol):
    """Looks at the frames of a part in order; gives what it found and starts afresh."""

    name: str

    def see(self, sight: Sight) -> None:
        """Take the next frame of the part."""

    def take(self) -> dict[str, NDArray[Any]]:
        """The part's arrays, by name; forget everything."""
