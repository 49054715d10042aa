"""Small video files for tests, made with PyAV: stripes in each frame tell its number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np

WIDTH, HEIGHT, BITS = 96, 64, 8


def numbered(number: int, width: int = WIDTH, height: int = HEIGHT) -> np.ndarray:
    """Eight stripes, dark or bright, spell the number; the top left corner is red."""
    picture = np.full((height, width, 3), 40, np.uint8)
    for bit in range(BITS):
        if number >> bit & 1:
            picture[height // 2 :, bit * width // BITS : (bit + 1) * width // BITS] = 210
    picture[: height // 4, : width // 4] = (0, 0, 255)
    return picture


def number_of(picture: np.ndarray) -> int:
    """Read the number of a `numbered` picture back."""
    height, width = picture.shape[:2]
    row = picture[height * 3 // 4 - 2 : height * 3 // 4 + 2].mean(axis=(0, 2))
    middles = [(2 * bit + 1) * width // (2 * BITS) for bit in range(BITS)]
    return sum(int(row[x] > 125) << bit for bit, x in enumerate(middles))


def write_film(
    path: Path,
    frames: int | Sequence[np.ndarray] = 48,
    *,
    codec: str = "libx264",
    rate: Fraction | int = 24,
    pts: Sequence[int] | None = None,
    time_base: Fraction | None = None,
    pixels: str = "yuv420p",
    sound_seconds: float = 0,
    shape: Fraction | None = None,
    turn: dict[str, Any] | None = None,
    options: dict[str, str] | None = None,
    container_options: dict[str, str] | None = None,
    gop: int = 12,
) -> Path:
    """Write a film of `numbered` (or given) pictures."""
    pictures = [numbered(i) for i in range(frames)] if isinstance(frames, int) else frames
    with av.open(str(path), "w", options=container_options or {}) as container:
        stream = container.add_stream(codec, rate=rate)
        stream.height, stream.width = pictures[0].shape[:2]
        stream.pix_fmt = pixels
        stream.gop_size = gop
        stream.options = options or {}
        if time_base is not None:
            stream.codec_context.time_base = time_base
        if shape is not None:
            stream.sample_aspect_ratio = shape
        if turn is not None:
            stream.set_display_rotation(**turn)
        sound = _sound(container) if sound_seconds else None
        for i, picture in enumerate(pictures):
            frame = av.VideoFrame.from_ndarray(picture, format="bgr24")
            if pts is not None:
                frame.pts = pts[i]
                frame.time_base = time_base or Fraction(1, 1000)
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
        if sound is not None:
            _write_sound(container, sound, sound_seconds)
    return path


def write_sound(path: Path, seconds: float = 1.0) -> Path:
    """A file with sound and no picture."""
    with av.open(str(path), "w") as container:
        _write_sound(container, _sound(container), seconds)
    return path


def _sound(container: Any) -> Any:
    return container.add_stream("aac", rate=44100, layout="mono")


def _write_sound(container: Any, stream: Any, seconds: float) -> None:
    size = 1024
    for block in range(int(seconds * 44100 / size)):
        samples = np.zeros((1, size), np.float32)
        frame = av.AudioFrame.from_ndarray(samples, format="fltp", layout="mono")
        frame.sample_rate = 44100
        frame.pts = block * size
        container.mux(stream.encode(frame))
    container.mux(stream.encode())
