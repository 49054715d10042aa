"""Subtitle lines with the speaker we gave and the true one; accuracy and calibration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from callsheet.text.alignment.words import split_words
from callsheet.text.measures.episodes import Episode
from callsheet.text.readings import Alignment, LineSpeaker

_BINS = (0.0, 0.3, 0.5, 0.7, 0.9, 0.97, 0.99, 1.0001)


@dataclass(frozen=True, slots=True)
class Judged:
    """One line with a true speaker: ours, how sure, whether right; whether the rival was
    (None: it never saw the line)."""

    line: LineSpeaker
    truth: str
    right: bool
    rival_right: bool | None


def judged_lines(episode: Episode, alignment: Alignment) -> list[Judged]:
    """Lay our answers beside the truth; a line of the truth that we do not report is wrong."""
    return list(_judged(episode, alignment))


def _judged(episode: Episode, alignment: Alignment) -> Iterator[Judged]:
    ours = iter(alignment.lines)
    nothing = LineSpeaker(-1, alignment.lines[0].span, "", None, None, 0.0)
    for true in episode.lines:
        words = split_words(true.text)
        line = (
            next((o for o in ours if split_words(o.text) == words), nothing) if words else nothing
        )
        if true.speaker is not None:
            right = episode.cast_name(line.speaker) == true.speaker
            rival = None if true.rival is None else true.rival == true.speaker
            yield Judged(line, true.speaker, right, rival)


def summarise(lines: Sequence[Judged]) -> dict[str, Any]:
    """Accuracy; that of the rival on the lines it saw; of the surest 80 %; calibration."""
    right = np.array([judged.right for judged in lines])
    sure = np.array([judged.line.confidence for judged in lines])
    order = np.argsort(-sure, kind="stable")
    seen = [judged for judged in lines if judged.rival_right is not None]
    return {
        "lines": len(lines),
        "right": float(right.mean()),
        "surest_80": float(right[order[: round(0.8 * len(lines))]].mean()),
        "surest_95": float(right[order[: round(0.95 * len(lines))]].mean()),
        "calibration_error": _calibration_error(sure, right),
        "rival": float(np.mean([judged.rival_right for judged in seen])) if seen else None,
        "right_where_rival": float(np.mean([judged.right for judged in seen])) if seen else None,
    }


def calibration(sure: Any, right: Any) -> list[tuple[float, float, int]]:
    """Mean confidence, share right and number of lines, by confidence."""
    bins = np.digitize(sure, _BINS)
    return [
        (float(sure[bins == b].mean()), float(right[bins == b].mean()), int((bins == b).sum()))
        for b in np.unique(bins)
    ]


def _calibration_error(sure: Any, right: Any) -> float:
    """Mean distance between confidence and share right, weighted by lines."""
    return sum(abs(c - r) * n for c, r, n in calibration(sure, right)) / max(1, len(sure))
