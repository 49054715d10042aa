"""Rivals: methods of the literature, each from its paper, on the same input as ours.

Their constants (cost, ridge) are those that served them best on simulated worlds and television
together; ours were not set film by film either.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from callsheet.model.rivals import bojanowski, cour, diffrac, sivic, svm
from callsheet.model.rivals.task import NamesTask, TaskBag, names_task


@dataclass(frozen=True, slots=True)
class Rival:
    """A method that names tracks: its paper and whether it knows a background class."""

    score: Callable[[NamesTask], Any]
    paper: str
    background: bool


RIVALS = {
    "Cour 2009": Rival(cour.score_names, "Cour et al., CVPR 2009", False),
    "Sivic 2009": Rival(sivic.score_names, "Sivic et al., CVPR 2009", False),
    "Bojanowski 2013": Rival(bojanowski.score_names, "Bojanowski et al., ICCV 2013", True),
    "Parkhi 2015": Rival(svm.score_names_parkhi, "Parkhi et al., FG 2015", True),
    "mi-SVM": Rival(svm.score_names_misvm, "Andrews et al., NIPS 2003", True),
    "DIFFRAC": Rival(diffrac.score_names, "Bach and Harchaoui, NIPS 2007", True),
}
"""Name -> rival, in the order of the paper's table."""

__all__ = ["RIVALS", "NamesTask", "Rival", "TaskBag", "names_task"]
