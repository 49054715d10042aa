"""What an action model was made of: so that a file says whether it still is what the tables say."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass

from callsheet.text.actions.examples import Example
from callsheet.text.actions.patterns import Pattern


@dataclass(frozen=True, slots=True)
class Origin:
    """SHA-256 of the sentences and of the verb patterns, and the seed."""

    sentences: str
    patterns: str
    seed: int


def origin_of(examples: Iterable[Example], patterns: Iterable[Pattern], *, seed: int) -> Origin:
    """Fingerprint what a model is made of; the order of sentences and patterns counts."""
    return Origin(
        _sha256([[e.sentence, sorted(e.told)] for e in examples]),
        _sha256([list(pattern.as_row().values()) for pattern in patterns]),
        seed,
    )


def _sha256(rows: list[list[object]]) -> str:
    text = json.dumps(rows, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
