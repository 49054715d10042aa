"""What the script wing reads: screenplay elements, script scenes, subtitle cues."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from callsheet.core.span import Span


class ElementKind(StrEnum):
    HEADING = "heading"
    DESCRIPTION = "description"
    CHARACTER = "character"
    DIALOGUE = "dialogue"
    PARENTHETICAL = "parenthetical"
    TRANSITION = "transition"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Element:
    """One piece of a screenplay; lines count from 1 in the source file.

    `speaker` is the bare name for character, dialogue and parenthetical elements
    ("RICK" for "RICK (V.O.)"), `extension` what stood in brackets ("V.O.").
    `scene` counts script scenes from 0; -1 before the first heading.
    """

    element: int
    kind: ElementKind
    text: str
    first_line: int
    last_line: int
    scene: int
    speaker: str | None = None
    extension: str | None = None


@dataclass(frozen=True, slots=True)
class ScriptScene:
    """A heading and what follows it. `interior` is None where the heading does not say."""

    scene: int
    heading: str
    place: str
    time_of_day: str
    interior: bool | None
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class Cue:
    """One subtitle, or one speaker's part of it. `text` keeps the subtitle's line ends.
    `sound`: a noise or music mark, not speech.
    """

    cue: int
    span: Span
    text: str
    speaker: str | None = None
    sound: bool = False
