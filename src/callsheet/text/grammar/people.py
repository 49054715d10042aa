"""The people a sentence names: by a known name, a proper name, a noun for a person, a pronoun.

`Naming` knows what names are in use. With a cast it gives every alias its person ("BLAINE" ->
"RICK BLAINE"); without, people are called as they stand in the sentence: "Rick Blaine" for a
name, "waiter" (the bare noun) for "the old waiter".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from callsheet.text.grammar.lexicon import (
    TITLES,
    gender_of,
    given_names,
    is_person_noun,
    person_nouns,
    word_list,
)
from callsheet.text.grammar.sentences import Sentence, Word


class MentionKind(StrEnum):
    NAME = "name"
    NOUN = "noun"
    PRONOUN = "pronoun"


@dataclass(frozen=True, slots=True)
class Mention:
    """Words `first`..`last` (inclusive) of a sentence name `person`; `head` governs them.

    A pronoun's `person` is the pronoun itself until it is resolved.
    """

    first: int
    last: int
    head: int
    kind: MentionKind
    person: str
    gender: str = ""
    plural: bool = False


PRONOUNS: Mapping[str, tuple[str, bool]] = {
    **dict.fromkeys(("he", "him", "his", "himself"), ("m", False)),
    **dict.fromkeys(("she", "her", "hers", "herself"), ("f", False)),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves", "both"), ("", True)),
}
"""Pronoun -> gender and number."""
SUBJECT_FORM = {
    **dict.fromkeys(("him", "his", "himself"), "he"),
    **dict.fromkeys(("her", "hers", "herself"), "she"),
    **dict.fromkeys(("them", "their", "theirs", "themselves", "both"), "they"),
}

GREETINGS = frozenset(
    ["goodbye", "good-bye", "goodnight", "hello", "good-night", "farewell", "goodnight"]
)
"""What one kisses somebody, and a parser makes the head of that somebody."""

_PLACE_PREPOSITIONS = word_list("place prepositions")
_NOT_PEOPLE = word_list("not people")


@dataclass(frozen=True)
class Naming:
    """Alias -> person, and person -> gender where it is known. Empty: as the sentence says."""

    persons: Mapping[str, str] = field(default_factory=dict)
    genders: Mapping[str, str] = field(default_factory=dict)
    _pattern: re.Pattern[str] | None = field(init=False, repr=False, default=None)

    def __post_init__(self) -> None:
        folded = {_folded(alias): person for alias, person in self.persons.items() if alias.strip()}
        object.__setattr__(self, "persons", folded)
        if folded:
            longest_first = sorted(folded, key=len, reverse=True)
            aliases = "|".join(re.escape(a).replace(r"\ ", r"\s+") for a in longest_first)
            pattern = re.compile(rf"(?<!\w)(?:{aliases})(?!\w)", re.IGNORECASE)
            object.__setattr__(self, "_pattern", pattern)

    @property
    def aliases(self) -> Iterable[str]:
        return self.persons

    def mentions(self, sentence: Sentence) -> list[Mention]:
        """Everybody named, in order of the text."""
        found: list[Mention] = []
        taken: set[int] = set()
        for finder in (self._known, self._proper, self._nouns, self._pronouns):
            for mention in finder(sentence):
                places = range(mention.first, mention.last + 1)
                if taken.isdisjoint(places):
                    taken.update(places)
                    found.append(mention)
        return sorted(found, key=lambda m: m.first)

    def gender(self, person: str) -> str:
        if person in PRONOUNS:
            return PRONOUNS[person][0]
        return self.genders.get(person) or gender_of(person)

    def _known(self, sentence: Sentence) -> list[Mention]:
        if self._pattern is None:
            return []
        found = []
        for match in self._pattern.finditer(sentence.text):
            inside = [w for w in sentence if match.start() <= w.start < match.end()]
            if inside and match.group()[:1].isupper():
                person = self.persons[_folded(match.group())]
                whole = _whole_name(sentence, inside)
                found.append(self._mention(sentence, whole, MentionKind.NAME, person))
        return found

    def _proper(self, sentence: Sentence) -> list[Mention]:
        runs = _runs(sentence, _is_name_word)
        return [
            self._mention(sentence, run, MentionKind.NAME, self._called(run))
            for run in runs
            if _may_be_person(sentence, run)
        ]

    def _called(self, run: list[Word]) -> str:
        name = " ".join(w.text for w in run).replace(" .", ".").replace(" - ", "-")
        return self.persons.get(_folded(name), name)

    def _nouns(self, sentence: Sentence) -> list[Mention]:
        found = []
        for word in sentence:
            if not is_person_noun(word.lower, word.lemma):
                continue
            part = word.relation in ("compound", "amod")
            if (part and sentence.head(word).lower not in GREETINGS) or not (
                word.is_noun or word.tag == "PRP"
            ):
                continue
            phrase = _noun_phrase(sentence, word)
            called = " ".join(w.lower for w in phrase)
            person = self.persons.get(_folded(called)) or self.persons.get(_folded(word.lower))
            found.append(self._mention(sentence, phrase, MentionKind.NOUN, person or word.lower))
        return found

    def _pronouns(self, sentence: Sentence) -> list[Mention]:
        return [
            Mention(w.index, w.index, w.index, MentionKind.PRONOUN, w.lower, *PRONOUNS[w.lower])
            for w in sentence
            if w.lower in PRONOUNS
            and w.tag in ("PRP", "PRP$", "DT", "CC", "PDT")
            and not (w.lower == "both" and w.tag != "DT")
        ]

    def _mention(
        self, sentence: Sentence, words: list[Word], kind: MentionKind, person: str
    ) -> Mention:
        inside = {w.index for w in words}
        head = next((w for w in reversed(words) if w.head not in inside), words[-1])
        plural = kind is MentionKind.NOUN and (head.tag == "NNS" or head.lemma in _GROUPS)
        return Mention(
            words[0].index, words[-1].index, head.index, kind, person, self.gender(person), plural
        )


def _whole_name(sentence: Sentence, words: list[Word]) -> list[Word]:
    """A known name with the rest of the name it begins: "*Louis* Renault"."""
    whole = list(words)
    for word in sentence.words[words[-1].index + 1 :]:
        if word.tag != "NNP" or whole[-1].relation != "compound":
            break
        whole.append(word)
    return whole


_GROUPS = word_list("groups")


def _folded(name: str) -> str:
    return " ".join(name.upper().split())


def _runs(sentence: Sentence, wanted: Callable[[Word], bool]) -> list[list[Word]]:
    """Longest runs of neighbouring words that are `wanted`, cut where a name ends ("'s")."""
    runs: list[list[Word]] = []
    for word in sentence:
        if runs and _is_stop(runs[-1][-1], word):
            runs[-1].append(word)
        if not wanted(word):
            continue
        if runs and runs[-1][-1].index == word.index - 1 and _joined(sentence, runs[-1][-1], word):
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def _is_stop(title: Word, word: Word) -> bool:
    """The dot of "Lt. Vance", which the tokeniser parts from some titles."""
    return word.text == "." and title.index == word.index - 1 and f"{title.lower}." in TITLES


def _joined(sentence: Sentence, left: Word, right: Word) -> bool:
    """Whether two names side by side are one: "Rick Blaine", not "gives Rick | Ilsa's coat"."""
    if left.lower in TITLES:
        return True
    both_given = left.lower in given_names() and right.lower in given_names()
    return not both_given or left.head == right.index or right.head == left.index


def _is_name_word(word: Word) -> bool:
    if not word.text[:1].isupper() or word.lower in _NOT_PEOPLE or word.lower in PRONOUNS:
        return False
    if word.tag in ("NNP", "NNPS") or word.lower in given_names():
        return True
    return word.lower in TITLES or (word.is_noun and word.index > 0)


def _may_be_person(sentence: Sentence, run: list[Word]) -> bool:
    """Leave out "the Mercedes", "in Paris" and words that only open a sentence."""
    if any(w.lower in given_names() for w in run):
        return True
    if all(w.lower in TITLES or w.lemma in person_nouns() for w in run):
        return False  # "Doctor" alone is a noun for a person
    head = run[-1]
    before = sentence[run[0].index - 1].lower if run[0].index else ""
    if before in ("the", "a", "an") or head.relation in ("compound", "amod", "nmod"):
        return False
    if any(w.tag == "FW" for w in run):
        return False
    return not (head.relation == "pobj" and sentence.head(head).lower in _PLACE_PREPOSITIONS)


def _noun_phrase(sentence: Sentence, noun: Word) -> list[Word]:
    """The noun with the describing words right before it: "old bank teller"."""
    phrase = [noun]
    while phrase[0].index > 0:
        before = sentence[phrase[0].index - 1]
        if before.tag not in ("JJ", "NN", "VBG", "NNP") or before.relation not in (
            "compound",
            "amod",
            "nmod",
        ):
            break
        phrase.insert(0, before)
    return phrase
