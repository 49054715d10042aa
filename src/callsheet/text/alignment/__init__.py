"""Script to film: which words of the screenplay are said when, by whom, and what lies between."""

from callsheet.text.alignment.aligner import align
from callsheet.text.alignment.drift import Drift, drift_between, find_drift, retimed
from callsheet.text.alignment.stage import make_alignment, read_cues, read_script, refusal

__all__ = [
    "Drift",
    "align",
    "drift_between",
    "find_drift",
    "make_alignment",
    "read_cues",
    "read_script",
    "refusal",
    "retimed",
]
