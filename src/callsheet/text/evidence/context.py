"""The descriptions of a screenplay as paragraphs that know the cast and what went before.

A pronoun that finds nobody in its paragraph means somebody of the scene: who spoke or was told
of last before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from callsheet.core import Element, ElementKind
from callsheet.text.grammar import (
    MentionKind,
    Naming,
    Paragraph,
    gender_of,
    load_parser,
    split_sentences,
)
from callsheet.text.grammar.people import PRONOUNS
from callsheet.text.grammar.sentences import Sentence
from callsheet.text.readings import Cast, Screenplay

_REMEMBERED = 4
"""Persons of the scene that a pronoun may reach back to."""


def described_paragraphs(screenplay: Screenplay, cast: Cast) -> dict[int, Paragraph]:
    """Element number of each description -> its paragraph."""
    told = [e for e in screenplay.elements if e.kind is ElementKind.DESCRIPTION]
    cut = [split_sentences(element.text) for element in told]
    naming = naming_of(cast)
    flat = load_parser().parse([s for sentences in cut for s in sentences], naming.aliases)
    parsed = iter(flat)
    sentences = {e.element: [next(parsed) for _ in c] for e, c in zip(told, cut, strict=True)}
    naming = Naming(naming.persons, _genders(cast, sentences.values(), naming))
    return _in_scenes(screenplay.elements, sentences, naming, cast)


def naming_of(cast: Cast) -> Naming:
    """Alias -> person of a cast; a member's own name comes before others' aliases."""
    persons = {alias: m.person for m in reversed(cast.members) for alias in m.aliases}
    return Naming(persons | {m.person: m.person for m in cast.members})


def _in_scenes(
    elements: Sequence[Element],
    sentences: dict[int, list[Sentence]],
    naming: Naming,
    cast: Cast,
) -> dict[int, Paragraph]:
    """Walk the screenplay and remember, scene by scene, who was there last."""
    paragraphs: dict[int, Paragraph] = {}
    recent: list[str] = []
    scene = -1
    for element in elements:
        if element.scene != scene:
            recent, scene = [], element.scene
        if element.element in sentences:
            paragraph = Paragraph(sentences[element.element], naming, tuple(recent))
            paragraphs[element.element] = paragraph
            recent = _remember(recent, _named_last(paragraph))
        elif element.kind is ElementKind.DIALOGUE and element.speaker:
            speaker = cast.person_of(element.speaker) or element.speaker
            recent = _remember(recent, [speaker])
    return paragraphs


def _remember(recent: list[str], named: Sequence[str]) -> list[str]:
    """Nearest first; each person once."""
    return list(dict.fromkeys((*reversed(named), *recent)))[:_REMEMBERED]


def _named_last(paragraph: Paragraph) -> list[str]:
    """Persons in the order they are named; the last subject last, who is likeliest to go on."""
    named = [
        person
        for at, mentions in enumerate(paragraph.mentions)
        for mention in mentions
        for person in paragraph.persons(at, paragraph.sentences[at][mention.head])
    ]
    return [*named, *reversed(paragraph.subject_before(len(paragraph.sentences)))]


def _genders(cast: Cast, told: Iterable[Sequence[Sentence]], naming: Naming) -> dict[str, str]:
    """Gender of each person: by their names, else by the pronouns in sentences about them alone."""
    known = {m.person: _by_name((m.person, *m.aliases)) for m in cast.members}
    votes: dict[str, Counter[str]] = {person: Counter() for person in known}
    for sentence in (s for sentences in told for s in sentences):
        _vote(sentence, naming, votes)
    return {person: gender or _winner(votes[person]) for person, gender in known.items()}


def _by_name(names: Sequence[str]) -> str:
    found = {gender for gender in map(gender_of, names) if gender}
    return found.pop() if len(found) == 1 else ""


def _vote(sentence: Sentence, naming: Naming, votes: dict[str, Counter[str]]) -> None:
    """ "COLE rubs *his* eyes": only one person is named, so the pronoun is probably theirs."""
    mentions = naming.mentions(sentence)
    persons = {m.person for m in mentions if m.kind is not MentionKind.PRONOUN}
    if len(persons) != 1:
        return
    person = persons.pop()
    for mention in mentions:
        if mention.kind is MentionKind.PRONOUN and mention.gender and person in votes:
            votes[person][PRONOUNS[mention.person][0]] += 1


def _winner(votes: Counter[str]) -> str:
    """A clear majority's gender."""
    if not votes:
        return ""
    gender, count = votes.most_common(1)[0]
    return gender if count >= 2 and count >= 0.75 * votes.total() else ""
