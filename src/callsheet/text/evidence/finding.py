"""Evidence of a screenplay that is aligned to its film.

A *line* says that its speaker is probably on screen while the cue is shown (not if the script
says V.O. or O.S.); where only the subtitle names the speaker, it stands at the script's line
that is said before it. A *mention* says that a description names a person in its span. A
*statement* says who does which action in the part of that span that its sentence takes. The
confidence of each is that of its place in time, times that of the reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from callsheet.core import Element, ElementKind, Evidence, EvidenceKind, Span
from callsheet.text.actions import SentenceReading, load_action_model, read_paragraphs
from callsheet.text.evidence.context import described_paragraphs
from callsheet.text.grammar import MentionKind, Paragraph
from callsheet.text.grammar.lexicon import word_list
from callsheet.text.readings import Alignment, Cast, ElementSpan, LineSpeaker, Screenplay, Verdict
from callsheet.text.settings import EvidenceSettings

_UNSEEN = word_list("unseen speakers")
_PRONOUN_SURE = 0.8
"""How often a pronoun means whom we think (the rest of a mention's confidence is its place)."""


@dataclass(frozen=True, slots=True)
class _Description:
    """A description on the film's clock, read."""

    element: Element
    place: ElementSpan
    paragraph: Paragraph
    readings: Sequence[SentenceReading]


def find_evidence(
    screenplay: Screenplay,
    alignment: Alignment,
    cast: Cast,
    settings: EvidenceSettings | None = None,
) -> tuple[Evidence, ...]:
    """Find lines, mentions and statements, in order of time. A refused script gives none."""
    settings = settings or EvidenceSettings()
    if alignment.verdict is Verdict.REFUSED:
        return ()
    described = list(_described(screenplay, alignment, cast, settings))
    found = [
        *_lines(screenplay, alignment, cast, settings),
        *_mentions(described, cast, settings),
        *_statements(described, cast, settings),
    ]
    found = [e for e in found if e.confidence >= settings.least_confidence]
    found.sort(key=lambda e: (e.span.start, e.span.end, e.source_line))
    return tuple(
        Evidence(number, e.kind, e.span, e.person, e.action, e.source_line, e.rule,
                 e.confidence, e.text)
        for number, e in enumerate(found)
    )  # fmt: skip


def _lines(
    screenplay: Screenplay, alignment: Alignment, cast: Cast, settings: EvidenceSettings
) -> Iterator[Evidence]:
    """One piece for each run of lines of a cue that one person speaks."""
    people = _people(cast, extras=settings.extras)
    last: LineSpeaker | None = None
    nearest = _nearest_elements(alignment.lines)
    for line, near in zip(alignment.lines, nearest, strict=True):
        if line.speaker is None or (line.element is None and not line.named):
            continue
        same = last is not None and (last.cue, last.speaker) == (line.cue, line.speaker)
        last = line
        person = cast.person_of(line.speaker) or line.speaker
        if same or person not in people or _is_heard_only(screenplay, line):
            continue
        yield Evidence(
            0, EvidenceKind.LINE, line.span.padded(settings.pad_lines, settings.pad_lines),
            person, None, _source_line(screenplay, near),
            "speaks" if line.element is not None else "named", _sure(line.confidence), line.text,
        )  # fmt: skip


def _nearest_elements(lines: Sequence[LineSpeaker]) -> list[int | None]:
    """For each line its element; for one the script lacks, that of the line said before it,
    or, at the film's start, after it."""
    first = next((line.element for line in lines if line.element is not None), None)
    found: list[int | None] = []
    for line in lines:
        before = found[-1] if found else first
        found.append(before if line.element is None else line.element)
    return found


def _source_line(screenplay: Screenplay, element: int | None) -> int:
    return 1 if element is None else screenplay.elements[element].first_line


def _is_heard_only(screenplay: Screenplay, line: LineSpeaker) -> bool:
    if line.element is None:
        return False
    return is_unseen(_extension(screenplay, screenplay.elements[line.element]))


def _extension(screenplay: Screenplay, dialogue: Element) -> str | None:
    """What stood in brackets behind the name above a speech."""
    for element in reversed(screenplay.elements[: dialogue.element + 1]):
        if element.extension or element.kind is ElementKind.CHARACTER:
            return element.extension
        if element.kind not in (ElementKind.DIALOGUE, ElementKind.PARENTHETICAL):
            break
    return None


def is_unseen(extension: str | None) -> bool:
    """Whether "(V.O.)", "(O.S.)", "(FILTERED)" says that the speaker is not in the picture."""
    words = re.split(r"[\s,;]+", (extension or "").upper())
    return any(word.rstrip(".") in _UNSEEN for word in words)


def _described(
    screenplay: Screenplay, alignment: Alignment, cast: Cast, settings: EvidenceSettings
) -> Iterator[_Description]:
    places = {
        place.element: place
        for place in alignment.spans
        if place.span.duration <= settings.longest_description
    }
    paragraphs = described_paragraphs(screenplay, cast)
    wanted = [e for e in paragraphs if e in places]
    model = load_action_model(settings.action_model)
    readings = read_paragraphs(
        [paragraphs[e] for e in wanted], model, threshold=settings.least_score
    )
    for element, found in zip(wanted, readings, strict=True):
        yield _Description(
            screenplay.elements[element], places[element], paragraphs[element], found
        )


def _mentions(
    described: Iterable[_Description], cast: Cast, settings: EvidenceSettings
) -> Iterator[Evidence]:
    """One piece for each person a description names, at the first sentence that does."""
    people = _people(cast, extras=settings.extras)
    for one in described:
        for person, (at, kind) in _first_named(one.paragraph).items():
            if person not in people:
                continue
            sure = _PRONOUN_SURE if kind is MentionKind.PRONOUN else 1.0
            yield Evidence(
                0, EvidenceKind.MENTION,
                one.place.span.padded(settings.pad_mentions, settings.pad_mentions),
                person, None, _line_of(one, at), kind.value,
                _sure(one.place.confidence * sure), one.paragraph.sentences[at].text,
            )  # fmt: skip


def _first_named(paragraph: Paragraph) -> dict[str, tuple[int, MentionKind]]:
    """Person -> the sentence and the kind of word that names them first; names before pronouns."""
    found: dict[str, tuple[int, MentionKind]] = {}
    for at, mentions in enumerate(paragraph.mentions):
        for mention in mentions:
            word = paragraph.sentences[at][mention.head]
            for person in paragraph.persons(at, word):
                known = found.get(person)
                better = known is not None and known[1] is MentionKind.PRONOUN
                if known is None or (better and mention.kind is not MentionKind.PRONOUN):
                    found[person] = (at, mention.kind)
    return found


def _statements(
    described: Iterable[_Description], cast: Cast, settings: EvidenceSettings
) -> Iterator[Evidence]:
    """One piece for each action and person stated; one without a person where none is known."""
    people = _people(cast, extras=True)
    for one in described:
        for at, reading in enumerate(one.readings):
            span = _span_of(one, at, slack=settings.sentence_slack)
            span = span.padded(settings.pad_statements, settings.pad_statements)
            for statement in reading.statements:
                known: list[str | None] = [p for p in statement.people if p in people]
                for person in known or [None]:
                    yield Evidence(
                        0, EvidenceKind.STATEMENT, span, person, statement.action,
                        _line_of(one, at), statement.rule,
                        _sure(one.place.confidence * statement.score), reading.sentence.text,
                    )  # fmt: skip


def _people(cast: Cast, *, extras: bool) -> frozenset[str]:
    return frozenset(m.person for m in cast.members if extras or not m.background)


def _line_of(one: _Description, at: int) -> int:
    """The source line on which a sentence begins."""
    begins, _ = _share_of(one, at)
    lines = one.element.last_line - one.element.first_line + 1
    return one.element.first_line + min(lines - 1, int(begins * lines))


def _span_of(one: _Description, at: int, *, slack: float) -> Span:
    """A sentence's part of its description's span, widened by `slack` of it, never beyond it."""
    begins, ends = _share_of(one, at)
    whole = one.place.span
    start = whole.start + whole.duration * max(0.0, begins - slack)
    return Span(start, max(start, whole.start + whole.duration * min(1.0, ends + slack)))


def _share_of(one: _Description, at: int) -> tuple[float, float]:
    """Where a sentence begins and ends in its description, as shares of the characters."""
    lengths = [len(sentence.text) for sentence in one.paragraph.sentences]
    total = max(1, sum(lengths))
    return sum(lengths[:at]) / total, sum(lengths[: at + 1]) / total


def _sure(confidence: float) -> float:
    return min(1.0, max(0.0, float(confidence)))
