"""A verb with what stands around it: particle, objects, prepositional phrases, doers.

`Clause` answers the questions a pattern asks. It sees the paragraph, so that "it" can be the
phone that rang in the sentence before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property

from callsheet.text.actions.postures import is_held
from callsheet.text.grammar import Paragraph, Sentence, Word, doers
from callsheet.text.grammar.lexicon import resource_rows, word_list
from callsheet.text.grammar.people import GREETINGS
from callsheet.text.grammar.roles import is_passive

_SELF = frozenset(("himself", "herself", "themselves", "itself", "myself", "yourself"))
_TAKES_PARTICLE = word_list("takes particle")
_QUANTITIES = word_list("quantities")


@cache
def noun_classes() -> dict[str, frozenset[str]]:
    return {
        row["class"]: frozenset(row["nouns"].split()) for row in resource_rows("noun_classes.csv")
    }


@dataclass(frozen=True)
class Clause:
    """One verb of sentence `at` of a paragraph."""

    paragraph: Paragraph
    at: int
    verb: Word

    @property
    def sentence(self) -> Sentence:
        return self.paragraph.sentences[self.at]

    @cached_property
    def doers(self) -> list[Word]:
        return doers(self.sentence, self.verb)

    @cached_property
    def objects(self) -> list[Word]:
        """Direct objects; of a passive, what it is done to; of "a door opened by", the door."""
        sentence, verb = self.sentence, self.verb
        heads = sentence.children(verb, "dobj", "nsubjpass")
        if verb.relation == "acl" and verb.tag == "VBN":
            heads = [*heads, sentence.head(verb)]
        if not heads and is_passive(sentence, verb):
            heads = sentence.children(verb, "nsubj")
        if not heads and verb.index == 0:
            heads = sentence.children(verb, "appos")  # "Hugs the kid."
        if not heads:
            heads = [*self._after_particle(), *self._small_clause(), *self._bare_name()]
        heads = [h for h in heads if not self._is_no_object(h)]
        heads = [h for head in heads for h in self._greeted(head)]
        return [joined for head in heads for joined in sentence.with_conjuncts(head)]

    def _greeted(self, head: Word) -> list[Word]:
        """ "kisses his wife goodbye": the wife."""
        if head.lower in GREETINGS:
            return self.sentence.children(head, "compound", "poss", "nmod") or [head]
        return [head]

    def _after_particle(self) -> Iterator[Word]:
        """ "picks up the phone", where the parser takes "up" for a preposition."""
        if self.verb.lemma not in _TAKES_PARTICLE:
            return
        for word in self.sentence.children(self.verb, "prep", "advmod"):
            if word.index == self.verb.index + 1 and word.lower in ("up", "down", "open", "off"):
                yield from self.sentence.children(word, "pobj", "dobj")

    def _small_clause(self) -> Iterator[Word]:
        """ "kicks the door open": the door, which the parser makes the subject of "open"."""
        for word in self.sentence.children(self.verb, "ccomp", "xcomp", "acomp", "oprd"):
            if word.tag.startswith(("JJ", "RB", "RP", "VB")) and word.lower in _RESULTS:
                yield from self.sentence.children(word, "nsubj", "dobj")

    def _bare_name(self) -> Iterator[Word]:
        """ "wrestle Tom to the ground", where the parser takes Tom for a time or a manner."""
        for word in self.sentence.children(self.verb, "npadvmod", "advmod"):
            if word.index == self.verb.index + 1 and word.tag == "NNP":
                yield word

    def _after_comma(self, head: Word) -> bool:
        """ "slumps into a chair, his *head* in his hands": no object."""
        first = self.sentence.subtree(head)[0].index
        return first > self.verb.index and self.sentence[first - 1].text == ","

    def _is_no_object(self, head: Word) -> bool:
        return (
            self._after_comma(head) or head.lower in _WHERE or self._particle_of(head) is not None
        )

    def _particle_of(self, head: Word) -> Word | None:
        """ "bolts *down* the alley", where the parser takes "down" for the verb's particle."""
        if head.lemma not in noun_classes()["way"] or head.relation != "dobj":
            return None
        before = self.sentence[self.sentence.subtree(head)[0].index - 1]
        return before if before.relation == "prt" else None

    @cached_property
    def shared_objects(self) -> list[Word]:
        return [] if self.objects else list(self._shared_object())

    def _shared_object(self) -> Iterator[Word]:
        """ "unlocks and opens the door": one object for two verbs."""
        later = [
            w for w in self.sentence.children(self.verb, "conj")
            if w.is_verb and w.index <= self.verb.index + 3
        ]  # fmt: skip
        if later and later[0].index == self.verb.index + 2:
            yield from self.sentence.children(later[0], "dobj")

    @cached_property
    def particles(self) -> frozenset[str]:
        """Words that may go with the verb: right below or after it, or after its object."""
        sentence, verb = self.sentence, self.verb
        below = (
            w for w in sentence.children(verb)
            if not w.is_noun and (w.relation != "prep" or w.index > verb.index)
        )  # fmt: skip
        found = {w.lower for w in below if not self._after_comma(w)}
        nearby = sentence.words[verb.index + 1 : verb.index + 3]
        found |= {w.lower for w in nearby[:1]}
        if nearby and nearby[0].tag == "RB":
            found |= {w.lower for w in nearby[1:]}
        for thing in self.objects:
            after = sentence.words[thing.index + 1 : thing.index + 2]
            found |= {w.lower for w in (*sentence.children(thing), *after) if not w.is_noun}
        if verb.shares >= 0 or verb.relation == "conj" or sentence.children(verb, "conj"):
            found.add("@chained")
        if not any(c.relation not in _BARE or c.lower in found & _STILL
                   for c in sentence.children(verb)):  # fmt: skip
            found.add("@bare")
        if any(w.lemma in ("dial", "redial") for w in sentence):
            found.add("@dialling")
        if is_held(sentence, verb):
            found.add("@held")
        return frozenset(found)

    @cached_property
    def phrases(self) -> list[tuple[str, Word]]:
        """(preposition, noun) pairs below the verb, its object and its particles."""
        near = ("prt", "advmod", "acomp", "dative", "ccomp", "xcomp")
        roots = [self.verb, *self.objects, *self.sentence.children(self.verb, *near)]
        found: list[tuple[str, Word]] = []
        for root in roots:
            if root is self.verb or not root.is_verb:
                self._collect_phrases(root, "", found)
        for noun in self.sentence.children(self.verb, "dobj"):
            particle = self._particle_of(noun)
            if particle is not None:
                found.append((particle.lower, noun))
        return found

    def _collect_phrases(self, word: Word, above: str, found: list[tuple[str, Word]]) -> None:
        sentence = self.sentence
        for child in sentence.children(word, "prep", "agent", "dative", "prt", "pcomp"):
            nouns = sentence.children(child, "pobj", "npadvmod")
            if self._after_comma(word) and any(noun.lemma == "breath" for noun in nouns):
                continue  # "runs on, out of breath"
            for noun in nouns:
                for joined in sentence.with_conjuncts(noun):
                    found.append((child.lower, joined))
                    if above:
                        found.append((above, joined))
                if child.lower != "of" or noun.lemma in _QUANTITIES:
                    self._collect_phrases(noun, "", found)
            self._collect_phrases(child, child.lower, found)

    def has_object(self, atom: str) -> bool:
        if atom == "-":
            return not [o for o in self.objects if not self._is_time(o)]
        if any(self._is(word, atom) for word in self.objects):
            return True
        shared = atom.startswith("@") and atom not in ("@any", "@thing", "@self")
        return shared and any(self._is(word, atom) for word in self.shared_objects)

    def has_phrase(self, preposition: str, atom: str, *, after: bool = False) -> bool:
        """Whether such a phrase stands with the verb; `after`: and behind it."""
        return any(
            w == preposition and (atom == "*" or self._is(n, atom))
            for w, n in self.phrases
            if not after or n.index > self.verb.index
        )

    def has_subject(self, atom: str) -> bool:
        if atom.startswith("@near"):
            things_do_it = self.doers and not any(map(self.is_animate, self.doers))
            return not things_do_it and self._named_before(atom.removeprefix("@near"))
        if atom in ("@person", "@animate"):
            if not self.doers:
                return not is_passive(self.sentence, self.verb) and self.verb.tag != "VBN"
            asked = self._is_person if atom == "@person" else self.is_animate
            return any(asked(word) for word in self.doers)
        return any(self._is(word, atom) for word in self.doers) or (
            atom == "@plural" and len(self.doers) > 1
        )

    def _is(self, word: Word, atom: str) -> bool:
        if not atom.startswith("@"):
            return atom in (word.lemma, word.lower) or (
                "-" in atom and self._hyphenated(word) == atom
            )
        asked = _ATOMS.get(atom)
        if asked is not None:
            return asked(self, word)
        kind = atom[1:].removesuffix("it")
        if atom.endswith("it") and kind in noun_classes():
            return word.lower in ("it", "one") and self._named_before(kind)
        return self._in_class(word, kind)

    def _hyphenated(self, word: Word) -> str:
        """ "u-turn", which the parser takes for three words."""
        before = self.sentence.words[max(0, word.index - 2) : word.index]
        joined = len(before) == 2 and before[1].text == "-"
        return f"{before[0].lower}-{word.lemma}" if joined else ""

    def _in_class(self, word: Word, kind: str) -> bool:
        members = noun_classes().get(kind, frozenset())
        if kind == "vehicle" and word.lemma in ("side", "seat"):
            below = {w.lemma for w in self.sentence.children(word, "compound", "poss", "amod")}
            return bool(below & {"passenger", "driver", "back"})
        if members & {word.lemma, word.lower, self._hyphenated(word)}:
            below = {w.lemma for w in self.sentence.children(word, "compound", "amod")}
            return not (kind == "door" and below & noun_classes()["notdoor"])
        if word.lemma in _QUANTITIES or word.lower in _QUANTITIES:
            inner = (n for p in self.sentence.children(word, "prep") for n in
                     self.sentence.children(p, "pobj"))  # fmt: skip
            return any(self._in_class(noun, kind) for noun in inner)
        return False

    def _named_before(self, kind: str) -> bool:
        """Whether a noun of the class stands earlier in this sentence or the two before."""
        members = noun_classes()[kind] | noun_classes().get(f"{kind}hint", frozenset())
        words = [w for s in self.paragraph.sentences[max(0, self.at - 2) : self.at] for w in s]
        words += [w for w in self.sentence if w is not self.verb]
        prison = [w for w in words if w.lemma == "cell" and w.relation == "compound"]
        return any({w.lemma, w.lower} & members for w in words if w not in prison)

    def _is_person(self, word: Word) -> bool:
        if word.lower in _SELF:
            return False
        named = self.paragraph.mention_of(self.at, word) is not None
        return named or word.lower in _SOMEBODY or self._is_each_other(word)

    def _is_each_other(self, word: Word) -> bool:
        of = _EACH_OTHER.get(word.lower)
        return any(w.lower == of for w in self.sentence.children(word, "det"))

    def is_animate(self, word: Word) -> bool:
        """A person, or a noun that is not known for a thing or an animal."""
        thing = word.lemma in _THINGS or word.lower in _THINGS or word.lemma in _known_things()
        return self._is_person(word) or (word.is_noun and not thing)

    def names_somebody(self, word: Word) -> bool:
        """Whether a noun of no list, with an article or owner, may be somebody: "the reeve"."""
        marked = self.sentence.children(word, "det", "poss", "nummod")
        other = self._is_each_other(word)
        return bool(marked) and word.is_noun and self.is_animate(word) and not other

    def _is_plural(self, word: Word) -> bool:
        mention = self.paragraph.mention_of(self.at, word)
        return mention is not None and (mention.plural or word.tag == "NNS")

    def _is_their_body(self, word: Word) -> bool:
        """A part of another's body: "Tom's jaw", "him in the face"."""
        if word.lemma not in noun_classes()["body"] or self._is_own(word):
            return False
        others = self.sentence.children(word, "poss")
        return bool(others) or any(w.lower == "the" for w in self.sentence.children(word, "det"))

    def _is_own(self, word: Word) -> bool:
        owners = self.sentence.children(word, "poss")
        if not owners:
            return False
        if any(w.lower == "own" for w in self.sentence.children(word, "amod")):
            return True
        does = {name for doer in self.doers for name in self.paragraph.persons(self.at, doer)}
        lowers = {doer.lower for doer in self.doers}
        same = {"his": "he", "her": "she", "their": "they", "its": "it", "my": "i", "your": "you"}
        owner = owners[0]
        return same.get(owner.lower, "") in lowers or bool(
            does & set(self.paragraph.persons(self.at, owner))
        )

    def _is_own_hand(self, word: Word) -> bool:
        return word.lemma == "hand" and word.tag == "NNS" and self._is_own(word)

    def _is_thing(self, word: Word) -> bool:
        return not self._is_person(word)

    def _is_cargo(self, word: Word) -> bool:
        """ "runs *a garage*": a thing, but no distance."""
        return not (self._is_person(word) or self._is_time(word) or self._is_somebody(word))

    def _is_somebody(self, word: Word) -> bool:
        return word.tag in ("PRP", "NNP") or word.lower in _SELF

    def _is_idea(self, word: Word) -> bool:
        """ "embraces modern *technology*": a noun that nobody owns and no article shows."""
        return word.tag == "NN" and self._is_cargo(word) and not self.names_somebody(word)

    def _is_time(self, word: Word) -> bool:
        return word.lemma in _STRETCHES

    def partners(self) -> list[tuple[int, Word]]:
        """Who else is in it, for what two do to each other: the nearest that names somebody.

        The object ("kisses *Kate*"), whom it is given to, whose hand or lips, or with whom.
        Each with the number of its sentence.
        """
        sentence = self.sentence
        bodies = [noun for word, noun in self.phrases if word in _TOUCHING]
        groups = (
            [*self.objects, *self.shared_objects],
            sentence.children(self.verb, "dative"),
            self._owners(self.objects),
            bodies,
            self._owners(bodies),
            [w for of in bodies for w in self._within(of)],
            [w for thing in self.objects for w in self._within(thing)],
        )
        for group in groups:
            named = [w for w in group if self._is_person(w) and w not in self.doers]
            if named:
                return [(self.at, word) for word in named]
        return self._hand_meant()

    def _owners(self, things: list[Word]) -> list[Word]:
        """Whose hand, lips or arms, where they are not the doer's own."""
        others = [thing for thing in things if not self._is_own(thing)]
        return [owner for thing in others for owner in self.sentence.children(thing, "poss")]

    def _hand_meant(self) -> list[tuple[int, Word]]:
        """ "*Ellen* extends her hand and Carver shakes it": whose hand "it" is."""
        if not any(w.lower == "it" for w in self.objects):
            return []
        for at in range(self.at, max(-1, self.at - 2), -1):
            sentence = self.paragraph.sentences[at]
            hands = [w for w in sentence if w.lemma in noun_classes()["hand"]]
            for hand in hands if at < self.at else [h for h in hands if h.index < self.verb.index]:
                owners = sentence.children(hand, "poss")
                if owners:
                    return [(at, owner) for owner in owners]
                giver = sentence.head(hand)
                return [(at, w) for w in doers(sentence, giver)] if giver.is_verb else []
        return []

    def _within(self, thing: Word) -> list[Word]:
        """Whose part it is: "the top of *Vern's* head"."""
        inner = [
            noun
            for of in self.sentence.children(thing, "prep")
            for noun in self.sentence.children(of, "pobj")
        ]
        return [w for noun in inner for w in (noun, *self.sentence.children(noun, "poss"))]


_RESULTS = frozenset(("open", "ajar", "tight", "close", "shut"))
_WHERE = word_list("where")
"""Adverbs that the parser may take for objects: "they rush *offstage*"."""

_STRETCHES = word_list("stretches")
"""What is run or driven without being moved."""

_TOUCHING = word_list("touching")


_EACH_OTHER = {"one": "another", "other": "each"}
_BARE = frozenset(("nsubj", "punct", "conj", "cc", "ccomp", "parataxis", "advmod", "dep", "intj"))
_STILL = frozenset(["there", "here", "still", "alone", "motionless"])
_THINGS = word_list("things") | word_list("uncounted")


@cache
def _known_things() -> frozenset[str]:
    """Nouns of the classes, none of which does an action."""
    return frozenset(noun for nouns in noun_classes().values() for noun in nouns)


_SOMEBODY = word_list("somebody")
_ATOMS = {
    "@any": lambda clause, word: True,
    "@thing": Clause._is_thing,
    "@person": Clause._is_person,
    "@plural": Clause._is_plural,
    "@self": lambda clause, word: word.lower in _SELF,
    "@theirbody": Clause._is_their_body,
    "@ownhand": Clause._is_own_hand,
    "@cargo": Clause._is_cargo,
    "@idea": Clause._is_idea,
    "@somebody": Clause.names_somebody,
}
