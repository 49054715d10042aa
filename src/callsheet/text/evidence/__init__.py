"""The script's claims on the film's clock: spoken lines, mentions, statements.

`finding` makes them of a screenplay, its alignment and its cast; `classifying` reads loose
sentences; `training` makes a model of the user's own sentences; `counting` prints the paper's
constraint table; `stage` works from folder to folder.
"""

from callsheet.text.evidence.classifying import SentenceActions, classify_sentences
from callsheet.text.evidence.counting import EvidenceCounts, count_evidence
from callsheet.text.evidence.finding import find_evidence
from callsheet.text.evidence.stage import make_evidence
from callsheet.text.evidence.training import TrainingReport, train_actions

__all__ = [
    "EvidenceCounts",
    "SentenceActions",
    "TrainingReport",
    "classify_sentences",
    "count_evidence",
    "find_evidence",
    "make_evidence",
    "train_actions",
]
