"""Self-training: sentences of unlabelled scripts that the model is sure of become examples.

The verb patterns teach the words: a sentence where a strong pattern and the blend agree is
taken as an example of its action; one that neither voice connects with any action is taken
as background, as many as there are examples of actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from callsheet.text.actions.classifier import ActionModel
from callsheet.text.actions.examples import Example
from callsheet.text.actions.reading import paragraphs_of
from callsheet.text.actions.statements import SentenceReading, read_paragraphs
from callsheet.text.grammar import Naming, load_parser

SURE = 0.95
"""Probability from which a sentence is believed."""

_SURELY_NOT = -0.8
"""Margin of every action below which a sentence is background."""


def grown(
    model: ActionModel, sentences: Sequence[str], *, known: Sequence[Example]
) -> list[Example]:
    """New examples among `sentences`, none of them in `known`."""
    seen = {e.sentence.casefold() for e in known}
    fresh = [s for s in dict.fromkeys(sentences) if s.casefold() not in seen]
    paragraphs = paragraphs_of(fresh, load_parser(), Naming())
    readings = read_paragraphs(paragraphs, model, threshold=SURE)
    told = list(_told(fresh, readings))
    quiet = [
        Example(sentence, frozenset())
        for sentence, found in zip(fresh, readings, strict=True)
        if _is_background(found)
    ]
    return [*told, *quiet[: len(told)]]


def _told(
    sentences: Sequence[str], readings: Sequence[Sequence[SentenceReading]]
) -> Iterator[Example]:
    for sentence, found in zip(sentences, readings, strict=True):
        actions = {s.action for reading in found for s in reading.statements}
        doubtful = any(level in ("weak", "medium") for r in found for level in r.levels)
        if actions and not doubtful:
            yield Example(sentence, frozenset((action, "") for action in actions))


def _is_background(found: Sequence[SentenceReading]) -> bool:
    return all(
        not reading.matches and not reading.denied and max(reading.margins) < _SURELY_NOT
        for reading in found
    ) and any(len(reading.sentence) > 3 for reading in found)
