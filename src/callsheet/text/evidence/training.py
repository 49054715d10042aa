"""Make an action model of one's own: from sentences, and if there are any, unlabelled scripts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from callsheet.core import ElementKind
from callsheet.errors import InputError
from callsheet.text.actions.examples import duplicates, levelled, read_table, shipped_examples
from callsheet.text.actions.selftraining import grown
from callsheet.text.actions.training import Training, fit_actions
from callsheet.text.grammar import split_sentences
from callsheet.text.screenplay import read_screenplay


@dataclass(frozen=True, slots=True)
class TrainingReport:
    """The model with its figures; with unlabelled scripts, also before and after growing.

    `grown` counts the sentences that self-training added; the larger model is `kept` only if
    it is better on the sentences that people labelled.
    """

    training: Training
    own: int
    repeated: tuple[str, ...]
    before: Training | None = None
    after: Training | None = None
    grown: int = 0
    kept: bool = False
    warnings: tuple[str, ...] = ()


def train_actions(
    csv: Path | None,
    *,
    unlabelled: Sequence[Path] = (),
    with_shipped: bool = True,
    folds: int = 5,
    seed: int = 0,
) -> TrainingReport:
    """Train on the user's sentences, together with the shipped ones unless told not to."""
    own, warnings = ([], ()) if csv is None else read_table(csv)
    shipped = shipped_examples() if with_shipped else []
    if not own and not shipped:
        raise InputError("no sentences to train on: give a table of sentences")
    repeated = duplicates(own, shipped)
    mine = {levelled(sentence) for sentence in repeated}
    examples = [*(e for e in shipped if levelled(e.sentence) not in mine), *own]
    training = fit_actions(examples, folds=folds, seed=seed)
    report = TrainingReport(training, len(own), tuple(repeated), warnings=warnings)
    if not unlabelled:
        return report
    more = grown(training.model, described(unlabelled), known=examples)
    if not more:
        return replace(report, before=training)
    after = fit_actions(examples, more=more, folds=folds, seed=seed)
    kept = after.both > training.both
    return replace(report, training=after if kept else training, before=training, after=after,
                   grown=len(more), kept=kept)  # fmt: skip


def described(scripts: Sequence[Path]) -> list[str]:
    """Sentences of the descriptions of screenplays."""
    return [
        sentence
        for script in scripts
        for element in read_screenplay(script).elements
        if element.kind is ElementKind.DESCRIPTION
        for sentence in split_sentences(element.text)
    ]
