"""Scene headings: "INT. RICK'S CAFE - MAIN ROOM - NIGHT" to inside/outside, place, time of day."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NUMBER = (
    r"(?:(?:(?:SCENE\s+|Scene\s+)?[A-Z]{0,2}\d{1,4}(?:[A-Z]{0,3}|[a-z])(?:-[A-Z])?[.):]?"
    r"(?:\s*[-,]\s*[A-Z]{0,2}\d{1,4}[A-Z]{0,2})?|[A-Z]\))\s+)"
)
_SIDE = (
    r"(?:INT(?:ERIOR)?|EXT(?:ERIOR)?|I\s?N\s?T|E\s?X\s?T|[TLl1]NT(?=\s?\.\s))"
    r"(?:[./\s&-]{0,4}(?:INT(?:ERIOR)?|EXT(?:ERIOR)?)\b)?|I\s?/\s?E|E\s?/\s?I|EST"
)
_HEADING = re.compile(
    rf"^[\W_]{{0,3}}(?:\d\s+)?(?P<number>{_NUMBER})?(?P<side>{_SIDE})(?P<stop>[.,:;\-/]|\s)\s*(?P<rest>.*)$"
)
_BOTH_SIDES = re.compile(
    r"^(?P<number>[A-Z]{0,2}\d{1,4}[A-Z]{0,3})[.)]?\s+\S.*[A-Z].*\s{3,}(?P=number)[.)]?$"
)
_LONGEST_SMALL = 70
_NUMBERED = re.compile(rf"^(?P<number>{_NUMBER})(?P<rest>\S.*?)\s*$")
_RIGHT_NUMBER = re.compile(r"(?:\s{2,}|\t)[A-Z]{0,2}\d{1,4}[A-Z]{0,3}\.?$|\s#[\w.\-]{1,12}#$")
_EMPHASIS = " \t*_[]"
"""Marks that web pages set around a heading."""
_PARTS = re.compile(r"\s+-+\s*|\s*-+\s+|\s*--+\s*|\s*[\u2013\u2014]+\s*")
_TIMES = (
    "DAY", "NIGHT", "MORNING", "EVENING", "AFTERNOON", "DAWN", "DUSK", "SUNSET", "SUNRISE",
    "NOON", "MIDNIGHT", "MIDDAY", "TWILIGHT", "CONTINUOUS", "CONTINUING", "LATER", "SAME",
    "MOMENTS", "MAGIC HOUR", "PRE-DAWN", "PREDAWN", "DAYBREAK", "NIGHTFALL", "SIMULTANEOUS",
)  # fmt: skip
_BARE = re.compile(
    rf"^\W{{0,3}}\w.*?(?:(?:\s-+|--+|\s*[\u2013\u2014])\s*(?:\w+\s){{0,2}}(?:{'|'.join(_TIMES)})(?:\s\w+)?"
    r"|[.,]\s+(?:DAY|NIGHT|MORNING|EVENING|AFTERNOON|DAWN|DUSK))\s*(?:\([^()]*\))?[.:]?$"
)
_TIME = re.compile(rf"\b(?:{'|'.join(_TIMES)})\b|\b\d{{1,2}}:\d\d\b|\b[AP]\.?M\b")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading taken apart; `interior` is None for INT./EXT. together and where not said."""

    text: str
    place: str
    time_of_day: str
    interior: bool | None


def is_heading(text: str) -> bool:
    """Whether a line opens with INT. or EXT. (a scene number may stand before it) and goes on
    like a heading, not like a sentence that happens to start so."""
    found = _HEADING.match(text)
    if found is None:
        return _is_small_heading(text)
    if found["stop"] in ".,:;-/":
        return bool(found["rest"].strip())
    rest = _letters(found["rest"])
    return bool(rest) and sum(c.isupper() for c in rest) >= 0.6 * len(rest)


def _is_small_heading(text: str) -> bool:
    """In small letters ("int. kitchen - night") INT must be abbreviated, or a time of day told:
    other lines may open with these words by chance."""
    found = _HEADING.match(text.upper())
    if found is None or len(text) > _LONGEST_SMALL or found["side"][:3] not in ("INT", "EXT"):
        return False
    if found["stop"] in "./:" and found["rest"].strip():
        return True
    return _PARTS.search(found["rest"]) is not None and _split_time(found["rest"].strip())[1] != ""


def is_bare_heading(text: str) -> bool:
    """Whether a line in capitals is a heading without INT or EXT: "KITCHEN - NIGHT", or one with
    its scene number in both margins."""
    if text.upper() != text or not any(c.isalpha() for c in text):
        return False
    if _BOTH_SIDES.match(text) is not None:
        return True
    return _BARE.match(_RIGHT_NUMBER.sub("", text)) is not None


def starts_like_heading(text: str) -> bool:
    """Whether INT or EXT opens the line, in any case, without asking more."""
    return _HEADING.match(text.upper()) is not None


def parse_heading(text: str) -> Heading:
    """Take a heading apart; words without INT/EXT become the place."""
    bare = " ".join(_RIGHT_NUMBER.sub("", text.strip(_EMPHASIS)).split())
    found = _HEADING.match(bare.upper())
    rest = bare[found.start("rest") :] if found else _without_number(bare)
    place, time = _split_time(rest.strip(" .-"))
    return Heading(bare, place, time, _interior(found["side"]) if found else None)


def _without_number(text: str) -> str:
    found = _NUMBERED.match(text)
    return found["rest"] if found else text


def _interior(side: str) -> bool | None:
    side = re.sub(r"^[TL1]NT", "INT", side)  # as scanners read it
    inside, outside = "I" in side.replace("EXTERIOR", "EXT"), "E" in side.replace("INTERIOR", "INT")
    return inside if inside != outside else None


def _split_time(rest: str) -> tuple[str, str]:
    parts = [part for part in _PARTS.split(rest) if part]
    for i in range(len(parts) - 1, 0, -1):
        if _TIME.search(parts[i].upper()):
            return _joined(parts[:i]), parts[i].upper().strip(" .")
    words = rest.split()
    # "INT KITCHEN        NIGHT": some scripts set the time of day apart with spaces only.
    if len(words) > 1 and words[-1].strip(".()").upper() in _TIMES:
        return " ".join(words[:-1]).rstrip(" -.,"), words[-1].strip(".()").upper()
    return _joined(parts), ""


def _joined(parts: list[str]) -> str:
    return " - ".join(part.strip() for part in parts).rstrip(" .")


def _letters(text: str) -> str:
    return "".join(c for c in text if c.isalpha())
