"""The script wing: screenplays and subtitles in, evidence out.

Its parts: `screenplay` and `subtitles` (readers), `alignment` (the script on the film's clock),
`cast` (who is in it), `grammar` (who does what in a sentence), `actions` (which of the actions
it tells), `evidence` (the claims that come of all that), `measures` (the figures of the docs).
The names below load their part when they are first used, so that importing the wing is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from callsheet.text.alignment import align, make_alignment
    from callsheet.text.cast import find_cast, make_cast
    from callsheet.text.evidence import (
        EvidenceCounts,
        SentenceActions,
        TrainingReport,
        classify_sentences,
        count_evidence,
        find_evidence,
        make_evidence,
        train_actions,
    )
    from callsheet.text.readings import Alignment, Cast, CastMember, Screenplay, Subtitles, Verdict
    from callsheet.text.screenplay import (
        make_script,
        parse_fountain,
        read_screenplay,
        read_transcript,
        save_fountain,
        write_fountain,
    )
    from callsheet.text.settings import EvidenceSettings
    from callsheet.text.subtitles import make_cues, read_subtitles

_HOMES = {
    "Alignment": "readings",
    "Cast": "readings",
    "CastMember": "readings",
    "EvidenceCounts": "evidence",
    "EvidenceSettings": "settings",
    "Screenplay": "readings",
    "SentenceActions": "evidence",
    "Subtitles": "readings",
    "TrainingReport": "evidence",
    "Verdict": "readings",
    "align": "alignment",
    "classify_sentences": "evidence",
    "count_evidence": "evidence",
    "find_cast": "cast",
    "find_evidence": "evidence",
    "make_alignment": "alignment",
    "make_cast": "cast",
    "make_cues": "subtitles",
    "make_evidence": "evidence",
    "make_script": "screenplay",
    "parse_fountain": "screenplay",
    "read_screenplay": "screenplay",
    "read_subtitles": "subtitles",
    "read_transcript": "screenplay",
    "save_fountain": "screenplay",
    "train_actions": "evidence",
    "write_fountain": "screenplay",
}

__all__ = [
    "Alignment",
    "Cast",
    "CastMember",
    "EvidenceCounts",
    "EvidenceSettings",
    "Screenplay",
    "SentenceActions",
    "Subtitles",
    "TrainingReport",
    "Verdict",
    "align",
    "classify_sentences",
    "count_evidence",
    "find_cast",
    "find_evidence",
    "make_alignment",
    "make_cast",
    "make_cues",
    "make_evidence",
    "make_script",
    "parse_fountain",
    "read_screenplay",
    "read_subtitles",
    "read_transcript",
    "save_fountain",
    "train_actions",
    "write_fountain",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"callsheet.text has no {name}")
    return getattr(import_module(f"callsheet.text.{_HOMES[name]}"), name)
