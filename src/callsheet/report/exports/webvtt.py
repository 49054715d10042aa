"""WebVTT: at every moment, who is on screen and what they do."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from callsheet.report.sheet import Sheet, SheetTrack


def write(sheet: Sheet, path: Path) -> None:
    blocks = ["WEBVTT"]
    for start, end, words in _moments([t for t in sheet.people() if t.name or t.deed]):
        text = ", ".join(sorted(set(words)))
        blocks.append(f"{_stamp(start)} --> {_stamp(end)}\n{_escaped(text)}")
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")


def _moments(tracks: list[SheetTrack]) -> Iterator[tuple[int, int, list[str]]]:
    """Stretches within which nobody comes or goes, in milliseconds, and who is there."""
    coming: dict[int, list[tuple[int, str]]] = {}
    edges: set[int] = set()
    for track in tracks:
        start, end = _ms(track.span.start), _ms(track.span.end)
        coming.setdefault(start, []).append((end, _words(track)))
        edges |= {start, end}
    here: list[tuple[int, str]] = []
    for start, end in pairwise(sorted(edges)):
        here = [*(h for h in here if h[0] > start), *coming.get(start, ())]
        if here:
            yield start, end, [words for _, words in here]


def _words(track: SheetTrack) -> str:
    who = track.name or "somebody"
    return f"{who} ({track.deed})" if track.deed else who


def _ms(seconds: float) -> int:
    """Whole milliseconds, so that tracks which meet at an edge share it."""
    return round(seconds * 1000)


def _stamp(milliseconds: int) -> str:
    hours, rest = divmod(milliseconds, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    return f"{hours:02}:{minutes:02}:{rest // 1000:02}.{rest % 1000:03}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("-->", "--&gt;")
