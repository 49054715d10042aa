"""How well sentences are read: F1 of (sentence, action) and of (sentence, action, person).

Persons are compared without case and articles. A doer that only a pronoun names counts under
that pronoun ("he", "him" and "his" are one). Macro: the mean over the actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from callsheet.text.actions.examples import Example
from callsheet.text.actions.statements import Statement

Told = frozenset[tuple[str, str]]
_FORMS = {"him": "he", "his": "he", "her": "she", "hers": "she", "them": "they", "their": "they"}


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one action."""

    right: int
    found: int
    true: int

    @property
    def f1(self) -> float:
        return 2 * self.right / (self.found + self.true) if self.found + self.true else 1.0


def told_by(statements: Iterable[Statement]) -> Told:
    """Pairs of action and person; ("Run", "") where nobody is said."""
    return frozenset(
        (statement.action, person)
        for statement in statements
        for person in ((*statement.people, *statement.pronouns) or ("",))
    )


def action_scores(examples: Sequence[Example], found: Sequence[Told]) -> Mapping[str, Score]:
    """Score (sentence, action) pairs, action by action."""
    pairs = [frozenset((a, "") for a, _ in told) for told in found]
    truth = [frozenset((a, "") for a, _ in e.told) for e in examples]
    return _scores(truth, pairs)


def person_scores(examples: Sequence[Example], found: Sequence[Told]) -> Mapping[str, Score]:
    """Score (sentence, action, person) triples, action by action."""
    return _scores([_folded(e.told) for e in examples], [_folded(told) for told in found])


def macro_f1(scores: Mapping[str, Score]) -> float:
    return sum(score.f1 for score in scores.values()) / max(1, len(scores))


def _scores(truth: Sequence[Told], found: Sequence[Told]) -> Mapping[str, Score]:
    actions = sorted({action for told in (*truth, *found) for action, _ in told})
    return {action: _score(action, truth, found) for action in actions}


def _score(action: str, truth: Sequence[Told], found: Sequence[Told]) -> Score:
    true = [{p for p in told if p[0] == action} for told in truth]
    said = [{p for p in told if p[0] == action} for told in found]
    right = sum(len(t & s) for t, s in zip(true, said, strict=True))
    return Score(right, sum(map(len, said)), sum(map(len, true)))


def _folded(told: Told) -> Told:
    return frozenset((action, _fold(person)) for action, person in told)


def _fold(person: str) -> str:
    words = person.casefold().split()
    words = words[1:] if words[:1] and words[0] in ("the", "a", "an") else words
    name = " ".join(words)
    return _FORMS.get(name, name)
