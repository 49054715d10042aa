"""Prop a sentence up for the parser: say "he" where a screenplay leaves the subject out.

A parser trained on newspapers takes "Dan turns and runs." for a noun phrase, and a small one
does not know that Dan is a name. Where the first parse is doubtful the sentence is parsed
again with the subject as a pronoun and with a pronoun before each verb that shares it: "*He*
turns and *he* runs." Afterwards the names are put back, the added pronouns are taken away, and
each verb that had one remembers whose subject it shares (`Word.shares`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from callsheet.text.grammar.casing import EnglishWords
from callsheet.text.grammar.lexicon import (
    is_person_noun,
    person_nouns,
    word_list,
)
from callsheet.text.grammar.mending import (
    AFTER_VERB,
    nouns_after_owners,
    participles_after_names,
    verbs_after_pronouns,
)
from callsheet.text.grammar.sentences import Sentence, Word

_PHRASE_TAGS = word_list("phrase tags")
_JOINS = frozenset(("and", "but", "then", ",", "or", ";", "-"))


@dataclass(frozen=True, slots=True)
class Scaffold:
    """Words to parse instead. `origin[i]`: first and last word that `words[i]` stands for;
    None for an added pronoun.
    """

    words: tuple[str, ...]
    origin: tuple[tuple[int, int] | None, ...]


def scaffold(sentence: Sentence, english: EnglishWords) -> Scaffold | None:
    """Return what to parse instead of `sentence`, or None if nothing is to be propped up."""
    if not len(sentence):
        return None
    start = _subject_start(sentence)
    verb = _verb_after_subject(sentence, english, start)
    pronoun = _pronoun(sentence, start, verb) if verb else ""
    plural = bool(verb) and _is_plural(sentence, start, verb)
    added = _bare_verbs(sentence, english, after=max(verb, 1), plural=plural)
    verbs = {verb, *added} if pronoun else added
    objects = _objects(sentence, english, verbs)
    if not pronoun and not added and not objects:
        return None
    words: list[str] = []
    origin: list[tuple[int, int] | None] = []
    if pronoun:
        _open(sentence, start, words, origin)
        words.append(pronoun)
        origin.append((start, verb - 1))
    for word in sentence.words[verb if pronoun else 0 :]:
        if word.index in added:
            words.append("they" if plural else "he")
            origin.append(None)
        words.append("him" if word.index in objects else word.text)
        origin.append((word.index, word.index))
    return Scaffold(tuple(words), tuple(origin))


def _subject_start(sentence: Sentence) -> int:
    """Where the subject begins: after "Suddenly", "Startled," or "In the kitchen"."""
    first = sentence[0]
    at = 0
    if first.tag in ("RB", "CC"):
        at = 1
        while at + 1 < len(sentence) and sentence[at].text == "," and sentence[at + 1].tag == "RB":
            at += 2
    elif first.tag == "IN" and first.lower in _PLACES:
        if len(sentence) > 2 and (sentence[1].lower in _AT or sentence[1].tag in ("PRP", "PRP$")):
            at = 2 if sentence[2].tag in ("NNP", "DT") else 0
        nouns = [w.index for w in sentence.words[1:7] if w.is_noun and w.text.islower()]
        at = at or next((n + 1 for n in nouns if _subject_may_follow(sentence, n + 1)), 0)
    if at and at < len(sentence) and sentence[at].text == ",":
        at += 1
    if not at and first.tag in _OPENERS:
        commas = [w.index for w in sentence.words[1:9] if w.text == ","]
        at = commas[0] + 1 if commas else 0
    return at if _subject_may_follow(sentence, at) else 0


_OPENERS = frozenset(("VBN", "VBG", "VBD", "JJ", "RB", "IN", "TO"))


def _subject_may_follow(sentence: Sentence, at: int) -> bool:
    if at >= len(sentence):
        return False
    if sentence[at].text == ",":
        return _subject_may_follow(sentence, at + 1)
    word = sentence[at]
    people = word.tag == "NNS" and is_person_noun(word.lower, word.lemma)
    return people or word.tag in ("DT", "NNP", "CD", "PRP$")


def _open(
    sentence: Sentence, start: int, words: list[str], origin: list[tuple[int, int] | None]
) -> None:
    """The words before the subject, closed by a comma."""
    for word in sentence.words[:start]:
        words.append(word.text)
        origin.append((word.index, word.index))
    if start > 1 and sentence[start - 1].text != ",":
        words.append(",")
        origin.append(None)


def restored(
    sentence: Sentence, propped: Sentence, frame: Scaffold, english: EnglishWords
) -> Sentence:
    """The words of `sentence` with the tree that the propped-up sentence got."""
    place = _places(sentence, frame)
    words = list(sentence.words)
    opening = [i for i, word in enumerate(frame.words) if word in ("He", "They", "he", "they")]
    for at, new in enumerate(propped.words):
        span = frame.origin[at]
        if span is None:
            continue
        index = place[at]
        tag, lemma = words[index].tag, words[index].lemma
        if frame.words[at] == words[index].text:
            if tag != "NNP" or words[index].text.islower():
                tag, lemma = new.tag, new.lemma
        elif not words[index].is_noun:
            tag = "NNP" if words[index].text[:1].isupper() and span[0] == span[1] else "NN"
        head = place[_kept(propped, frame, new)]
        odd = at in opening and new.relation in ("nmod", "compound", "amod")
        relation = "nsubj" if odd else new.relation  # "*He* parks" is never "a he park"
        words[index] = replace(words[index], tag=tag, lemma=lemma, relation=relation, head=head)
        if span[0] != span[1]:
            _phrase(words, span, index)
    tree = nouns_after_owners(Sentence(sentence.text, tuple(words)))
    tree = verbs_after_pronouns(participles_after_names(tree, english), english)
    return _with_shares(tree, propped, frame, place)


def _verb_after_subject(sentence: Sentence, english: EnglishWords, start: int) -> int:
    """Where the verb stands right after the subject that begins at `start`; 0 if not found."""
    for word in sentence.words[start:]:
        if word.index > start and _may_be_verb(sentence, word, english, start):
            return word.index
        if word.tag not in _PHRASE_TAGS:
            return 0
    return 0


def _may_be_verb(sentence: Sentence, word: Word, english: EnglishWords, start: int) -> bool:
    """Whether `word` can be the finite verb of the words before it."""
    before = sentence[word.index - 1]
    if not word.text.islower() or before.tag in ("DT", "PRP$", "POS", "CD", "CC", ",", "HYPH"):
        return False
    if before.tag == "JJ" and before.lower not in person_nouns():
        return False
    if is_person_noun(word.lower, word.lemma) and not word.is_verb:
        return False
    follows = sentence.words[word.index + 1 : word.index + 2]
    plural = _is_plural(sentence, start, word.index)
    surely = word.is_verb or is_person_noun(before.lower, before.lemma) or before.tag == "NNP"
    if follows and follows[0].tag not in AFTER_VERB and not surely:
        return False
    if plural and word.lower in english.verbs:
        return word.tag not in ("VBG", "VBN")
    return english.is_finite(word.lower) and (word.is_verb or word.is_noun)


_GROUPS = word_list("scaffold groups")


def _is_plural(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the words from `start` to `end` name several: "Ray and Eli", "two cops"."""
    before = sentence.words[start:end]
    joined = any(w.lower == "and" for w in before) or before[-1].lemma in _GROUPS
    return joined or before[-1].tag == "NNS" or before[-1].lower in ("people", "men", "women",
                                                                      "they", "both")  # fmt: skip


def _pronoun(sentence: Sentence, start: int, verb: int) -> str:
    """The pronoun to stand for the subject; none where it is one or has clauses of its own."""
    subject = sentence.words[start:verb]
    if any(w.tag in ("PRP", "VBN", "VBG") for w in subject) or subject[-1].tag == "POS":
        return ""
    listed = all(w.tag in ("NNP", ",", "CC") for w in subject)
    if any(w.tag == "," for w in subject) and not listed:
        return ""
    if not any(w.is_noun or is_person_noun(w.lower, w.lemma) for w in subject):
        return ""
    pronoun = "they" if _is_plural(sentence, start, verb) else "he"
    return pronoun if start else pronoun.capitalize()


def _bare_verbs(sentence: Sentence, english: EnglishWords, *, after: int, plural: bool) -> set[int]:
    """Verbs right after "and", "then" or a comma, whose subject stands before all of it."""
    found = set()
    for word in sentence.words[after + 1 :]:
        at = word.index - 1
        while at > 0 and sentence[at].tag == "RB" and sentence[at].lower != "then":
            at -= 1
        if sentence[at].lower not in _JOINS:
            continue
        if plural and word.tag == "NN" and word.lower in english.verbs:
            if word.index + 1 >= len(sentence) or sentence[word.index + 1].tag in AFTER_VERB:
                found.add(at + 1)
            continue
        if not english.is_finite(word.lower):
            continue
        if word.lower in ("is", "are", "has", "does", "was") and not word.is_verb:
            continue
        follows = sentence.words[word.index + 1 : word.index + 2]
        if word.tag == "VBZ" or (word.is_noun and (not follows or follows[0].tag in AFTER_VERB)):
            found.add(at + 1)
    return found


def _objects(sentence: Sentence, english: EnglishWords, verbs: set[int]) -> set[int]:
    """Names right after a verb, which the parser may take for a part of the same name.

    "begins to hug Bob", "The kids hug Santa".
    """
    return {
        word.index
        for word in sentence.words[1:]
        if word.tag == "NNP"
        and (word.index - 1 in verbs or _after_to(sentence, word, english))
        and not (word.index + 1 < len(sentence) and sentence[word.index + 1].tag in _NAME_GOES_ON)
    }


_NAME_GOES_ON = frozenset(("NNP", "NNPS", "POS", "CC", "NN", "NNS"))
_PLACES = frozenset(
    ("in", "at", "on", "after", "near", "inside", "outside", "behind", "across", "from", "under",
     "beside", "opposite", "between", "above", "with")
)  # fmt: skip
_AT = frozenset(("last", "once", "first"))
""" "At *last* Cora relents"."""


def _after_to(sentence: Sentence, word: Word, english: EnglishWords) -> bool:
    if word.index < 2 or sentence[word.index - 1].is_verb:
        return False
    to = sentence[word.index - 2].lower == "to"
    return to and sentence[word.index - 1].lower in english.verbs


def _places(sentence: Sentence, frame: Scaffold) -> list[int]:
    """Index in the sentence of each propped word; of a phrase, its head; -1 of added ones."""
    places = []
    for span in frame.origin:
        if span is None:
            places.append(-1)
        else:
            places.append(span[0] if span[0] == span[1] else _head_of(sentence, *span))
    return places


def _head_of(sentence: Sentence, first: int, last: int) -> int:
    """The first noun phrase's last noun: "the old *man* and his dog"."""
    head = first
    for word in sentence.words[first : last + 1]:
        if word.lower in ("and", ",", "'s", "of", "in"):
            if any(w.is_noun for w in sentence.words[first : word.index]) and word.lower != "'s":
                break
        elif (
            word.is_noun
            or is_person_noun(word.lower, word.lemma)
            or (word.text[:1].isupper() and word.tag not in ("DT", "JJ", "CD", "PRP$"))
        ):
            head = word.index
    return head


def _kept(propped: Sentence, frame: Scaffold, word: Word) -> int:
    """The governor that is not an added pronoun."""
    at = word.head
    while frame.origin[at] is None and propped[at].head != at:
        at = propped[at].head
    return at if frame.origin[at] is not None else word.index


def _phrase(words: list[Word], span: tuple[int, int], head: int) -> None:
    """Hang the words of a subject phrase below its head, joined names as conjuncts."""
    joined = False
    for index in range(span[0], span[1] + 1):
        word = words[index]
        if index == head:
            continue
        if word.lower in ("and", ","):
            joined = index > head
            relation = "cc" if word.lower == "and" else "punct"
        elif joined and word.is_noun and not _noun_next(words, index, span[1]):
            relation = "conj"
        elif word.tag in ("DT", "CD", "JJ", "PRP$", ","):
            relation = {"DT": "det", "CD": "nummod", "JJ": "amod", "PRP$": "poss"}.get(
                word.tag, "punct"
            )
        else:
            inside = span[0] <= word.head <= span[1] and word.head != index
            words[index] = word if inside else replace(word, relation="compound", head=head)
            continue
        target = _next_noun(words, index, span[1]) if joined and relation != "conj" else head
        words[index] = replace(word, relation=relation, head=target if target != index else head)


def _noun_next(words: list[Word], index: int, last: int) -> bool:
    return index < last and words[index + 1].is_noun


def _next_noun(words: list[Word], index: int, last: int) -> int:
    return next((i for i in range(index + 1, last + 1) if words[i].is_noun), index)


def _with_shares(
    tree: Sentence, propped: Sentence, frame: Scaffold, place: Sequence[int]
) -> Sentence:
    """Note for each verb with an added subject which verb before it has the real one."""
    words = list(tree.words)
    for at, new in enumerate(propped.words):
        if frame.origin[at] is not None or not new.relation.startswith("nsubj"):
            continue
        verb = place[new.head]
        if verb >= 0:
            partner = _partner(tree, verb)
            words[verb] = replace(words[verb], shares=partner)
    return Sentence(tree.text, tuple(words))


_RESULTS = frozenset(("shut", "open", "closed"))
""" "slams it *shut* and stands": nobody's verb."""


def _partner(tree: Sentence, verb: int) -> int:
    """The last finite verb before it, rather of a main clause than of "who ..." or "as ..."."""
    before = [w for w in tree.words[:verb] if w.tag in ("VBZ", "VBP", "VBD", "MD")]
    before = [w for w in before if w.relation not in ("aux", "auxpass")]
    before = [w for w in before if not (w.lower in _RESULTS and w.relation in ("ccomp", "xcomp"))]
    main = [w for w in before if w.relation not in ("relcl", "advcl", "acl", "pcomp", "csubj")]
    chosen = main or before
    return chosen[-1].index if chosen else -1
