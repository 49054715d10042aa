"""Somebody speaks under every cue: what the layout learner left undecided there.

The voice of a long speech may be that of a description. Under a name that comes back, with no
blank line between, it is speech all the same, unless it goes on from the name ("RICK / opens
the door"). Under what is left there is no speech, so it was no cue.
"""

from __future__ import annotations

from collections.abc import Sequence

from callsheet.core import ElementKind
from callsheet.text.screenplay.lines import Line
from callsheet.text.screenplay.names import name_scores

_UNDER_A_CUE = frozenset((ElementKind.DIALOGUE, ElementKind.PARENTHETICAL))
_TRUSTED = 2.0
"""Score of a name that comes back, or that says "(V.O.)"."""


def spoken_cues(lines: Sequence[Line], kinds: Sequence[ElementKind]) -> list[ElementKind]:
    """Give every cue its speech, or make it description."""
    found = list(kinds)
    names = name_scores([line.text for line in lines])
    for at, kind in enumerate(kinds):
        if kind is not ElementKind.CHARACTER or set(kinds[at + 1 : at + 2]) & _UNDER_A_CUE:
            continue
        speech = _speech(lines, kinds, at) if names[at] >= _TRUSTED else range(0)
        if not speech:
            found[at] = ElementKind.DESCRIPTION
        for under in speech:
            found[under] = ElementKind.DIALOGUE
    return found


def _speech(lines: Sequence[Line], kinds: Sequence[ElementKind], cue: int) -> range:
    """The lines right under a cue that were taken for description."""
    end = cue + 1
    while end < len(lines) and kinds[end] is ElementKind.DESCRIPTION and not lines[end].blanks:
        end += 1
    goes_on = end > cue + 1 and lines[cue + 1].text[:1].islower()
    return range(0) if goes_on else range(cue + 1, end)
