"""Say in ordinary words what only screenplays say in their own, before a parser reads it.

"INSIDE THE CAR: Rick drives." loses its label, "Out steps RICK." becomes "RICK steps out.",
"RICK at the wheel." becomes "RICK is at the wheel.".
"""

from __future__ import annotations

import re

from callsheet.text.grammar.lexicon import word_list

_LABEL = re.compile(r"^([A-Z][A-Z0-9 '/#-]{2,40}):\s+(?=\S)")
"""What the camera shows, or where: "CLOSE ON:", "THE BRIDGE:"."""
_INVERTED = re.compile(
    r"^(Out|In|Up|Down|Off|Away)\s+([a-z]+s)\s+((?:[Aa]n?|[Tt]he|[A-Z])[^,.;!?]{0,60}?)(?=\s*[.,;!?]|$)"
)
_WHEEL = re.compile(
    r"((?:^|[,;]\s+)(?:[A-Z][\w'\u2019-]*\.?\s+){1,3})((?:at|behind) the wheel\b)(?! of\b)"
)
_SCREENS = word_list("screens")


def rephrased(text: str) -> str:
    """Rewrite a sentence; one that needs nothing comes back as it is."""
    label = _LABEL.match(text)
    # A label may also say that what follows is only a picture: "ON TV: two men fight".
    if label and not any(word.lower() in _SCREENS for word in label[1].split()):
        text = text[label.end() :]
    text = _INVERTED.sub(lambda m: f"{m[3]} {m[2]} {m[1].lower()}", text)
    return _WHEEL.sub(r"\1is \2", text)
