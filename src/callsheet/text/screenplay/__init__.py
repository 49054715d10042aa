"""Screenplays: readers for the formats, the layout learner for plain text, a Fountain writer."""

from callsheet.text.screenplay.fountain import parse_fountain
from callsheet.text.screenplay.fountain_writer import save_fountain, write_fountain
from callsheet.text.screenplay.reading import make_script, read_screenplay, script_summary
from callsheet.text.screenplay.transcript import read_transcript

__all__ = [
    "make_script",
    "parse_fountain",
    "read_screenplay",
    "read_transcript",
    "save_fountain",
    "script_summary",
    "write_fountain",
]
