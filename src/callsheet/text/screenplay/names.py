"""Character cues: "RICK BLAINE (V.O.) (CONT'D)" to the bare name and its extensions."""

from __future__ import annotations

import re

_BRACKETS = re.compile(r"[(\[]([^()\[\]]*)[)\]]?")
_TAIL = re.compile(
    r"\s+(V\.?\s?O\.?|O\.?\s?S\.?|O\.?\s?C\.?|CONT(?:['\u2019.]?D|INUING|INUED)\.?)$"
)
_EDGES = " \t:;,.*^-\u2013\u2014_#@"


def parse_name(text: str) -> tuple[str, str | None]:
    """Split a cue into name and extension; several extensions are joined by ", "."""
    extensions = [found.strip() for found in _BRACKETS.findall(text) if found.strip()]
    name = _BRACKETS.sub(" ", text).replace("(", " ").replace(")", " ")
    name = " ".join(name.split()).strip(_EDGES)
    while tail := _TAIL.search(name.upper()):
        extensions.insert(0, name[tail.start(1) :])
        name = name[: tail.start()].strip(_EDGES)
    return _undotted(name), ", ".join(extensions) or None


def _undotted(name: str) -> str:
    """Mend the spaces that OCR puts before dots: "MR . HOWARD"."""
    return re.sub(r"\s+([.,'\u2019])", r"\1", name)
