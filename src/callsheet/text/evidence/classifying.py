"""Loose sentences: which actions each tells, how surely, and who does them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from callsheet.text.actions import ActionModel, Statement, load_action_model, read_paragraphs
from callsheet.text.actions.reading import paragraphs_of
from callsheet.text.grammar import Naming, load_parser


@dataclass(frozen=True, slots=True)
class SentenceActions:
    """One line of text; `actions` are those it states, the surest first."""

    sentence: str
    actions: tuple[Statement, ...]


def classify_sentences(
    sentences: Iterable[str],
    people: Mapping[str, str] | Iterable[str] | None = None,
    *,
    model: ActionModel | str | Path = "",
    threshold: float = 0.5,
) -> list[SentenceActions]:
    """Read each line by itself; a line may hold several sentences.

    `people`: names that may be met, or name -> person. Without them people are called as they
    stand in the sentence: a name in title case ("Rick Blaine"), else the noun without article
    ("waiter"). `model` is a model or the path of one; empty: the shipped one.
    """
    lines = list(sentences)
    loaded = model if isinstance(model, ActionModel) else load_action_model(model)
    names = people or {}
    naming = Naming(names if isinstance(names, Mapping) else {name: name for name in names})
    paragraphs = paragraphs_of(lines, load_parser(), naming)
    readings = read_paragraphs(paragraphs, loaded, threshold=threshold)
    return [
        SentenceActions(line, merged(s for reading in found for s in reading.statements))
        for line, found in zip(lines, readings, strict=True)
    ]


def merged(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """One statement an action, with everybody who does it, the surest first."""
    found: dict[str, Statement] = {}
    for new in statements:
        old = found.get(new.action, new)
        found[new.action] = Statement(
            new.action,
            max(old.score, new.score),
            tuple(dict.fromkeys((*old.people, *new.people))),
            old.rule if old.score >= new.score else new.rule,
            tuple(dict.fromkeys((*old.pronouns, *new.pronouns))),
        )
    return tuple(sorted(found.values(), key=lambda s: -s.score))
