"""Evidence (the script's claims on the film's clock) and the bags made of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from callsheet.core.span import Span
from callsheet.errors import InputError


class EvidenceKind(StrEnum):
    LINE = "line"  # this person speaks during the span
    MENTION = "mention"  # the script names this person in the span
    STATEMENT = "statement"  # this person (if known) does this action in the span


@dataclass(frozen=True, slots=True)
class Evidence:
    """One claim. `source_line` is the line of the screenplay it comes from, `rule` how."""

    evidence: int
    kind: EvidenceKind
    span: Span
    person: str | None
    action: str | None
    source_line: int
    rule: str
    confidence: float
    text: str = ""

    def __post_init__(self) -> None:
        if self.person is None and self.action is None:
            raise InputError(f"evidence {self.evidence} names neither a person nor an action")
        if not 0.0 <= self.confidence <= 1.0:
            raise InputError(f"confidence must lie in [0, 1], got {self.confidence}")


@dataclass(frozen=True, slots=True)
class Bag:
    """The tracks in an evidence's span, at least one of which carries its label."""

    bag: int
    evidence: int
    kind: EvidenceKind
    person: str | None
    action: str | None
    tracks: tuple[int, ...]
    confidence: float = 1.0
