"""The script wing: screenplays and subtitles in, evidence out."""

from callsheet.text.readings import Screenplay, Subtitles
from callsheet.text.screenplay import make_script, read_screenplay, read_transcript
from callsheet.text.subtitles import make_cues, read_subtitles

__all__ = [
    "Screenplay",
    "Subtitles",
    "make_cues",
    "make_script",
    "read_screenplay",
    "read_subtitles",
    "read_transcript",
]
