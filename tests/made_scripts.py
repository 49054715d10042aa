"""Small screenplays and subtitles made in memory, with known truth."""

from __future__ import annotations

import random
from collections.abc import Sequence

from callsheet.core import Cue, Element, ElementKind, ScriptScene, Span
from callsheet.text import Screenplay, Subtitles

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_COMMON = (
    *("you", "the", "i", "to", "a", "what", "it", "that", "no", "is", "of", "me", "in", "my"),
    *("do", "we", "on", "not", "for", "are", "have", "he", "with", "be", "was", "so", "this"),
    *("know", "all", "but", "his", "like", "out", "there", "just", "get", "can", "up", "him"),
)


def sentence(rng: random.Random, words: int) -> str:
    """Words of a made language: nearly every one is rare."""
    return " ".join("".join(rng.choices(_LETTERS, k=rng.randint(4, 9))) for _ in range(words))


def common(rng: random.Random, words: int) -> str:
    """Words everybody says."""
    return " ".join(rng.choices(_COMMON, k=words))


def script(*parts: str) -> Screenplay:
    """Parts: "# INT. BAR - DAY" a heading, "RICK: words" dialogue, "(softly)" a parenthetical,
    anything else a description."""
    elements: list[Element] = []
    scenes: list[ScriptScene] = []

    def put(kind: ElementKind, text: str, speaker: str | None = None) -> None:
        n = len(elements)
        elements.append(Element(n, kind, text, n + 1, n + 1, len(scenes) - 1, speaker))

    for part in parts:
        name, colon, words = part.partition(": ")
        if part.startswith("# "):
            scenes.append(ScriptScene(len(scenes), part[2:], part[2:], "", None, 1, 1))
            put(ElementKind.HEADING, part[2:])
        elif colon and name.isupper():
            put(ElementKind.CHARACTER, name, name)
            put(ElementKind.DIALOGUE, words, name)
        elif part.startswith("("):
            put(ElementKind.PARENTHETICAL, part)
        else:
            put(ElementKind.DESCRIPTION, part)
    return Screenplay(tuple(elements), tuple(scenes))


def subtitles(*cues: tuple[float, float, str]) -> Subtitles:
    return Subtitles(
        tuple(Cue(n, Span(start, end), text) for n, (start, end, text) in enumerate(cues))
    )


def said(texts: Sequence[str], *, start: float = 0.0, gap: float = 0.5) -> Subtitles:
    """Cues of two seconds each, one after the other."""
    return subtitles(
        *((start + n * (2 + gap), start + n * (2 + gap) + 2, t) for n, t in enumerate(texts))
    )


def dialogue(screenplay: Screenplay) -> list[Element]:
    return [e for e in screenplay.elements if e.kind is ElementKind.DIALOGUE]
