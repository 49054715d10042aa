"""TV episodes with a transcript, subtitles and the true speaker of every subtitle line.

A folder holds `transcript.txt` (`speaker words`), `*.subtt_trans_align.mat` (subtitles, true
speakers, and the speakers a 2015 system gave) and `*.cast` (the names the truth is told in).
The subtitles are written as SRT and read by our own reader, as a user's would be.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy.io import loadmat

from callsheet.core import Cue, Span
from callsheet.errors import InputError
from callsheet.text.readings import Screenplay, Subtitles
from callsheet.text.screenplay import read_transcript
from callsheet.text.subtitles import read_subtitles

_NOBODY = ("", "unknown", "IGNORE")


@dataclass(frozen=True, slots=True)
class TrueLine:
    """One subtitle line with its true speaker and the rival's ("": it would not say; None: the
    rival never saw the line)."""

    text: str
    speaker: str | None
    rival: str | None


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode: what a user would have, the truth line by line, and the truth's names."""

    name: str
    screenplay: Screenplay
    subtitles: Subtitles
    lines: tuple[TrueLine, ...]
    names: tuple[str, ...]

    @property
    def annotated(self) -> bool:
        return any(line.speaker for line in self.lines)

    def cast_name(self, speaker: str | None) -> str | None:
        """The truth's name of a transcript's speaker: "sheldon" for "sheldon_cooper"."""
        if speaker is None:
            return None
        parts = speaker.lower().replace(" ", "_").split("_")
        found = [name for name in self.names if name in parts]
        return found[0] if len(found) == 1 else None


def find_episodes(folder: Path) -> list[Path]:
    """Sub-folders that hold an episode."""
    found = sorted(path.parent for path in folder.glob("*/*.subtt_trans_align.mat"))
    if not found:
        raise InputError(f"{folder} holds no episodes (*/*.subtt_trans_align.mat)")
    return found


def read_episode(folder: Path) -> Episode:
    """Read one episode's files."""
    entries = loadmat(
        next(folder.glob("*.subtt_trans_align.mat")), squeeze_me=True, struct_as_record=False
    )["AllTextStruct"]
    cast = json.loads(next(folder.glob("*.cast")).read_text(encoding="utf-8"))
    return Episode(
        folder.name,
        read_transcript(folder / "transcript.txt"),
        _subtitles(entries),
        tuple(line for entry in entries for line in _lines(entry)),
        tuple(c["name"] for c in cast["Characters"] if c["name"] not in _NOBODY),
    )


def read_cuts(folder: Path) -> list[float]:
    """The cuts of an episode in seconds, as its annotators found them."""
    lines = next(folder.glob("*.videvents")).read_text(encoding="utf-8").splitlines()[1:]
    return [float(line.split()[1]) for line in lines if line.strip()]


def joined(episodes: Sequence[Episode]) -> tuple[Screenplay, Subtitles]:
    """One long film of several episodes, one after the other."""
    elements = [element for episode in episodes for element in episode.screenplay.elements]
    cues: list[Cue] = []
    start = 0.0
    for episode in episodes:
        for cue in episode.subtitles.cues:
            span = Span(cue.span.start + start, cue.span.end + start)
            cues.append(replace(cue, cue=len(cues), span=span))
        start = cues[-1].span.end
    numbered = tuple(replace(element, element=n) for n, element in enumerate(elements))
    return Screenplay(numbered, ()), Subtitles(tuple(cues))


def _subtitles(entries: Sequence[Any]) -> Subtitles:
    blocks = [
        f"{number}\n{_stamp(entry.starttime)} --> {_stamp(entry.endtime)}\n"
        + "\n".join(_texts(entry))
        for number, entry in enumerate(entries, start=1)
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "episode.srt"
        path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
        return read_subtitles(path)


def _stamp(seconds: float) -> str:
    minutes, milliseconds = divmod(round(float(seconds) * 1000), 60_000)
    hours, minutes = divmod(minutes, 60)
    whole, thousandths = divmod(milliseconds, 1000)
    return f"{hours:02}:{minutes:02}:{whole:02},{thousandths:03}"


def _lines(entry: Any) -> Iterator[TrueLine]:
    texts = _texts(entry)
    truths = _padded(getattr(entry, "groundTruthIdentity", ()), len(texts))
    answers = _padded(entry.Speaker, len(texts))
    rivals = answers if np.size(entry.Speaker) else [None] * len(texts)
    for text, truth, rival in zip(texts, truths, rivals, strict=True):
        yield TrueLine(text, None if truth in _NOBODY else truth, rival)


def _texts(entry: Any) -> list[str]:
    """The lines as they were shown, where the file has them; else in small letters."""
    return _padded(getattr(entry, "origline", entry.line), None)


def _padded(values: Any, length: int | None) -> list[str]:
    """MATLAB's one string, or many, or none, as a list of strings."""
    found = ["" if np.size(v) == 0 else str(v) for v in np.atleast_1d(values)]
    return found if length is None else (found + [""] * length)[:length]
