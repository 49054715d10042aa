"""Whom a word means: the names of a paragraph and the pronouns that stand for them.

A pronoun takes the nearest fitting name: gender and number must agree, subjects are preferred
to other mentions, the doer of a clause is not its object ("Lana rushes toward *him*" is not
Lana). Where the paragraph names nobody fitting, the people named just before it (`context`)
are asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from callsheet.text.grammar.people import SUBJECT_FORM, Mention, MentionKind, Naming
from callsheet.text.grammar.roles import doers
from callsheet.text.grammar.sentences import Sentence, Word

_SUBJECT_FORMS = frozenset(("he", "she", "they"))
_REFLEXIVE = frozenset(("himself", "herself", "themselves"))
_SUBJECT_RELATIONS = frozenset(("nsubj", "ROOT", "nsubjpass", "agent"))


@dataclass(frozen=True, slots=True)
class _Place:
    """A mention in its sentence of the paragraph."""

    sentence: int
    mention: Mention
    persons: tuple[str, ...]
    subject: bool


@dataclass
class Paragraph:
    """Sentences that are read together. `context`: persons named before it, nearest first."""

    sentences: Sequence[Sentence]
    naming: Naming
    context: Sequence[str] = ()
    mentions: list[list[Mention]] = field(init=False)
    _places: list[_Place] = field(init=False)
    _resolved: dict[tuple[int, int], tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.mentions = [self.naming.mentions(sentence) for sentence in self.sentences]
        self._places, self._resolved = [], {}
        for at, sentence in enumerate(self.sentences):
            for mention in self.mentions[at]:
                self._place(at, sentence, mention)

    def persons(self, at: int, word: Word) -> tuple[str, ...]:
        """Names that `word` (the head of a phrase) of sentence `at` stands for; may be none.

        A pronoun that stands for nobody we know gives itself ("he").
        """
        for mention in self.mentions[at]:
            if mention.first <= word.index <= mention.last:
                return self._resolved.get((at, mention.first), ())
        return ()

    def mention_of(self, at: int, word: Word) -> Mention | None:
        for mention in self.mentions[at]:
            if mention.first <= word.index <= mention.last:
                return mention
        return None

    def subject_before(self, at: int) -> tuple[str, ...]:
        """Whom a sentence without a subject goes on about: the subject of the last that had one.

        Persons joined by "and" count together.
        """
        subjects = [p for p in self._places if p.sentence < at and p.subject]
        if not subjects:
            return tuple(self.context[:1])
        last = [p for p in subjects if p.sentence == subjects[-1].sentence]
        first = last[0]
        sentence = self.sentences[first.sentence]
        head = sentence.first_conjunct(sentence[first.mention.head])
        joined = {w.index for w in sentence.with_conjuncts(head)}
        return _unique(n for p in last if p.mention.head in joined for n in p.persons)

    def _place(self, at: int, sentence: Sentence, mention: Mention) -> None:
        if mention.kind is MentionKind.PRONOUN:
            persons = self._resolve(at, sentence, mention) or (
                SUBJECT_FORM.get(mention.person, mention.person),
            )
        else:
            persons = self._named_beside(at, sentence, mention) or (mention.person,)
        self._resolved[(at, mention.first)] = persons
        head = sentence.first_conjunct(sentence[mention.head])
        subject = head.relation in _SUBJECT_RELATIONS
        self._places.append(_Place(at, mention, persons, subject))

    def _named_beside(self, at: int, sentence: Sentence, noun: Mention) -> tuple[str, ...]:
        """The names beside a noun that tell who it is: "Bob's wife, *Anna*", "*Anna*, his wife"."""
        if noun.kind is not MentionKind.NOUN:
            return ()
        head = sentence[noun.head]
        beside = sentence.children(head, "appos")
        if head.relation == "appos":
            beside.append(_first_of_row(sentence, head))
        heads = {w.index for one in beside for w in sentence.with_conjuncts(one)}
        names = (m for m in self.mentions[at] if m.kind is MentionKind.NAME)
        return _unique(m.person for m in names if m.head in heads)

    def _resolve(self, at: int, sentence: Sentence, pronoun: Mention) -> tuple[str, ...]:
        word = sentence[pronoun.head]
        barred = self._barred(at, sentence, word)
        if word.lower in _REFLEXIVE:
            return barred
        earlier = [p for p in self._places if p.sentence >= at - 3]
        if pronoun.plural:
            return self._several(at, earlier, barred)
        fitting = [
            p for p in earlier if self._fits(p, pronoun) and not set(p.persons) & set(barred)
        ]
        sure = [p for p in fitting if self._gender(p) and p.sentence >= at - 1]
        chosen = _nearest(sure or fitting, prefers_subject=word.lower in _SUBJECT_FORMS, at=at)
        if chosen:
            return chosen
        return self._later(at, sentence, pronoun, word) or self._from_context(pronoun, barred)

    def _barred(self, at: int, sentence: Sentence, word: Word) -> tuple[str, ...]:
        """The doers of the clause an object pronoun stands in: not whom it means."""
        if word.lower in _SUBJECT_FORMS or word.tag == "PRP$":
            return ()
        verb = next((w for w in sentence.above(word) if w.is_verb), None)
        if verb is None:
            return ()
        named = (self.persons(at, w) for w in doers(sentence, verb) if w.index < word.index)
        return _unique(name for names in named for name in names)

    def _fits(self, place: _Place, pronoun: Mention) -> bool:
        if not place.persons or place.mention.plural or len(place.persons) > 1:
            return False
        return self._gender(place) in ("", pronoun.gender)

    def _gender(self, place: _Place) -> str:
        return self.naming.gender(place.persons[0]) or place.mention.gender

    def _several(self, at: int, earlier: list[_Place], barred: Sequence[str]) -> tuple[str, ...]:
        """The two persons named last, or the group."""
        names: list[str] = []
        for place in reversed(earlier):
            if place.mention.plural and place.persons and not names:
                return place.persons
            names.extend(p for p in reversed(place.persons) if p not in (*names, *barred))
            if len(names) >= 2:
                return tuple(reversed(names[:2]))
        names.extend(p for p in self.context if p not in (*names, *barred))
        return tuple(reversed(names[:2])) if len(names) >= 2 else ()

    def _later(self, at: int, sentence: Sentence, pronoun: Mention, word: Word) -> tuple[str, ...]:
        """ "As he runs, *Jack* looks back": a pronoun in a clause before the main one."""
        verb = next((w for w in sentence.above(word) if w.is_verb), None)
        if verb is None or verb.relation not in ("advcl", "pcomp"):
            return ()
        for mention in self.mentions[at]:
            after = mention.first > word.index and mention.kind is MentionKind.NAME
            if after and self.naming.gender(mention.person) in ("", pronoun.gender):
                return (mention.person,)
        return ()

    def _from_context(self, pronoun: Mention, barred: Sequence[str]) -> tuple[str, ...]:
        for person in self.context:
            if person not in barred and self.naming.gender(person) in ("", pronoun.gender):
                return (person,)
        return ()


def _nearest(fitting: list[_Place], *, prefers_subject: bool, at: int) -> tuple[str, ...]:
    """The last subject of this or the sentence before, else the last mention."""
    if not fitting:
        return ()
    if prefers_subject:
        subjects = [p for p in fitting if p.subject and p.sentence >= at - 1]
        if subjects:
            return subjects[-1].persons
    return fitting[-1].persons


def _first_of_row(sentence: Sentence, word: Word) -> Word:
    """ "*Anna*, 12, his daughter": what a chain of appositions begins with."""
    while word.relation == "appos":
        word = sentence.head(word)
    return word


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names))
