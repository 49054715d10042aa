"""The script wing: screenplays and subtitles in, evidence out."""

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
