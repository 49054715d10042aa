"""WebVTT: at every moment, who is on screen and what they do."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from callsheet.report.sheet import Sheet, SheetTrack


def write(sheet: Sheet, path: Path) -> None:
    shown = [t for t in sheet.people() if t.name or t.deed]
    blocks = ["WEBVTT"]
    for start, end in _moments(shown):
        here = [t for t in shown if t.span.start <= start and t.span.end >= end]
        if here:
            text = ", ".join(sorted({_words(t) for t in here}))
            blocks.append(f"{_stamp(start)} --> {_stamp(end)}\n{_escaped(text)}")
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def _moments(tracks: list[SheetTrack]) -> list[tuple[float, float]]:
    """The stretches within which nobody comes or goes, in whole milliseconds."""
    edges = sorted({round(t, 3) for track in tracks for t in (track.span.start, track.span.end)})
    return [(a, b) for a, b in pairwise(edges)]


def _words(track: SheetTrack) -> str:
    who = track.name or "somebody"
    return f"{who} ({track.deed})" if track.deed else who


def _stamp(seconds: float) -> str:
    milliseconds = round(seconds * 1000)
    hours, rest = divmod(milliseconds, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02}.{rest % 1000:03}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("-->", "--&gt;")
