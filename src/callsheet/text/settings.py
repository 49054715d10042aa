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


@dataclass(frozen=True, slots=True)
class AlignmentSettings:
    """Aligning a screenplay to subtitles."""

    refuse_below: float = 0.15
    """Refuse the script when less than this share of its words, and of the film's, is found."""
    doubt_below: float = 0.5
    """Warn of another draft when less than this share of either side is found."""
    description_slack: float = 0.15
    """Widen a description within its gap by this share of the gap on either side."""
