"""Learn verb patterns for a user's own actions from their sentences.

A pattern is kept if its verb (with its particle, or its object) is rare outside the action's
sentences: at least `_FEWEST` sentences of the action have it, and `_PURITY` of all that do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from callsheet.text.actions.clauses import Clause
from callsheet.text.actions.examples import Example, actions_of
from callsheet.text.actions.patterns import Pattern
from callsheet.text.grammar import Paragraph
from callsheet.text.grammar.lexicon import word_list

_FEWEST = 2
_PURITY = 0.8
_EMPTY_VERBS = word_list("empty verbs")

_Shape = tuple[str, str, str]
"""Verb, particle or "", object or ""."""


def learnt_patterns(
    examples: Sequence[Example], paragraphs: Sequence[Paragraph], *, without: Set[str]
) -> list[Pattern]:
    """Patterns for the actions that have none in the shipped table (`without`)."""
    shapes = [frozenset(_shapes(paragraph)) for paragraph in paragraphs]
    anywhere = Counter(shape for found in shapes for shape in found)
    patterns = []
    for action in actions_of(examples):
        if action in without:
            continue
        inside = Counter(
            shape
            for example, found in zip(examples, shapes, strict=True)
            if action in example.actions
            for shape in found
        )
        patterns += [_pattern(action, shape) for shape in _pure(inside, anywhere)]
    return patterns


def _pure(inside: Counter[_Shape], anywhere: Counter[_Shape]) -> list[_Shape]:
    """Shapes that tell the action; the general one ("light") before its kinds."""
    kept: list[_Shape] = []
    for shape in sorted(inside, key=lambda s: (s[1] != "", s[2] != "", s)):
        verb = shape[0]
        covered = any(k == (verb, "", "") for k in kept)
        pure = inside[shape] >= _PURITY * anywhere[shape]
        if inside[shape] >= _FEWEST and pure and not covered:
            kept.append(shape)
    return kept


def _pattern(action: str, shape: _Shape) -> Pattern:
    verb, particle, thing = shape
    return Pattern.of_row(
        {
            "action": action, "verbs": verb, "particle": particle, "object": thing,
            "preposition": "", "subject": "@person", "strength": "medium",
            "doer": "",
        }
    )  # fmt: skip


def _shapes(paragraph: Paragraph) -> Iterator[_Shape]:
    for at, sentence in enumerate(paragraph.sentences):
        for word in sentence:
            if not word.is_verb:
                continue
            clause = Clause(paragraph, at, word)
            if word.lemma not in _EMPTY_VERBS:
                yield (word.lemma, "", "")
            for particle in sentence.children(word, "prt"):
                yield (word.lemma, particle.lower, "")
            for thing in clause.objects:
                if thing.is_noun and thing.lemma.isalpha():
                    yield (word.lemma, "", thing.lemma)
