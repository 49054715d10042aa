"""Ordered label names. Column 0 is always background: none of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from callsheet.errors import InputError

BACKGROUND = "background"

ACTIONS = (
    "StandUp",
    "Eat",
    "SitDown",
    "SitUp",
    "HandShake",
    "Fight",
    "GetOutOfCar",
    "Kiss",
    "Hug",
    "AnswerPhone",
    "Run",
    "OpenDoor",
    "Drive",
)
"""The paper's 13 actions, in its order."""

SYMMETRIC_ACTIONS = frozenset({"HandShake", "Fight", "Kiss", "Hug"})
"""Actions that two people do to each other."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Label names in column order; `names[0]` is background."""

    names: tuple[str, ...]
    _columns: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not self.names or self.names[0] != BACKGROUND:
            raise InputError(f"a vocabulary begins with {BACKGROUND!r}, got {self.names[:1]}")
        columns = {name: column for column, name in enumerate(self.names)}
        if len(columns) != len(self.names):
            twice = sorted({name for name in self.names if self.names.count(name) > 1})
            raise InputError(f"labels must differ, got twice: {', '.join(twice)}")
        object.__setattr__(self, "_columns", columns)

    @classmethod
    def of(cls, labels: Iterable[str]) -> Vocabulary:
        """Put background before `labels`."""
        return cls((BACKGROUND, *labels))

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def column(self, name: str) -> int:
        try:
            return self._columns[name]
        except KeyError:
            choices = ", ".join(self.names)
            raise InputError(f"no label {name!r} in the vocabulary; it has {choices}") from None


ACTION_VOCABULARY = Vocabulary.of(ACTIONS)
