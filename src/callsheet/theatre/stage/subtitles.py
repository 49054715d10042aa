"""Writes subtitles as a hurried subtitler would: times a little off, words now and then changed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from callsheet.theatre.stage.shooting import Spoken

Generator = np.random.Generator

_NOISES = ("[door slams]", "[music]", "[phone rings]", "[traffic]", "[clock ticks]")


def write_srt(spoken: Sequence[Spoken], rng: Generator, *, jitter: float = 0.12) -> str:
    """SubRip text. `jitter` is the spread of the timing error in seconds."""
    cues, last = [], 0.0
    for number, line in enumerate(spoken):
        start = max(last, line.start + float(rng.normal(0, jitter)))
        end = max(start + 0.6, line.end + float(rng.normal(0.1, jitter)))
        if number + 1 < len(spoken):
            end = max(start + 0.4, min(end, spoken[number + 1].start + 0.1))
        if number and start - last > 4.0 and rng.random() < 0.5:
            middle = 0.5 * (last + start)
            cues.append((middle - 0.6, middle + 0.6, str(rng.choice(_NOISES))))
        cues.append((start, end, _reworded(line.line.text, rng)))
        last = end
    return "\n".join(_cue(n, *cue) for n, cue in enumerate(cues, start=1))


def _cue(number: int, start: float, end: float, text: str) -> str:
    return f"{number}\n{_stamp(start)} --> {_stamp(end)}\n{text}\n"


def _stamp(seconds: float) -> str:
    whole = round(seconds * 1000)
    return (
        f"{whole // 3600000:02}:{whole // 60000 % 60:02}:{whole // 1000 % 60:02},{whole % 1000:03}"
    )


def _reworded(text: str, rng: Generator) -> str:
    """One in five is shortened or changed; long ones are set in two lines."""
    words = text.split()
    if rng.random() < 0.2 and len(words) > 4:
        drop = int(rng.integers(1, len(words) - 1))
        words = [w for n, w in enumerate(words) if n != drop]
    if len(" ".join(words)) > 34:
        half = len(words) // 2
        return " ".join(words[:half]) + "\n" + " ".join(words[half:])
    return " ".join(words)
