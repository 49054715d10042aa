"""Actions of sentences that other eyes labelled: each voice alone, and both.

The words alone are the paper's way: TF-IDF and a linear SVM say that a sentence tells an
action, the subject of the verb that speaks most for it is who does it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from callsheet.text.actions import ActionModel, Voice, read_paragraphs
from callsheet.text.actions.examples import Example
from callsheet.text.actions.reading import paragraphs_of
from callsheet.text.actions.scoring import (
    Score,
    action_scores,
    macro_f1,
    person_scores,
    told_by,
)
from callsheet.text.grammar import Naming, load_parser


@dataclass(frozen=True, slots=True)
class VoiceScore:
    """Scores of one voice, action by action, and their macro F1."""

    voice: Voice
    actions: Mapping[str, Score]
    persons: Mapping[str, Score]

    @property
    def action_f1(self) -> float:
        return macro_f1(self.actions)

    @property
    def person_f1(self) -> float:
        return macro_f1(self.persons)


def voice_scores(examples: Sequence[Example], model: ActionModel) -> list[VoiceScore]:
    """Score every voice on labelled sentences."""
    paragraphs = paragraphs_of([e.sentence for e in examples], load_parser(), Naming())
    scores = []
    for voice in Voice:
        readings = read_paragraphs(paragraphs, model, voice=voice)
        found = [told_by(s for r in line for s in r.statements) for line in readings]
        scores.append(
            VoiceScore(voice, action_scores(examples, found), person_scores(examples, found))
        )
    return scores
