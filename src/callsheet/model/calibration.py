"""Where to abstain, found without any truth: the evidence itself is the test.

A bag of one track says outright who that track shows. Scores come from a classifier that has
not seen the track's part of the film, so whether the label agrees with the bag is an honest
trial of it. Scripts err too, so agreement is divided by the share of evidence that is true, t.
A label and a bag disagree where either errs, so agreement alone cannot tell which: t comes from
bags that speak of one track (two bags agree where both are true, t² of the time) and is never
taken for less than a floor (`LabelSettings.evidence_truth`). Where a person pinned tracks, pins
are trials as well, and beyond doubt.

Actions have no bags of one track, and most deeds are never told. There the tracks *outside* a
label's bags are decoys: were the label given by chance, the tracks of its bags would get it as
often as those outside. What they get beyond that is right. Labels of a film without a script
are judged with all labels outside bags counted as wrong.

A handful of lucky trials proves nothing: the wanted precision must lie below the lower end of
the estimate's interval (four chances in five).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

LEAST_TRIALS = 20
SUREST = 0.25  # the share of trials, by margin, whose agreement tells how often evidence is true
FLOOR = 0.85
"""At least so much of the evidence is taken for true, however little of it agrees."""

ONE_SIDED = 0.8416
"""Standard errors between an estimate and what it exceeds with four chances in five."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """Margin from which on labels are given, and the precision expected of them there."""

    margin: float
    precision: float
    least: float  # the precision is higher, with four chances in five
    trials: int
    reached: bool  # whether the wanted precision is met anywhere

    def note(self) -> str:
        """One sentence for the summary."""
        if self.trials < LEAST_TRIALS:
            return f"{self.trials} trials are too few to vouch for any label: all are withheld"
        by = f"by {self.trials} pieces of evidence"
        if not self.reached:
            return (f"the wanted precision is out of reach, the best is about {self.precision:.2f}"
                    f" (at least {self.least:.2f}) {by}: all labels are withheld")  # fmt: skip
        return (f"margin {self.margin:.3g} gives a precision of about {self.precision:.2f}"
                f" (at least {self.least:.2f}) {by}")  # fmt: skip


NO_THRESHOLD = Threshold(float("-inf"), float("nan"), float("nan"), 0, reached=True)
"""Nothing was asked for, nothing is withheld."""


def choose_threshold(
    margin: Array,
    agrees: Array,
    wanted: float,
    *,
    certain: Array | None = None,
    twice: Array | None = None,
    floor: float = FLOOR,
) -> Threshold:
    """Smallest margin from which on labels agree with the evidence as often as wanted.

    One entry a trial: `agrees` is the share of its evidence that says the label, `certain` marks
    those that are surely true (pins), `twice` is how often two of its bags agree (NaN: one bag).
    """
    if len(margin) < LEAST_TRIALS:
        return _nothing(float("nan"), float("nan"), len(margin))
    sure = np.zeros(len(margin), bool) if certain is None else certain
    pairs = np.zeros(0) if twice is None else twice[~sure & np.isfinite(twice)]
    truth = evidence_truth(margin[~sure], agrees[~sure], pairs, floor)
    return _smallest_margin(margin, agrees, np.where(sure, 1.0, truth), wanted)


def choose_beyond_decoys(
    margin: Array, value: Array, target: Array, wanted: float, *, everywhere: bool = False
) -> Threshold:
    """Smallest margin from which on labels of bag tracks are right as often as wanted.

    One entry a labelled track: `target` is 1 within a bag of its label, 0 for a decoy outside;
    `value` is 1 within, and minus the chance hits within that a decoy stands for. `everywhere`
    asks it of labels outside bags too, and takes those for wrong: deeds that no script tells of
    cannot be told from errors, and few tracks act, so the truth lies far nearer to this.
    """
    if target.sum() < LEAST_TRIALS:
        return _nothing(float("nan"), float("nan"), int(target.sum()))
    return _smallest_margin(margin, value, np.ones(len(target)) if everywhere else target, wanted)


def _smallest_margin(margin: Array, value: Array, counted: Array, wanted: float) -> Threshold:
    """Where the sum of `value` over that of `counted`, from the surest down, is as wanted."""
    order = np.argsort(-margin, kind="stable")
    value, counted = value[order], counted[order]
    trials = np.cumsum(counted > 0)
    # Ties are decided together; a handful of trials proves nothing.
    ends = np.append(np.diff(margin[order]) != 0, True) & (trials >= LEAST_TRIALS)
    expected = np.minimum(np.cumsum(value) / np.maximum(np.cumsum(counted), 1e-9), 1.0)
    least = np.minimum(_lower_end(value, counted), expected)
    good = np.flatnonzero(ends & (least >= wanted))
    if not len(good):
        best = int(np.flatnonzero(ends)[least[ends].argmax()])
        return _nothing(float(expected[best]), float(least[best]), int(trials[-1]))
    last = int(good[-1])
    return Threshold(
        float(margin[order][last]), float(expected[last]), float(least[last]), int(trials[-1]), True
    )


def _lower_end(value: Array, counted: Array) -> Array:
    """Lower end of the ratio of the running sums, as of a share with as many trials.

    Half a success and half a failure for each squared standard error keep the interval of a
    few trials that all agree from shrinking to a point (Agresti and Coull).
    """
    extra = ONE_SIDED**2
    total = np.cumsum(counted) + extra
    ratio = (np.cumsum(value) + extra / 2) / total
    spread = np.cumsum(value**2) - 2 * ratio * np.cumsum(value * counted)
    spread += ratio**2 * np.cumsum(counted**2) + extra / 2 * ((1 - ratio) ** 2 + ratio**2)
    lower: Array = ratio - ONE_SIDED * np.sqrt(np.maximum(spread, 0.0)) / total
    return lower


def _nothing(best: float, least: float, trials: int) -> Threshold:
    """No margin is large enough."""
    return Threshold(float("inf"), best, least, trials, reached=False)


def evidence_truth(margin: Array, agrees: Array, pairs: Array, floor: float) -> float:
    """Share of evidence that is true, at least `floor`.

    By pairs of bags that speak of one track, where there are enough: the upper end, since to
    overrate the evidence underrates the labels. Else by its agreement with the surest labels.
    """
    if len(pairs) >= LEAST_TRIALS:
        upper = 1 - float(_lower_end(1 - pairs, np.ones(len(pairs)))[-1])
        return float(np.clip(np.sqrt(upper), floor, 1.0))
    if not len(margin):
        return 1.0
    surest = np.argsort(-margin, kind="stable")
    first = surest[: max(LEAST_TRIALS, int(SUREST * len(surest)))]
    return float(np.clip(agrees[first].mean(), floor, 1.0))
