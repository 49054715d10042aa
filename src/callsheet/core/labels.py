"""The answer: what each track was labelled, how surely, and on which evidence."""

from __future__ import annotations

from dataclasses import dataclass

from callsheet.core.vocabulary import BACKGROUND


@dataclass(frozen=True, slots=True)
class Label:
    """One track's label in one vocabulary. `name` None is an abstention.

    `margin` is score minus the best other score; `reasons` are ids of the evidence
    whose bags this label satisfied.
    """

    track: int
    name: str | None
    score: float
    margin: float
    reasons: tuple[int, ...] = ()

    @property
    def is_named(self) -> bool:
        return self.name is not None and self.name != BACKGROUND


@dataclass(frozen=True, slots=True)
class TrackLabels:
    """Who a track shows and what they do."""

    track: int
    person: Label | None
    action: Label | None
