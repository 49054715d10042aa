"""Who does a verb: its subjects, found through passives, conjunctions and control.

A verb without a subject of its own shares another's: "gets out *and shakes* hands", "begins
*to run*", "enters, *sitting* down". Where another person is made or asked to act, they are
the doer: "helps Kate *stand* up", "sees a man *running*".
"""

from __future__ import annotations

from callsheet.text.grammar.lexicon import word_list
from callsheet.text.grammar.sentences import Sentence, Word

_SUBJECTS = ("nsubj",)
_OBJECT_ACTS = word_list("object acts")
"""Verbs whose object does the verb below them."""

_AUX = frozenset(("be", "have", "do", "get"))
_DEEPEST = 8
_SPENT = frozenset(("turn", "time", "hour", "day", "night", "evening", "fun", "trouble", "life"))
""" "They take *turns* driving"."""


def doers(sentence: Sentence, verb: Word) -> list[Word]:
    """Heads of the phrases that name who does `verb`; empty if nobody does."""
    return _unique(_doers(sentence, verb, _DEEPEST)) or _opening(sentence, verb)


def _opening(sentence: Sentence, verb: Word) -> list[Word]:
    """ "Mona, towel on her head, comes out": a name before a comma opens the sentence."""
    opens = sentence[0].tag in ("NNP", "PRP") or sentence[0].lower in ("the", "a", "an")
    if not opens or is_passive(sentence, verb) or verb.relation in ("acl", "relcl"):
        return []
    for word in sentence.words[: verb.index]:
        if word.text in (",", "and"):
            before = sentence[word.index - 1]
            return [before] if before.is_noun or before.tag == "PRP" else []
        if word.tag not in ("DT", "JJ", "NN", "NNP", "NNS", "CD", "PRP"):
            return []
    return []


def own_subject(sentence: Sentence, verb: Word) -> list[Word]:
    """Subjects that hang on the verb itself."""
    return [
        joined
        for subject in sentence.children(verb, *_SUBJECTS)
        for joined in sentence.with_conjuncts(subject)
        if not (joined.is_verb and joined.tag != "VBG")
    ]


def is_passive(sentence: Sentence, verb: Word) -> bool:
    return bool(sentence.children(verb, "nsubjpass", "auxpass"))


def agents(sentence: Sentence, verb: Word) -> list[Word]:
    """Whom "by" names; also a name behind another phrase: "driven to church *by Silas*"."""
    own = _by(sentence, sentence.children(verb, "agent", "prep"))
    if own or not is_passive(sentence, verb):
        return own
    places = (n for p in sentence.children(verb, "prep") for n in sentence.children(p, "pobj"))
    found = _by(sentence, [p for place in places for p in sentence.children(place, "prep")])
    return [word for word in found if word.tag == "NNP"]


def _by(sentence: Sentence, prepositions: list[Word]) -> list[Word]:
    return [
        joined
        for by in prepositions
        if by.lower == "by"
        for one in sentence.children(by, "pobj")
        for joined in sentence.with_conjuncts(one)
    ]


def patients(sentence: Sentence, verb: Word) -> list[Word]:
    """Whom or what the verb is done to: the object, or the subject of a passive."""
    objects = sentence.children(verb, "dobj", "nsubjpass")
    return [joined for one in objects for joined in sentence.with_conjuncts(one)]


def _doers(sentence: Sentence, verb: Word, depth: int) -> list[Word]:
    if depth == 0:
        return []
    if is_passive(sentence, verb) or (verb.tag == "VBN" and agents(sentence, verb)):
        return agents(sentence, verb)
    if verb.shares >= 0:
        return _doers(sentence, sentence[verb.shares], depth - 1)
    subjects = own_subject(sentence, verb)
    if subjects:
        return [_antecedent(sentence, s, verb) for s in subjects]
    split = [
        c for c in sentence.children(verb, "aux")
        if c.tag in ("VBZ", "VBP", "VBD") and c.lemma not in _AUX
    ]  # fmt: skip
    if split:  # "Nora *pushes* open the door", "two cops *come* running"
        return _doers(sentence, split[0], depth - 1)
    beside = sentence[verb.index - 1] if verb.index else verb
    if beside.tag == "NNP" and beside.head == verb.index and verb.tag == "VBZ":
        return [beside]  # "Detective *Ruiz* parks", whatever the parser calls him
    leader = _leads(sentence, verb)
    if leader is not None:
        return _doers(sentence, leader, depth - 1)
    head = sentence.head(verb)
    if verb.relation == "ROOT":
        return _shared_from_below(sentence, verb, depth)
    if verb.relation in ("acl", "relcl"):
        return _of_noun(sentence, verb, head, depth)
    if verb.relation in ("xcomp", "ccomp", "advcl", "dep"):
        controlled = _controlled(sentence, head, verb)
        if controlled:
            return controlled
    if verb.relation == "pcomp":
        return _of_preposition(sentence, head, depth)
    if head.is_verb or head.tag.startswith(("AUX", "MD")):
        return _governing(sentence, verb, head, depth)
    if head.is_noun and verb.relation in ("advcl", "ccomp", "dep", "appos", "conj"):
        return _of_noun(sentence, verb, head, depth)
    return _doers(sentence, head, depth - 1) if head.relation != "ROOT" else []


def _leads(sentence: Sentence, verb: Word) -> Word | None:
    """The verb before ", standing up": a participle after a comma goes with the main clause."""
    if verb.tag != "VBG" or verb.index == 0 or sentence[verb.index - 1].text != ",":
        return None
    finite = [
        w for w in sentence.words[: verb.index]
        if w.tag in ("VBZ", "VBP", "VBD") and w.relation not in ("aux", "auxpass", "relcl")
    ]  # fmt: skip
    return finite[-1] if finite else None


def _governing(sentence: Sentence, verb: Word, head: Word, depth: int) -> list[Word]:
    """The doers of the verb above; of a passive, whoever it is done to."""
    if is_passive(sentence, head) and not is_passive(sentence, verb):
        return patients(sentence, head)
    found = _doers(sentence, head, depth - 1) if _walks_up(sentence, verb, head) else []
    return found or _shared_from_below(sentence, head, depth, before=verb)


def _walks_up(sentence: Sentence, verb: Word, head: Word) -> bool:
    """Stop where going up would come back down to `verb` through the root."""
    return head.relation != "ROOT" or bool(
        own_subject(sentence, head) or is_passive(sentence, head)
    )


def _shared_from_below(
    sentence: Sentence, verb: Word, depth: int, *, before: Word | None = None
) -> list[Word]:
    """ "Jack sits up, rubs his eyes": the parser hangs the first clause below the second."""
    limit = (before or verb).index
    clauses = [
        clause
        for clause in sentence.children(verb, "ccomp", "parataxis", "dep", "advcl", "nsubj")
        if clause.is_verb and clause.index < limit and own_subject(sentence, clause)
    ]
    if clauses:
        return _doers(sentence, clauses[-1], depth - 1)
    named = [
        name
        for name in sentence.children(verb, "npadvmod", "dep", "appos", "attr", "nmod", "meta")
        if name.is_noun and name.index < limit
    ]
    return [joined for name in named[:1] for joined in sentence.with_conjuncts(name)]


def _of_noun(sentence: Sentence, verb: Word, noun: Word, depth: int) -> list[Word]:
    """The doer of a clause on a noun: "a man running", "the sound of Kate running"."""
    if verb.tag == "VBN":
        return agents(sentence, verb)
    spent = verb.tag == "VBG" and noun.lemma in _SPENT and noun.relation == "dobj"
    if spent or (verb.tag == "VB" and noun.is_noun):  # "makes a move to kiss her"
        governor = sentence.head(noun)
        return _doers(sentence, governor, depth - 1) if governor.is_verb else []
    return sentence.with_conjuncts(noun)


def _of_preposition(sentence: Sentence, preposition: Word, depth: int) -> list[Word]:
    """The doer in "after kissing her", "with him driving": of the clause around it."""
    governor = sentence.head(preposition)
    while governor.relation in ("pobj", "prep", "dobj", "attr") and not governor.is_verb:
        governor = sentence.head(governor)
    return _doers(sentence, governor, depth - 1) if governor.is_verb else []


def _controlled(sentence: Sentence, head: Word, verb: Word) -> list[Word]:
    """The object of "helps Kate stand up", "watches him run"; none for "begins to run"."""
    if head.lemma not in _OBJECT_ACTS or (verb.relation == "advcl" and verb.tag == "VB"):
        return []
    objects = [o for o in sentence.children(head, "dobj", "dative") if o.index < verb.index]
    objects = objects or [
        o
        for p in sentence.children(head, "prep")
        if p.index < verb.index and p.lower in ("for", "to")
        for o in sentence.children(p, "pobj")
    ]
    return [joined for one in objects for joined in sentence.with_conjuncts(one)]


def _antecedent(sentence: Sentence, subject: Word, verb: Word) -> Word:
    """ "the man *who* runs": the man."""
    if subject.tag in ("WP", "WDT") and verb.relation == "relcl":
        return sentence.head(verb)
    if subject.tag in ("CD", "DT") or subject.lower in _PARTS:
        whole = [w for p in sentence.children(subject, "prep") if p.lower == "of"
                 for w in sentence.children(p, "pobj")]  # fmt: skip
        return whole[0] if whole else subject
    return subject


_PARTS = frozenset(("all", "both", "each", "one", "some", "most", "half", "several", "many"))
""" "All four *of them* leap up"."""


def _unique(words: list[Word]) -> list[Word]:
    return list({word.index: word for word in words}.values())
