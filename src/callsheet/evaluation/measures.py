"""Numbers that say how good labels are.

`truth` and `predicted` are columns of a vocabulary (0 is background; predicted -1 is an
abstention), `scores` is (tracks, labels), higher is surer. Curves group equal scores, so that
the order of ties never matters. A track of score -inf was not ranked at all: it is never
found, and recall misses it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from callsheet.errors import InputError

Array = NDArray[Any]
ABSTAINED = -1


@dataclass(frozen=True, slots=True)
class Curve:
    """Precision and recall down the ranking, one point a distinct score, surest first."""

    precision: Array
    recall: Array
    threshold: Array

    @property
    def area(self) -> float:
        """Average precision: precision where recall grows, weighted by how much; NaN if never."""
        if not len(self.recall) or np.isnan(self.recall[-1]):
            return float("nan")
        return float(np.sum(np.diff(self.recall, prepend=0.0) * self.precision))


class RankedHits:
    """A ranking sorted once, whose average precision can be taken again and again.

    `relevant` marks the rows that recall is of (default: the correct ones).
    """

    def __init__(
        self, correct: ArrayLike, scores: ArrayLike, relevant: ArrayLike | None = None
    ) -> None:
        hits, ranked = _pair(correct, scores)
        self._order = np.argsort(-ranked, kind="stable")
        self._hits = (hits & (ranked > -np.inf))[self._order]
        ranked = ranked[self._order]
        self._ends: Array = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)[: len(hits)])
        self._relevant = hits if relevant is None else np.asarray(relevant, bool)

    def average_precision(self, counts: Array | None = None) -> float:
        """Area when each row stands there `counts` times (default: once)."""
        counts = np.ones(len(self._hits), int) if counts is None else counts
        total = float(counts[self._relevant].sum())
        if not total:
            return float("nan")
        drawn = counts[self._order]
        found = np.cumsum(drawn * self._hits)[self._ends]
        seen = np.maximum(np.cumsum(drawn)[self._ends], 1)
        return float(np.sum(np.diff(found, prepend=0) * (found / seen)) / total)


def precision_recall(
    correct: ArrayLike, scores: ArrayLike, *, relevant: int | None = None
) -> Curve:
    """Rank by score and count the correct; recall is of `relevant` (default: all correct)."""
    hits, ranked = _pair(correct, scores)
    order = np.argsort(-ranked, kind="stable")
    total = int(hits.sum()) if relevant is None else relevant
    ranked, found = ranked[order], np.cumsum((hits & (ranked > -np.inf))[order])
    last_of_tie = np.flatnonzero(np.append(ranked[1:] != ranked[:-1], True)[: len(ranked)])
    found, count = found[last_of_tie].astype(float), last_of_tie + 1.0
    recall = found / total if total else np.full(len(found), np.nan)
    return Curve(found / count, recall, ranked[last_of_tie])


def average_precision(correct: ArrayLike, scores: ArrayLike) -> float:
    """Area under precision and recall; NaN where nothing is correct."""
    return precision_recall(correct, scores).area


def accuracy(truth: ArrayLike, predicted: ArrayLike) -> float:
    """Share labelled right, background included; an abstention is wrong."""
    true, said = np.asarray(truth), np.asarray(predicted)
    return float(np.mean(true == said)) if len(true) else float("nan")


def named_precision(truth: ArrayLike, predicted: ArrayLike) -> float:
    """Of the tracks given a name (no background, no abstention), the share given the right one."""
    true, said = np.asarray(truth), np.asarray(predicted)
    named = said > 0
    return float(np.mean(true[named] == said[named])) if named.any() else float("nan")


def named_share(predicted: ArrayLike) -> float:
    """Share of tracks on which the labels do not abstain."""
    said = np.asarray(predicted)
    return float(np.mean(said != ABSTAINED)) if len(said) else float("nan")


def multi_class_curve(truth: ArrayLike, scores: ArrayLike) -> Curve:
    """Rank tracks by the score of their best name; correct is the right name of a named person.

    Recall is of all tracks that truly show a named person: a background track that is given
    a name costs precision, a person left unnamed or misnamed costs recall.
    """
    true, given = np.asarray(truth), np.asarray(scores, float)
    if given.shape[1] < 2:
        return precision_recall(np.zeros(len(true), bool), np.zeros(len(true)))
    best = 1 + np.argmax(given[:, 1:], axis=1)
    top = given[np.arange(len(true)), best]
    return precision_recall(best == true, top, relevant=int(np.sum(true > 0)))


def multi_class_ap(truth: ArrayLike, scores: ArrayLike) -> float:
    """Area under `multi_class_curve`, as the Casablanca benchmark reports for names."""
    return multi_class_curve(truth, scores).area


def background_ap(truth: ArrayLike, scores: ArrayLike) -> float:
    """Average precision of finding the tracks of nobody named, ranked by background's score."""
    return average_precision(np.asarray(truth) == 0, np.asarray(scores, float)[:, 0])


def label_aps(truth: ArrayLike, scores: ArrayLike) -> Array:
    """Average precision of each label but background, (labels - 1,); NaN where it never occurs."""
    true, given = np.asarray(truth), np.asarray(scores, float)
    return np.array([average_precision(true == k, given[:, k]) for k in range(1, given.shape[1])])


def mean_ap(truth: ArrayLike, scores: ArrayLike) -> float:
    """Mean of `label_aps` over the labels that occur."""
    values = label_aps(truth, scores)
    return float(np.nanmean(values)) if np.isfinite(values).any() else float("nan")


def _pair(correct: ArrayLike, scores: ArrayLike) -> tuple[Array, Array]:
    hits, ranked = np.asarray(correct, bool), np.asarray(scores, float)
    if hits.shape != ranked.shape or hits.ndim != 1:
        raise InputError(f"one score a track is needed, got {ranked.shape} for {hits.shape}")
    if np.isnan(ranked).any():
        raise InputError("scores must not be NaN")
    return hits, ranked
