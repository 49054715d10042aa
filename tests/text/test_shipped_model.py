"""The action model that ships: what it was made of, and the figures it must reach."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from callsheet.text.actions import Voice, load_action_model
from callsheet.text.actions.examples import duplicates, levelled, read_examples, shipped_examples
from callsheet.text.actions.origin import origin_of
from callsheet.text.actions.patterns import shipped_patterns
from callsheet.text.actions.training import fit_actions
from callsheet.text.measures.told_actions import voice_scores

TABLE = Path(__file__).parents[2] / "benchmarks" / "text" / "action_sentences.csv"


def test_it_was_made_of_the_tables_that_ship() -> None:
    """After a change of the sentences or patterns: callsheet evidence train --out ..."""
    model = load_action_model()
    assert model.origin == origin_of(shipped_examples(), shipped_patterns(), seed=0)
    assert model.patterns.patterns == tuple(shipped_patterns())


def test_no_sentence_that_trains_tests() -> None:
    assert levelled("The smoke, rises!") == levelled("Smoke rises.")
    assert duplicates(read_examples(TABLE), shipped_examples()) == []


def test_there_are_sentences_enough() -> None:
    examples = shipped_examples()
    told = [action for e in examples for action in e.actions]
    assert min(told.count(action) for action in set(told)) >= 60
    assert sum(not e.told for e in examples) >= 600
    assert len(read_examples(TABLE)) >= 400


def test_it_reaches_the_wanted_figures_on_sentences_that_others_wrote() -> None:
    scores = {s.voice: s for s in voice_scores(read_examples(TABLE), load_action_model())}
    assert scores[Voice.BOTH].action_f1 >= 0.90
    assert scores[Voice.BOTH].person_f1 >= 0.85
    assert scores[Voice.BOTH].action_f1 > scores[Voice.WORDS].action_f1


@pytest.mark.slow
def test_training_makes_it_again() -> None:
    model, again = load_action_model(), fit_actions(shipped_examples(), seed=0).model
    assert dict(again.terms) == dict(model.terms)
    np.testing.assert_allclose(again.weights, model.weights, atol=1e-5)
    np.testing.assert_allclose(again.blend.levels, model.blend.levels, atol=1e-5)
