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


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """Turning a screenplay into claims on the film's clock."""

    action_model: str = ""
    """File of `callsheet evidence train`; empty: the model that comes with callsheet."""
    least_score: float = 0.5
    """Leave out statements whose action is less probable than this."""
    pad_lines: float = 0.0
    """Seconds by which a spoken line is widened on either side."""
    pad_mentions: float = 0.0
    """Seconds by which a mention's span is widened on either side."""
    pad_statements: float = 1.0
    """Seconds by which a statement's span is widened on either side."""
    sentence_slack: float = 0.15
    """Widen a sentence within its description by this share of the description on either side."""
    longest_description: float = 300.0
    """Leave out descriptions whose span is longer than this: they were not found closely."""
    least_confidence: float = 0.0
    """Leave out evidence that is less sure than this."""
    extras: bool = False
    """Also make lines and mentions of extras and groups (statements are always made)."""
