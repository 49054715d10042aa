"""Tagged lines to a screenplay: elements, script scenes, speakers.

An element is a run of neighbouring lines of one kind, so its range of lines never holds a
line of another kind. A speech that a page break tears apart becomes two dialogue elements
of one speaker.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from callsheet.core import Element, ElementKind, ScriptScene
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.headings import parse_heading
from callsheet.text.screenplay.lines import TaggedLine
from callsheet.text.screenplay.names import parse_name

_SPOKEN = (ElementKind.DIALOGUE, ElementKind.PARENTHETICAL)
_ALONE = (ElementKind.CHARACTER, ElementKind.TRANSITION, ElementKind.OTHER)
"""Kinds whose every line is an element of its own."""


def assemble(tagged: Iterable[TaggedLine], *, warnings: Sequence[str] = ()) -> Screenplay:
    """Join lines into elements and give each its scene and speaker."""
    elements: list[Element] = []
    speaker: str | None = None
    scene = -1
    for run in _runs(tagged):
        kind = run[0].kind
        text = " ".join(line.text for line in run)
        extension = None
        if kind is ElementKind.HEADING:
            scene, speaker = scene + 1, None
        elif kind is ElementKind.CHARACTER:
            speaker, extension = parse_name(text)
        elif kind in (ElementKind.DESCRIPTION, ElementKind.TRANSITION):
            speaker = None
        elements.append(
            Element(
                element=len(elements),
                kind=kind,
                text=" ".join(text.split()),
                first_line=run[0].number,
                last_line=run[-1].last_number,
                scene=scene,
                speaker=(speaker or None)
                if kind in _SPOKEN or kind is ElementKind.CHARACTER
                else None,
                extension=extension,
            )
        )
    return Screenplay(tuple(elements), _scenes(elements), tuple(warnings))


def _runs(tagged: Iterable[TaggedLine]) -> Iterable[list[TaggedLine]]:
    run: list[TaggedLine] = []
    for line in tagged:
        if run and (line.kind is not run[-1].kind or line.opens or line.kind in _ALONE):
            yield run
            run = []
        run.append(line)
    if run:
        yield run


def _scenes(elements: Sequence[Element]) -> tuple[ScriptScene, ...]:
    heads = [e for e in elements if e.kind is ElementKind.HEADING]
    lasts = {e.scene: e.last_line for e in elements}
    return tuple(_scene(head, last_line=lasts[head.scene]) for head in heads)


def _scene(head: Element, *, last_line: int) -> ScriptScene:
    heading = parse_heading(head.text)
    return ScriptScene(
        scene=head.scene,
        heading=heading.text,
        place=heading.place,
        time_of_day=heading.time_of_day,
        interior=heading.interior,
        first_line=head.first_line,
        last_line=last_line,
    )
