"""One question of one film decided: scores in, a label, a margin and an abstention a track out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from callsheet.core import Vocabulary
from callsheet.model.calibration import NO_THRESHOLD, Threshold
from callsheet.model.rounding import margins, round_labels

Array = NDArray[Any]
Keep: TypeAlias = Callable[[Array, Array], Array]
"""Takes rounded columns (tracks,) and the ranking, gives columns that keep the quotas."""

ABSTAINED = -1


@dataclass(frozen=True, slots=True)
class Opinion:
    """What is known of the tracks of one kind before anything is decided.

    `assignment` is the relaxed one (None: the film was not learned from), `scores` those of a
    classifier that has not seen the tracks it scores, `share` how much it counts beside the
    assignment.
    """

    labels: Vocabulary
    assignment: Array | None
    scores: Array
    share: float = 1.0

    def ranking(self) -> Array:
        """One score a track and label, (tracks, labels), to rank and decide by.

        The assignment knows what the bags say of this very track, the classifier what all
        others say of its looks; together they rank better than alone (docs/model.md).
        """
        if self.assignment is None:
            return self.scores
        return self.assignment + self.share * self.scores


@dataclass(frozen=True, slots=True)
class Decision:
    """`columns` -1 is an abstention; `score` and `margin` are of the label that would be given."""

    labels: Vocabulary
    columns: Array
    score: Array
    margin: Array
    ranking: Array
    threshold: Threshold

    def label(self, row: int) -> str | None:
        column = int(self.columns[row])
        return None if column == ABSTAINED else self.labels.names[column]


def decide(
    opinion: Opinion,
    *,
    pins: Mapping[int, str],
    together: Sequence[Array] = (),
    keep: Keep | None = None,
    threshold: Threshold = NO_THRESHOLD,
    vouched: NDArray[np.bool_] | None = None,
    least_margin: float = 0.0,
) -> Decision:
    """Round, let `keep` mend the quotas that broke, then withhold labels whose margin lies below
    the threshold, and those that no bag vouches for (tracks, labels), if any must. Pins are
    never withheld.
    """
    ranking = opinion.ranking()
    pinned = {p: opinion.labels.column(n) for p, n in pins.items() if n in opinion.labels}
    columns = round_labels(ranking, together=together, pins=pinned)
    if keep is not None:
        columns = keep(columns, ranking)
    rows = np.arange(len(columns))
    margin = margins(ranking, columns)
    honest = margins(opinion.scores, columns)
    doubtful = (columns > 0) & (honest < threshold.margin)
    if least_margin:  # what yielded to a quota has a negative margin, and is a label all the same
        doubtful |= (columns > 0) & (margin < least_margin)
    if vouched is not None:
        doubtful |= (columns > 0) & ~vouched[rows, columns]
    doubtful[list(pinned)] = False
    score = ranking[rows, columns]
    decided = np.where(doubtful, ABSTAINED, columns)
    return Decision(opinion.labels, decided, score, margin, ranking, threshold)
