"""Settings of the script wing, one frozen dataclass a part; they are read from callsheet.toml."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScriptSettings:
    """Reading screenplays."""

    fewest_speeches: int = 2
    """Speeches and headings together below which a file is no screenplay."""
    prose_words: int = 400
    """Words per speech or heading above which a file is said to read like prose."""


@dataclass(frozen=True, slots=True)
class SubtitleSettings:
    """Reading subtitles."""

    frame_rate: float = 23.976
    """Frames a second of MicroDVD files that do not say."""
