"""Where to abstain, found without any truth: the evidence itself is the test.

A bag of one track says outright who that track shows. Scores come from a classifier that has
not seen the track's part of the film, so whether the label agrees with the bag is an honest
trial of it. Scripts err too: the share of bags that agree with even the surest labels is taken
for the share of true bags, and agreement is divided by it. Where a person pinned tracks, pins
are trials as well, and beyond doubt.

Actions have no bags of one track, and most deeds are never told. There the tracks *outside* a
label's bags are decoys: were the label given by chance, the tracks of its bags would get it as
often as those outside. What they get beyond that is right.
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
        if self.trials < LEAST_TRIALS:
            return f"{self.trials} trials are too few to vouch for any label: all are withheld"
        if not self.reached:
            return (f"the wanted precision is out of reach, the best is about {self.precision:.2f}"
                    f" by {self.trials} pieces of evidence: all labels are withheld")  # fmt: skip
        return (f"margin {self.margin:.3g} gives a precision of about {self.precision:.2f}"
                f" by {self.trials} pieces of evidence")  # fmt: skip


NO_THRESHOLD = Threshold(float("-inf"), float("nan"), 0, reached=True)
"""Nothing was asked for, nothing is withheld."""


def choose_threshold(
    margin: Array, agrees: Array, wanted: float, *, certain: Array | None = None
) -> Threshold:
    """Smallest margin from which on labels agree with the evidence as often as wanted.

    `margin` and `agrees`: one a trial; `certain` marks trials that are surely true (pins).
    """
    if len(margin) < LEAST_TRIALS:
        return _nothing(float("nan"), len(margin))
    sure = np.zeros(len(margin), bool) if certain is None else certain
    right = agrees / np.where(sure, 1.0, evidence_truth(margin, agrees, sure))
    return _smallest_margin(margin, right, np.ones(len(margin)), wanted)


def choose_beyond_decoys(margin: Array, value: Array, target: Array, wanted: float) -> Threshold:
    """Smallest margin from which on labels of bag tracks are right as often as wanted.

    One entry a labelled track: `target` is 1 within a bag of its label, 0 for a decoy outside;
    `value` is 1 within, and minus the chance hits within that a decoy stands for.
    """
    if target.sum() < LEAST_TRIALS:
        return _nothing(float("nan"), int(target.sum()))
    return _smallest_margin(margin, value, target, wanted)


def _smallest_margin(margin: Array, right: Array, counted: Array, wanted: float) -> Threshold:
    """Where the sum of `right` over `counted`, from the surest down, is still as wanted."""
    order = np.argsort(-margin, kind="stable")
    count = np.cumsum(counted[order])
    # Ties are decided together; a handful of trials proves nothing.
    ends = np.append(np.diff(margin[order]) != 0, True) & (count >= LEAST_TRIALS)
    expected = np.minimum(np.cumsum(right[order]) / np.maximum(count, 1), 1.0)
    good = np.flatnonzero(ends & (expected >= wanted))
    trials = int(counted.sum())
    if not len(good):
        return _nothing(float(expected[ends].max()), trials)
    last = int(good[-1])
    return Threshold(float(margin[order][last]), float(expected[last]), trials, True)


def _nothing(best: float, trials: int) -> Threshold:
    """No margin is large enough."""
    return Threshold(float("inf"), best, trials, reached=False)


def evidence_truth(margin: Array, agrees: Array, certain: Array) -> float:
    """Share of evidence that is true: its agreement with the surest labels."""
    doubtful = np.flatnonzero(~certain)
    if not len(doubtful):
        return 1.0
    surest = doubtful[np.argsort(-margin[doubtful], kind="stable")]
    first = surest[: max(LEAST_TRIALS, int(SUREST * len(surest)))]
    # At least a half: evidence that is wrong more often is no test of anything.
    return float(np.clip(agrees[first].mean(), 0.5, 1.0))
