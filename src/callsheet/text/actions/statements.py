"""Both voices on whole paragraphs: which actions are stated, how surely, and who does them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from callsheet.core import SYMMETRIC_ACTIONS
from callsheet.text.actions.classifier import LEVELS, ActionModel, Vector
from callsheet.text.actions.clauses import Clause
from callsheet.text.actions.patterns import Match, PatternTable
from callsheet.text.actions.tokens import tokens_of, verb_token
from callsheet.text.grammar import Paragraph, Sentence, Word, denial, doers
from callsheet.text.grammar.people import PRONOUNS


class Voice(StrEnum):
    """Who speaks: the classifier alone (as in the paper), the patterns alone, or both."""

    WORDS = "words"
    PATTERNS = "patterns"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Statement:
    """The sentence says that `people` do `action`; `rule` says which voice made us think so.

    `pronouns` are doers that stand for nobody we know ("he").
    """

    action: str
    score: float
    people: tuple[str, ...]
    rule: str
    pronouns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """What one sentence says. `margins` and `levels` are the two voices, action by action.

    `denied`: actions whose verbs are there but not stated ("he doesn't sit").
    """

    sentence: Sentence
    matches: tuple[Match, ...]
    denied: frozenset[str]
    margins: tuple[float, ...]
    levels: tuple[str, ...]
    statements: tuple[Statement, ...] = field(default=())


def read_paragraphs(
    paragraphs: Sequence[Paragraph],
    model: ActionModel,
    *,
    threshold: float = 0.5,
    voice: Voice = Voice.BOTH,
) -> list[list[SentenceReading]]:
    """Read paragraphs sentence by sentence; statements scored below `threshold` are left out."""
    documents = [
        tokens_of(sentence, paragraph.mentions[at])
        for paragraph in paragraphs
        for at, sentence in enumerate(paragraph.sentences)
    ]
    margins = iter(model.margins(documents))
    return [
        [
            _read(paragraph, at, model, next(margins), threshold=threshold, voice=voice)
            for at in range(len(paragraph.sentences))
        ]
        for paragraph in paragraphs
    ]


def pattern_matches(
    paragraph: Paragraph, at: int, table: PatternTable
) -> tuple[list[Match], frozenset[str]]:
    """Stated matches of a sentence, and the actions whose matches are all denied or vetoed."""
    stated: list[Match] = []
    denied: set[str] = set()
    for clause in verb_clauses(paragraph, at, table):
        found = table.matches(clause)
        denied |= table.vetoed(clause)
        if found and denial(clause.sentence, clause.verb) is not None:
            denied.update(match.action for match in found)
        else:
            stated.extend(found)
    return stated, frozenset(denied - {match.action for match in stated})


def verb_clauses(paragraph: Paragraph, at: int, table: PatternTable) -> Iterable[Clause]:
    """Clauses of the verbs the table knows; without any verb, of a noun: "A long kiss."."""
    sentence = paragraph.sentences[at]
    verbless = not any(word.is_verb for word in sentence)
    for word in sentence:
        told = word.is_verb and _is_predicate(sentence, word)
        happens = verbless and word.relation == "ROOT" and word.lemma in _EVENTS
        if (told or happens) and table.knows(word.lemma):
            yield Clause(paragraph, at, word)


_EVENTS = frozenset(("kiss", "hug", "embrace", "handshake", "brawl", "fistfight"))
"""Nouns that tell an action in a sentence without a verb."""


def _is_predicate(sentence: Sentence, verb: Word) -> bool:
    """Not "a *driving* rain", "a *sit*-down dinner"."""
    beside = sentence.words[verb.index + 1 : verb.index + 2]
    return verb.relation not in ("amod", "compound", "nmod") and not (
        beside and beside[0].text == "-"
    )


def _read(
    paragraph: Paragraph, at: int, model: ActionModel, margins: Vector, *,
    threshold: float, voice: Voice,
) -> SentenceReading:  # fmt: skip
    words_only = voice is Voice.WORDS
    matches, denied = ([], frozenset[str]()) if words_only else pattern_matches(
        paragraph, at, model.patterns
    )  # fmt: skip
    levels = tuple(_level(matches, action) for action in model.actions)
    reading = SentenceReading(
        paragraph.sentences[at], tuple(matches), denied, tuple(map(float, margins)), levels
    )
    found = []
    for column, action in enumerate(model.actions):
        score = _score(model, reading.margins[column], levels[column], voice)
        if score >= threshold and action not in denied:
            found += _statement(paragraph, at, model, reading, action=action, score=score)
    return replace(reading, statements=tuple(found))


def _score(model: ActionModel, margin: float, level: str, voice: Voice) -> float:
    if voice is Voice.WORDS:
        return float(model.probabilities(np.array(margin)))
    if voice is Voice.PATTERNS:
        return LEVELS.index(level) / (len(LEVELS) - 1)
    return model.blend.probability(margin, level)


def _level(matches: Iterable[Match], action: str) -> str:
    found = [LEVELS.index(m.strength) for m in matches if m.action == action]
    return LEVELS[max(found, default=0)]


def _statement(
    paragraph: Paragraph, at: int, model: ActionModel, reading: SentenceReading, *,
    action: str, score: float,
) -> list[Statement]:  # fmt: skip
    clauses = [
        (m.clause, f"verb: {m.rule}", m.by_object) for m in reading.matches if m.action == action
    ]
    if not clauses:
        guessed = _guess(paragraph, at, model, action)
        if guessed is None or denial(guessed.sentence, guessed.verb) is not None:
            return []
        clauses = [(guessed, f"words: {guessed.verb.lemma}", False)]
    people, pronouns = _everybody(clauses, symmetric=action in SYMMETRIC_ACTIONS)
    return [Statement(action, score, people, clauses[0][1], pronouns)]


def _everybody(
    clauses: Iterable[tuple[Clause, str, bool]], *, symmetric: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and pronouns of all who do it; without "they" where they are there one by one."""
    people: dict[str, None] = {}
    pronouns: dict[str, None] = {}
    for clause, _, by_object in clauses:
        if by_object:
            named, unnamed = _names(clause, ((clause.at, w) for w in clause.objects))
        else:
            named, unnamed = people_of(clause, symmetric=symmetric)
        people |= dict.fromkeys(named)
        pronouns |= dict.fromkeys(unnamed)
    if len(people) + len(pronouns) > 2:
        pronouns.pop("they", None)
    return tuple(people), tuple(pronouns)


def _guess(paragraph: Paragraph, at: int, model: ActionModel, action: str) -> Clause | None:
    """The verb that speaks most for the action, when no pattern knows the sentence.

    None where a thing does it: "the door opens" tells no OpenDoor.
    """
    verbs = [
        w for w in paragraph.sentences[at] if w.is_verb and w.lemma not in ("be", "have", "do")
    ]
    if not verbs:
        return None
    best = max(verbs, key=lambda w: model.weight(action, verb_token(w)))
    clause = Clause(paragraph, at, best)
    told_of_things = clause.doers and not any(map(clause.is_animate, clause.doers))
    return None if told_of_things else clause


def people_of(clause: Clause, *, symmetric: bool) -> tuple[list[str], list[str]]:
    """Names of who does the clause's verb (and with whom), and pronouns left unexplained."""
    words = clause.doers
    named, unnamed = _names(clause, ((clause.at, word) for word in words))
    if not words and _has_no_subject(clause):
        before = clause.paragraph.subject_before(clause.at)
        named = [p for p in before if p not in PRONOUNS]
        unnamed = [p for p in before if p in PRONOUNS]
    if symmetric and not named and not unnamed:
        owners = [o for w in words for o in clause.sentence.children(w, "poss")]
        named, unnamed = _names(clause, ((clause.at, owner) for owner in owners))
    if symmetric and not named and not unnamed and clause.verb.relation == "advcl":
        above = clause.sentence.head(clause.verb)  # "They go at it, *fists flying*"
        words = doers(clause.sentence, above)
        named, unnamed = _names(clause, ((clause.at, word) for word in words))
    if symmetric:
        others, unknown = _names(clause, clause.partners())
        named += [name for name in others if name not in named]
        unnamed += [name for name in unknown if name not in unnamed]
    return named, unnamed


def _names(clause: Clause, words: Iterable[tuple[int, Word]]) -> tuple[list[str], list[str]]:
    """Persons that words (each with its sentence) stand for, and pronouns left unexplained."""
    named: dict[str, None] = {}
    unnamed: dict[str, None] = {}
    for at, word in words:
        persons = clause.paragraph.persons(at, word)
        if not persons and at == clause.at and clause.names_somebody(word):
            persons = (word.lower if word.tag in ("NN", "NNS") else word.text,)
        named |= dict.fromkeys(p for p in persons if p not in PRONOUNS)
        unnamed |= dict.fromkeys(p for p in persons if p in PRONOUNS)
    return list(named), list(unnamed)


def _has_no_subject(clause: Clause) -> bool:
    """ "Sits down.": nothing but the verb phrase, so it goes on about whom we were told of."""
    sentence = clause.sentence
    before = sentence.words[: clause.verb.index]
    return not any(w.relation in ("nsubj", "nsubjpass", "expl") for w in before) and (
        clause.verb.tag in ("VBZ", "VBP", "VBG", "VB", "VBD") or clause.verb.relation == "conj"
    )
