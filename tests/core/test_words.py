"""Vocabulary, evidence, labels and errors say what they hold."""

import pickle

import pytest

from callsheet.core import (
    ACTION_VOCABULARY,
    ACTIONS,
    BACKGROUND,
    SYMMETRIC_ACTIONS,
    Evidence,
    EvidenceKind,
    Label,
    Span,
    Vocabulary,
)
from callsheet.errors import CallsheetError, EngineError, InputError, StoreError


def test_background_is_column_zero() -> None:
    vocabulary = Vocabulary.of(["RICK", "ILSA"])
    assert vocabulary.column(BACKGROUND) == 0
    assert [vocabulary.column(n) for n in vocabulary] == [0, 1, 2]
    assert "RICK" in vocabulary
    assert len(ACTION_VOCABULARY) == 14


def test_vocabulary_refuses_what_it_cannot_mean() -> None:
    with pytest.raises(InputError, match="begins with 'background'"):
        Vocabulary(("RICK",))
    with pytest.raises(InputError, match="twice: RICK"):
        Vocabulary.of(["RICK", "RICK"])
    with pytest.raises(InputError, match=r"no label 'SAM'.*RICK"):
        Vocabulary.of(["RICK"]).column("SAM")


def test_symmetric_actions_are_actions() -> None:
    assert set(ACTIONS) >= SYMMETRIC_ACTIONS


def test_evidence_names_something() -> None:
    with pytest.raises(InputError, match="neither a person nor an action"):
        Evidence(0, EvidenceKind.MENTION, Span(0, 1), None, None, 1, "rule", 1.0)
    with pytest.raises(InputError, match=r"\[0, 1\]"):
        Evidence(0, EvidenceKind.MENTION, Span(0, 1), "RICK", None, 1, "rule", 1.5)


def test_abstention_and_background_are_not_names() -> None:
    assert Label(0, "RICK", 1.0, 1.0).is_named
    assert not Label(0, None, 1.0, 1.0).is_named
    assert not Label(0, BACKGROUND, 1.0, 1.0).is_named


@pytest.mark.parametrize("kind", [CallsheetError, InputError, StoreError, EngineError])
def test_errors_cross_process_borders_with_their_fields(kind: type[CallsheetError]) -> None:
    error = kind("tol must be positive, got -1", line=7)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is kind
    assert str(again) == str(error)
    assert again.line == 7
