"""When everything that is not dialogue happens, and every script scene.

Headings and descriptions stand in the gap between the dialogue before and the dialogue after
them; each gets the part of the gap that its place among the others there suggests, widened a
little, never beyond the gap. Where the film jumps (a moved scene) there are two gaps, each up
to the next thing said. What was cut from the film, together with its dialogue, has no span.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from callsheet.core import Element, ElementKind, Span
from callsheet.text.alignment.timeline import Timeline
from callsheet.text.readings import ElementSpan, Screenplay

_SECONDS_A_WORD = 0.4
"""What a description lasts where nothing bounds it: read aloud, a page takes a minute."""
_HALF_SURE = 60.0
"""A gap this long, in seconds, makes a description half as sure as its neighbours."""
_JUMP_SURE = 0.5
"""And one whose other neighbour is elsewhere in the film is as much less sure."""
_CUT_WORDS = 15
"""With this many words of dialogue between two things said, a part was cut..."""
_REWRITTEN_SHARE = 0.34
"""...unless this share of as many other words is said there: then it was rewritten."""

_PLACED = (
    ElementKind.HEADING,
    ElementKind.DESCRIPTION,
    ElementKind.TRANSITION,
    ElementKind.OTHER,
)


@dataclass(frozen=True, slots=True)
class _Gap:
    """Elements in a row, the free time they stand in, and how sure that is."""

    elements: Sequence[Element]
    span: Span
    confidence: float


@dataclass(frozen=True, slots=True)
class _Run:
    """Elements between two spoken ones that follow in the script (None: there is none)."""

    before: ElementSpan | None
    elements: Sequence[Element]
    after: ElementSpan | None


def element_spans(
    screenplay: Screenplay, timeline: Timeline, *, slack: float
) -> tuple[ElementSpan, ...]:
    """Place every element that was not cut; `slack` is a share of the gap."""
    elements = screenplay.elements
    placed = dict(timeline.spoken)
    for run in _runs(elements, timeline.spoken):
        standing = _left_in(run, elements, timeline)
        for gap in _gaps(run, standing, timeline):
            placed |= {s.element: s for s in _laid_out(gap, slack=slack)}
    placed |= {s.element: s for s in _attached(elements, timeline.spoken)}
    return tuple(placed[element] for element in sorted(placed))


def _runs(elements: Sequence[Element], spoken: Mapping[int, ElementSpan]) -> Iterator[_Run]:
    before: ElementSpan | None = None
    run: list[Element] = []
    for element in elements:
        if element.element in spoken:
            after = spoken[element.element]
            yield _Run(before, run, after)
            before, run = after, []
        else:
            run.append(element)
    yield _Run(before, run, None)


def _left_in(run: _Run, elements: Sequence[Element], timeline: Timeline) -> list[Element]:
    """Elements of a run to place: all, or what remains around a part that was cut."""
    placed = [element for element in run.elements if element.kind in _PLACED]
    unsaid = [element for element in run.elements if element.kind is ElementKind.DIALOGUE]
    written = sum(len(element.text.split()) for element in unsaid)
    if written < _CUT_WORDS or _was_rewritten(run, written, timeline):
        return placed
    ends = [elements[end.element].scene for end in (run.before, run.after) if end is not None]
    cut_scenes = {element.scene for element in unsaid} - set(ends)
    first, last = unsaid[0].element, unsaid[-1].element
    return [e for e in placed if not first < e.element < last and e.scene not in cut_scenes]


def _was_rewritten(run: _Run, written: int, timeline: Timeline) -> bool:
    if run.before is None or run.after is None or run.after.span.start < run.before.span.end:
        return False
    gap = Span(run.before.span.end, run.after.span.start)
    return timeline.strange_words(gap) >= _REWRITTEN_SHARE * written


def _gaps(run: _Run, standing: Sequence[Element], timeline: Timeline) -> list[_Gap]:
    """The free time for the elements left in a run: one gap, or two where the film jumps."""
    before, after = run.before, run.after
    if before is None:
        return [_gap_before(standing, after, timeline, longest=math.inf)] if after else []
    if after is None:
        return [_gap_after(standing, before, timeline)]
    if not timeline.jumps(before.span, after.span):
        span = Span(min(before.span.end, after.span.start), after.span.start)
        return [_Gap(standing, span, min(before.confidence, after.confidence))]
    turn = next((n for n, e in enumerate(standing) if e.kind is ElementKind.HEADING), len(standing))
    head, tail = standing[:turn], standing[turn:]
    return [
        _gap_after(head, before, timeline),
        _gap_before(tail, after, timeline, longest=_reading_time(tail)),
    ]


def _gap_after(elements: Sequence[Element], before: ElementSpan, timeline: Timeline) -> _Gap:
    start = before.span.end
    following = timeline.next_start(start)
    end = start + _reading_time(elements)
    end = end if following is None else min(end, following)
    return _Gap(elements, Span(start, end), before.confidence * _JUMP_SURE)


def _gap_before(
    elements: Sequence[Element], after: ElementSpan, timeline: Timeline, *, longest: float
) -> _Gap:
    end = after.span.start
    start = max(timeline.last_end(end), end - longest)
    return _Gap(elements, Span(start, end), after.confidence * _JUMP_SURE)


def _reading_time(elements: Sequence[Element]) -> float:
    return _SECONDS_A_WORD * sum(len(element.text.split()) for element in elements)


def _laid_out(gap: _Gap, *, slack: float) -> Iterator[ElementSpan]:
    """Share a gap out by words, widen every part, and keep it in the gap."""
    weights = [_weight(element) for element in gap.elements]
    total = sum(weights)
    sure = gap.confidence / (1.0 + gap.span.duration / _HALF_SURE)
    told = 0.0
    for element, weight in zip(gap.elements, weights, strict=True):
        start, end = told / total - slack, (told + weight) / total + slack
        told += weight
        yield ElementSpan(element.element, _part(gap.span, start, end), sure)


def _weight(element: Element) -> float:
    """Headings and transitions take no time of their own; descriptions what they take to read."""
    return len(element.text.split()) + 1.0 if element.kind is ElementKind.DESCRIPTION else 1.0


def _part(span: Span, start: float, end: float) -> Span:
    first = span.start + span.duration * max(0.0, start)
    return Span(first, max(first, min(span.end, span.start + span.duration * end)))


def _attached(
    elements: Sequence[Element], spoken: Mapping[int, ElementSpan]
) -> Iterator[ElementSpan]:
    """Names and parentheticals take the time of the dialogue they stand with."""
    for speech in _speeches(elements):
        said = [spoken[e.element] for e in speech if e.element in spoken]
        for element in speech:
            if said and element.kind in (ElementKind.CHARACTER, ElementKind.PARENTHETICAL):
                yield _nearest_of(element, said)


def _speeches(elements: Sequence[Element]) -> Iterator[list[Element]]:
    """Runs of a name, dialogue and parentheticals."""
    speech: list[Element] = []
    for element in elements:
        opens = element.kind is ElementKind.CHARACTER or element.kind in _PLACED
        if opens and speech:
            yield speech
            speech = []
        if element.kind not in _PLACED:
            speech.append(element)
    if speech:
        yield speech


def _nearest_of(element: Element, said: Sequence[ElementSpan]) -> ElementSpan:
    """The hull of the dialogue just before and just after an element of the same speech."""
    earlier = [s for s in said if s.element < element.element][-1:]
    later = [s for s in said if s.element > element.element][:1]
    around = earlier + later
    span = around[0].span.hull(around[-1].span)
    return ElementSpan(element.element, span, min(s.confidence for s in around))
