"""What the parts of the script wing hand to each other: readings of files, and the alignment."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from callsheet.core import Cue, Element, ScriptScene, Span


@dataclass(frozen=True, slots=True)
class Screenplay:
    """A parsed screenplay (or transcript): `elements[i].element == i`, same for scenes."""

    elements: tuple[Element, ...]
    scenes: tuple[ScriptScene, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Subtitles:
    """Cues in order of time: `cues[i].cue == i`."""

    cues: tuple[Cue, ...]
    warnings: tuple[str, ...] = ()


class Verdict(StrEnum):
    """Whether the script is of this film."""

    GOOD = "good"
    DOUBTFUL = "doubtful"  # another draft, or much was cut: used, with a warning
    REFUSED = "refused"  # not of this film


@dataclass(frozen=True, slots=True)
class ElementSpan:
    """When an element happens on the film's clock."""

    element: int
    span: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class CueSpeaker:
    """Who speaks a cue: from which dialogue element, how surely. None: not known."""

    cue: int
    element: int | None
    speaker: str | None
    confidence: float


@dataclass(frozen=True, slots=True)
class LineSpeaker:
    """Who speaks one line of a subtitle: a cue may break into lines of different speakers.

    `span` is the cue's own. `element` is the dialogue element the words came from. `named`:
    the subtitle itself says who speaks, and the script lacks the words.
    """

    cue: int
    span: Span
    text: str
    element: int | None
    speaker: str | None
    confidence: float
    named: bool = False


@dataclass(frozen=True, slots=True)
class Alignment:
    """Element -> span. `share` is the share of script dialogue words found in the cues, `heard`
    the share of cue words found in the script. `rate` and `offset` tell drift against a
    reference clock: film seconds = rate x subtitle seconds + offset; 1 and 0 where none is
    given or it tells nothing, and then `drift_told` is false.
    Elements of parts cut from the film have no span. `lines` are in the order of the cues.
    """

    spans: tuple[ElementSpan, ...]
    speakers: tuple[CueSpeaker, ...]
    scenes: tuple[ElementSpan, ...]
    share: float
    verdict: Verdict
    warnings: tuple[str, ...] = ()
    rate: float = 1.0
    offset: float = 0.0
    heard: float = 0.0
    lines: tuple[LineSpeaker, ...] = ()
    drift_told: bool = False


@dataclass(frozen=True, slots=True)
class CastMember:
    """One character. `background`: an extra or a group."""

    person: str
    aliases: tuple[str, ...] = ()
    actor: str | None = None
    background: bool = False
    lines: int = 0
    words: int = 0
    mentions: int = 0


@dataclass(frozen=True, slots=True)
class Cast:
    """Everyone of a film, the one with most lines first."""

    members: tuple[CastMember, ...]
    warnings: tuple[str, ...] = field(default=())

    def person_of(self, name: str) -> str | None:
        """The person a name or alias means (case and spaces do not matter), or None."""
        wanted = _folded(name)
        for member in self.members:
            if wanted in (_folded(member.person), *map(_folded, member.aliases)):
                return member.person
        return None


def _folded(name: str) -> str:
    return " ".join(name.upper().replace("_", " ").split())
