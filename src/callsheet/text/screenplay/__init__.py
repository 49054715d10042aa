"""Screenplays: readers for the formats, the layout learner for plain text, a Fountain writer."""

from callsheet.text.screenplay.reading import check_screenplay, make_script, read_screenplay
from callsheet.text.screenplay.transcript import read_transcript

__all__ = ["check_screenplay", "make_script", "read_screenplay", "read_transcript"]
