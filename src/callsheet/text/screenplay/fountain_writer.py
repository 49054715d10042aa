"""Write a screenplay as Fountain, such that reading it again gives the same elements.

Every element is written in its natural form where that would be read back as the same, and
forced (`.`, `!`, `@`, `>`) or escaped where not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path

from callsheet.core import Element, ElementKind
from callsheet.store import write_text
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.fountain import ANY_KEY, TITLE_KEY, clean, kind_alone

_SPECIAL = re.compile(r"([\\*_\[\]])")
_SPEECH = (ElementKind.DIALOGUE, ElementKind.PARENTHETICAL)
_MARKERS = {
    ElementKind.HEADING: ".",
    ElementKind.DESCRIPTION: "!",
    ElementKind.CHARACTER: "@",
    ElementKind.TRANSITION: "> ",
}
_HELD_OPEN = "  "
"""Two spaces: an empty line that belongs to the speech around it."""


def save_fountain(script: Screenplay, path: Path) -> None:
    """Write a Fountain file."""
    write_text(path, write_fountain(script))


def write_fountain(script: Screenplay) -> str:
    """The screenplay in Fountain."""
    title = _title_lines(script.elements)
    body = script.elements[len(title) :]
    written, speaking = [*title], False
    for i, element in enumerate(body):
        follows = _speech_follows(body, i + 1)
        if element.kind in _SPEECH and not speaking:
            written += ["", f"@{_escaped(element.speaker or 'SOMEBODY')}"]
            speaking = True
        within = speaking and (element.kind in _SPEECH or (_is_note(element) and follows))
        written += _lines(element, within=within, first=not written)
        speaking = within or element.kind is ElementKind.CHARACTER
        if element.kind is ElementKind.CHARACTER and not follows:
            written.append(_HELD_OPEN)
    return "\n".join(written).lstrip("\n") + "\n"


def _title_lines(elements: Sequence[Element]) -> list[str]:
    if not elements or not _is_note(elements[0]) or not TITLE_KEY.match(elements[0].text):
        return []
    keyed = takewhile(lambda e: _is_note(e) and ANY_KEY.match(e.text) is not None, elements)
    return [_escaped(element.text) for element in keyed]


def _is_note(element: Element) -> bool:
    return element.kind is ElementKind.OTHER


def _speech_follows(elements: Sequence[Element], start: int) -> bool:
    """Whether the next element that is no note continues a speech."""
    for element in elements[start:]:
        if not _is_note(element):
            return element.kind in _SPEECH
    return False


def _lines(element: Element, *, within: bool, first: bool) -> list[str]:
    """The element's line, after a blank one unless it stands `within` a speech."""
    text = _escaped(element.text)
    if within:
        return [f"[[ {text} ]]" if _is_note(element) else _spoken(element.kind, text)]
    if _is_note(element):
        raw = text.startswith(("#", "=")) and clean(text) == element.text
        return ["", text if raw else f"[[ {text} ]]"]
    natural = not (first and TITLE_KEY.match(text)) and _reads_back(element, text)
    return ["", text if natural else _forced(element.kind, text)]


def _reads_back(element: Element, text: str) -> bool:
    kind, bare = kind_alone(text, followed=element.kind is ElementKind.CHARACTER)
    return kind is element.kind and clean(bare) == element.text


def _forced(kind: ElementKind, text: str) -> str:
    if kind is ElementKind.HEADING:
        text = text.lstrip(". ") or "SCENE"
    if kind is ElementKind.TRANSITION and text.endswith("<"):
        text = text[:-1] + "\\<"
    return _MARKERS[kind] + text


def _spoken(kind: ElementKind, text: str) -> str:
    if kind is ElementKind.PARENTHETICAL:
        return text if text.startswith("(") and text.endswith(")") else f"({text})"
    return "\\" + text if text.startswith(("(", "~")) else text


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
