"""Labelled sentences: a table `sentence,action,person`, one row a sentence, action and person.

A sentence that tells no action has one row `background`. `person` may be empty or left out.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from callsheet.core import BACKGROUND
from callsheet.errors import InputError
from callsheet.text.encodings import read_text


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence and what it tells: pairs of action and person ("" where nobody is named)."""

    sentence: str
    told: frozenset[tuple[str, str]]

    @property
    def actions(self) -> frozenset[str]:
        return frozenset(action for action, _ in self.told)


def read_examples(path: Path) -> list[Example]:
    """Read a table of labelled sentences, between commas, semicolons or tabs."""
    return read_table(path)[0]


def read_table(path: Path) -> tuple[list[Example], tuple[str, ...]]:
    """The examples of a table, and warnings (of its encoding)."""
    decoded = read_text(path)
    return _from_table(decoded.text, str(path)), decoded.warnings


def shipped_examples() -> list[Example]:
    """The package's own training sentences."""
    table = files("callsheet.text.resources") / "action_training.csv"
    return _from_table(table.read_text(encoding="utf-8"), "the shipped training table")


def actions_of(examples: Iterable[Example]) -> tuple[str, ...]:
    """Actions told, in order of first sight."""
    return tuple(dict.fromkeys(a for e in examples for a in sorted(e.actions)))


def _from_table(text: str, source: str) -> list[Example]:
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    rows = csv.DictReader(io.StringIO(text), delimiter=delimiter, strict=True)
    found: dict[str, set[tuple[str, str]]] = {}
    try:
        for row in _checked(rows, source):
            told = found.setdefault(row[0], set())
            if row[1] != BACKGROUND:
                told.add((row[1], row[2]))
    except csv.Error as error:
        raise InputError(f"{source}:{rows.line_num}: not a CSV table ({error})") from error
    if not found:
        raise InputError(f"{source} holds no sentences")
    return [Example(sentence, frozenset(told)) for sentence, told in found.items()]


def _checked(rows: csv.DictReader[str], source: str) -> Iterable[tuple[str, str, str]]:
    missing = {"sentence", "action"} - set(rows.fieldnames or ())
    if missing:
        raise InputError(
            f"{source} needs the columns sentence and action (and person, if known); it lacks"
            f" {' and '.join(sorted(missing))}"
        )
    for row in rows:
        sentence, action = (row["sentence"] or "").strip(), (row["action"] or "").strip()
        if not sentence or not action:
            raise InputError(f"{source}:{rows.line_num}: a row needs a sentence and an action")
        yield sentence, action, (row.get("person") or "").strip()


def duplicates(examples: Sequence[Example], others: Iterable[Example]) -> list[str]:
    """Sentences that both hold, whatever their case, punctuation and articles."""
    known = {levelled(e.sentence) for e in others}
    return [e.sentence for e in examples if levelled(e.sentence) in known]


def levelled(sentence: str) -> str:
    """A sentence without what tells no two sentences apart: case, punctuation, articles."""
    words = re.findall(r"[^\W_]+", sentence.casefold())
    return " ".join(word for word in words if word not in ("a", "an", "the"))
