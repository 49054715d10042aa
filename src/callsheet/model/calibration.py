"""Where to abstain, found without any truth: the evidence itself is the test.

A bag of one track says outright who that track shows. Scores come from a classifier that has
not seen the track's part of the film, so whether the label agrees with the bag is an honest
trial of it. Scripts err too: the share of bags that agree with even the surest labels is taken
for the share of true bags, and agreement is divided by it. Where a person pinned tracks, pins
are trials as well, and beyond doubt.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

LEAST_TRIALS = 20
SUREST = 0.25  # the share of trials, by margin, whose agreement tells how often evidence is true


@dataclass(frozen=True, slots=True)
class Threshold:
    """Margin from which on labels are given, and the precision expected of them there."""

    margin: float
    precision: float
    trials: int
    reached: bool  # whether the wanted precision is met anywhere

    def note(self) -> str:
        """One sentence for the summary."""
        if not self.trials:
            return "no evidence of a single track to calibrate on: no label is withheld"
        found = f"margin {self.margin:.3g} gives a precision of about {self.precision:.2f}"
        return f"{found} by {self.trials} pieces of evidence" + (
            "" if self.reached else " (the wanted precision is out of reach)"
        )


NO_THRESHOLD = Threshold(float("-inf"), float("nan"), 0, reached=False)


def choose_threshold(
    margin: Array, agrees: Array, wanted: float, *, certain: Array | None = None
) -> Threshold:
    """Smallest margin from which on labels agree with the evidence as often as wanted.

    `margin` and `agrees`: one a trial; `certain` marks trials that are surely true (pins).
    """
    if len(margin) < LEAST_TRIALS or wanted <= 0:
        return NO_THRESHOLD
    sure = np.zeros(len(margin), bool) if certain is None else certain
    order = np.argsort(-margin, kind="stable")
    right = agrees[order] / np.where(sure[order], 1.0, evidence_truth(margin, agrees, sure))
    count = np.arange(1, len(order) + 1)
    # Ties are decided together; a handful of trials proves nothing.
    expected = np.minimum(np.cumsum(right) / count, 1.0)
    ends = np.append(np.diff(margin[order]) != 0, True) & (count >= min(LEAST_TRIALS, len(order)))
    good = np.flatnonzero(ends & (expected >= wanted))
    if len(good):
        last = int(good[-1])
        return Threshold(float(margin[order][last]), float(expected[last]), len(order), True)
    best = int(np.flatnonzero(ends)[np.argmax(expected[ends])])
    return Threshold(float(margin[order][best]), float(expected[best]), len(order), False)


def evidence_truth(margin: Array, agrees: Array, certain: Array) -> float:
    """Share of evidence that is true: its agreement with the surest labels."""
    doubtful = np.flatnonzero(~certain)
    if not len(doubtful):
        return 1.0
    surest = doubtful[np.argsort(-margin[doubtful], kind="stable")]
    first = surest[: max(LEAST_TRIALS, int(SUREST * len(surest)))]
    # At least a half: evidence that is wrong more often is no test of anything.
    return float(np.clip(agrees[first].mean(), 0.5, 1.0))
