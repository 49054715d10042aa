"""The script wing: screenplays and subtitles in, evidence out."""

from callsheet.text.alignment import align, make_alignment
from callsheet.text.cast import find_cast, make_cast
from callsheet.text.readings import Alignment, Cast, CastMember, Screenplay, Subtitles, Verdict
from callsheet.text.screenplay import (
    make_script,
    parse_fountain,
    read_screenplay,
    read_transcript,
    save_fountain,
    write_fountain,
)
from callsheet.text.subtitles import make_cues, read_subtitles

__all__ = [
    "Alignment",
    "Cast",
    "CastMember",
    "Screenplay",
    "Subtitles",
    "Verdict",
    "align",
    "find_cast",
    "make_alignment",
    "make_cast",
    "make_cues",
    "make_script",
    "parse_fountain",
    "read_screenplay",
    "read_subtitles",
    "read_transcript",
    "save_fountain",
    "write_fountain",
]
