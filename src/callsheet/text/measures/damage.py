"""Take parts of a transcript away, as other drafts do: whole utterances, sentences, words."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace

from callsheet.core import Element, ElementKind
from callsheet.text.readings import Screenplay

_SENTENCE_END = re.compile(r"(?<=[.?!,]) ")


@dataclass(frozen=True, slots=True)
class Damage:
    """Shares of the utterances and sentences taken out, and of the words replaced."""

    utterances: float = 0.0
    sentences: float = 0.0
    words: float = 0.0


def damaged(screenplay: Screenplay, damage: Damage, rng: random.Random) -> Screenplay:
    """A draft of a transcript that differs from it by so much."""
    elements = screenplay.elements
    pool = [w for e in elements if e.kind is ElementKind.DIALOGUE for w in e.text.split()]
    lost = {e.element for e in elements
            if e.kind is ElementKind.DIALOGUE and rng.random() < damage.utterances}  # fmt: skip
    changed = [
        _rewritten(element, damage, pool, rng)
        for element in elements
        if element.element not in lost
    ]
    kept = [element for element in changed if element.text]
    return Screenplay(tuple(replace(e, element=n) for n, e in enumerate(kept)), screenplay.scenes)


def _rewritten(element: Element, damage: Damage, pool: list[str], rng: random.Random) -> Element:
    if element.kind is not ElementKind.DIALOGUE:
        return element
    sentences = [s for s in _SENTENCE_END.split(element.text) if rng.random() >= damage.sentences]
    words = " ".join(sentences).split()
    new = [rng.choice(pool) if rng.random() < damage.words else word for word in words]
    return replace(element, text=" ".join(new))
