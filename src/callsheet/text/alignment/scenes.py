"""When every script scene happens: where most of it is said, with what surrounds that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from callsheet.core import Element, ElementKind, Span
from callsheet.text.readings import ElementSpan, Screenplay

_ONE_SCENE = 180.0
"""Seconds between two parts of one scene, at most; what is farther was moved elsewhere."""


def scene_spans(screenplay: Screenplay, spans: Sequence[ElementSpan]) -> tuple[ElementSpan, ...]:
    """Span of every scene with a placed element; `element` is the scene's number.

    Its confidence is the share of its dialogue that was found, or that of its descriptions.
    """
    placed = {s.element: s for s in spans}
    by_scene: dict[int, list[Element]] = {}
    for element in screenplay.elements:
        if element.scene >= 0:
            by_scene.setdefault(element.scene, []).append(element)
    found = (_scene(scene, elements, placed) for scene, elements in sorted(by_scene.items()))
    return tuple(span for span in found if span is not None)


def _scene(
    scene: int, elements: Sequence[Element], placed: dict[int, ElementSpan]
) -> ElementSpan | None:
    spans = [placed[e.element] for e in elements if e.element in placed]
    if not spans:
        return None
    dialogue = [e for e in elements if e.kind is ElementKind.DIALOGUE]
    said = {e.element: len(e.text.split()) for e in dialogue if e.element in placed}
    place = max(_places(spans), key=lambda part: _weight(part, said))
    hull = Span(min(s.span.start for s in place), max(s.span.end for s in place))
    return ElementSpan(scene, hull, _confidence(dialogue, said, place))


def _places(spans: Sequence[ElementSpan]) -> Iterator[list[ElementSpan]]:
    ordered = sorted(spans, key=lambda s: (s.span.start, s.span.end))
    place, end = [ordered[0]], ordered[0].span.end
    for span in ordered[1:]:
        if span.span.start - end > _ONE_SCENE:
            yield place
            place = []
        place.append(span)
        end = max(end, span.span.end)
    yield place


def _weight(place: Sequence[ElementSpan], said: dict[int, int]) -> tuple[int, int]:
    return sum(said.get(s.element, 0) for s in place), len(place)


def _confidence(
    dialogue: Sequence[Element], said: dict[int, int], place: Sequence[ElementSpan]
) -> float:
    sure = sum(s.confidence * said.get(s.element, 0) for s in place)
    written = sum(len(e.text.split()) for e in dialogue)
    return sure / written if written else sum(s.confidence for s in place) / len(place)
