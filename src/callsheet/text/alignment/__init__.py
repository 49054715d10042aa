"""Script to film: which words of the screenplay are said when, by whom, and what lies between."""

from callsheet.text.alignment.aligner import align
from callsheet.text.alignment.stage import make_alignment, read_cues, read_script, refusal

__all__ = ["align", "make_alignment", "read_cues", "read_script", "refusal"]
