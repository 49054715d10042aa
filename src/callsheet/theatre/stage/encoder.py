"""Writes frames to a video file, H.264 where the PyAV at hand has it, else MPEG-4."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import numpy.typing as npt

from callsheet.theatre.stage.frames import HEIGHT, WIDTH
from callsheet.theatre.stage.shot import FPS


def codec_name() -> str:
    return "libx264" if "libx264" in av.codecs_available else "mpeg4"


def write_video(path: Path, frames: Iterable[npt.NDArray[np.uint8]]) -> int:
    """Encode (HEIGHT, WIDTH, 3) RGB frames at FPS; returns how many there were."""
    count = 0
    # Bit-exact: no dates and versions in the file, so that the same seed gives the same bytes.
    with av.open(str(path), "w", format="mp4", container_options={"fflags": "+bitexact", "movflags": "+faststart"}) as container:  # fmt: skip  # noqa: E501
        stream = container.add_stream(codec_name(), rate=FPS)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.thread_count = 1  # how many threads would change the bytes
        stream.options = (
            {"crf": "20", "preset": "superfast"} if codec_name() == "libx264" else {"q": "3"}
        )
        for number, picture in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(picture, format="rgb24")
            frame.pts, frame.time_base = number, Fraction(1, FPS)
            container.mux(stream.encode(frame))
            count += 1
        container.mux(stream.encode(None))
    return count
