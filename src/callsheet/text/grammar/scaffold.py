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

from callsheet.text.grammar.casing import CLOSED, EnglishWords
from callsheet.text.grammar.lexicon import given_names, person_nouns, word_list
from callsheet.text.grammar.sentences import Sentence, Word

_PHRASE_TAGS = word_list("phrase tags")
_AFTER_VERB = word_list("after verb")
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
    verb = _verb_after_subject(sentence, english)
    pronoun = _pronoun(sentence, verb) if verb else ""
    added = _bare_verbs(sentence, english, after=max(verb, 1))
    objects = _objects(sentence, english)
    if not pronoun and not added and not objects:
        return None
    words: list[str] = []
    origin: list[tuple[int, int] | None] = []
    if pronoun:
        words.append(pronoun)
        origin.append((0, verb - 1))
    for word in sentence.words[verb if pronoun else 0 :]:
        if word.index in added:
            words.append("he")
            origin.append(None)
        words.append("him" if word.index in objects else word.text)
        origin.append((word.index, word.index))
    return Scaffold(tuple(words), tuple(origin))


def named(sentence: Sentence, english: EnglishWords) -> Sentence:
    """Tag as names the capitalised words that are given names or no English words."""
    words = tuple(
        replace(word, tag="NNP") if _is_name(sentence, word, english) else word for word in sentence
    )
    return Sentence(sentence.text, words)


_NAMELESS = word_list("nameless")
_UNCOUNTED = word_list("uncounted")
"""Singular nouns that stand without an article: "Smoke rises" names nobody."""


def _is_name(sentence: Sentence, word: Word, english: EnglishWords) -> bool:
    if not word.text[:1].isupper() or word.tag in _NAMELESS or not word.text.isalpha():
        return False
    if word.index == 0 and len(sentence) > 1:
        return _opens_as_name(word, sentence[1], english)
    if word.lower in given_names():
        return True
    joined = sentence[word.index - 1].lower == "and" or sentence[word.index - 1].is_verb
    return joined or not english.knows(word.lower)


def _opens_as_name(word: Word, after: Word, english: EnglishWords) -> bool:
    """A singular noun needs an article: "Pike elbows him" begins with a name."""
    if word.lower in CLOSED | _UNCOUNTED or word.lower in person_nouns():
        return False
    told = english.is_finite(after.lower) or after.lower == "and" or after.text == ","
    if word.lower in given_names():
        return told or word.is_noun or not english.verb_of(word.lower)
    if english.is_finite(after.lower) and after.text.islower():
        return word.tag not in ("RB", "VBG") and not word.lower.endswith(("ing", "ly"))
    return len(word.text) > 2 and not english.knows(word.lower)


def restored(
    sentence: Sentence, propped: Sentence, frame: Scaffold, english: EnglishWords
) -> Sentence:
    """The words of `sentence` with the tree that the propped-up sentence got."""
    place = _places(sentence, frame)
    words = list(sentence.words)
    for at, new in enumerate(propped.words):
        span = frame.origin[at]
        if span is None:
            continue
        index = place[at]
        tag, lemma = words[index].tag, words[index].lemma
        if frame.words[at] == words[index].text:
            if tag != "NNP":
                tag, lemma = new.tag, new.lemma
        elif not words[index].is_noun:
            tag = "NNP" if words[index].text[:1].isupper() and span[0] == span[1] else "NN"
        head = place[_kept(propped, frame, new)]
        words[index] = replace(words[index], tag=tag, lemma=lemma, relation=new.relation, head=head)
        if span[0] != span[1]:
            _phrase(words, span, index)
    tree = _verbs_after_pronouns(Sentence(sentence.text, tuple(words)), english)
    return _with_shares(tree, propped, frame, place)


def mended(sentence: Sentence, english: EnglishWords) -> Sentence:
    """Give every verb its dictionary form; make "They hug", "She kneels" verbs."""
    return _verbs_after_pronouns(sentence, english)


def _verbs_after_pronouns(sentence: Sentence, english: EnglishWords) -> Sentence:
    words = list(sentence.words)
    for word in words:
        before = words[word.index - 1] if word.index else None
        subject = before is not None and (
            before.lower in ("he", "she", "they", "we", "both") or before.relation == "nsubj"
        )
        if word.is_verb and word.lemma not in english.verbs:
            words[word.index] = replace(word, lemma=english.verb_of(word.lower) or word.lemma)
        elif subject and word.is_noun and word.text.islower():
            lemma = english.verb_of(word.lower)
            if lemma is not None:
                tag = "VBZ" if word.lower.endswith("s") else "VBP"
                words[word.index] = replace(word, tag=tag, lemma=lemma)
    return Sentence(sentence.text, tuple(words))


def _verb_after_subject(sentence: Sentence, english: EnglishWords) -> int:
    """Where the verb stands right after a subject that opens the sentence; 0 if not found."""
    for word in sentence:
        if word.index and _may_be_verb(sentence, word, english):
            return word.index
        if word.tag not in _PHRASE_TAGS:
            return 0
    return 0


def _may_be_verb(sentence: Sentence, word: Word, english: EnglishWords) -> bool:
    """Whether `word` can be the finite verb of the words before it."""
    before = sentence[word.index - 1]
    if not word.text.islower() or before.tag in ("DT", "PRP$", "POS", "CD", "CC", ",", "HYPH"):
        return False
    if before.tag == "JJ" and before.lower not in person_nouns():
        return False
    follows = sentence.words[word.index + 1 : word.index + 2]
    plural = _is_plural(sentence, word.index)
    surely = word.is_verb or before.lemma in person_nouns() or before.tag == "NNP"
    if follows and follows[0].tag not in _AFTER_VERB and not surely:
        return False
    if plural and word.lower in english.verbs:
        return word.tag not in ("VBG", "VBN")
    return english.is_finite(word.lower) and (word.is_verb or word.is_noun)


_GROUPS = word_list("scaffold groups")


def _is_plural(sentence: Sentence, end: int) -> bool:
    """Whether the words before `end` name several: "Ray and Eli", "two cops"."""
    before = sentence.words[:end]
    joined = any(w.lower == "and" for w in before) or before[-1].lemma in _GROUPS
    return joined or before[-1].tag == "NNS" or before[-1].lower in ("people", "men", "women",
                                                                      "they", "both")  # fmt: skip


def _pronoun(sentence: Sentence, verb: int) -> str:
    """The pronoun to stand for the subject; none where it is one or has clauses of its own."""
    subject = sentence.words[:verb]
    if any(w.tag in ("PRP", "VBN", "VBG") for w in subject) or subject[-1].tag == "POS":
        return ""
    if any(w.tag == "," for w in subject):
        return ""
    if not any(w.is_noun for w in subject):
        return ""
    return "They" if _is_plural(sentence, verb) else "He"


def _bare_verbs(sentence: Sentence, english: EnglishWords, *, after: int) -> set[int]:
    """Verbs right after "and", "then" or a comma, whose subject stands before all of it."""
    found = set()
    for word in sentence.words[after + 1 :]:
        at = word.index - 1
        while at > 0 and sentence[at].tag == "RB" and sentence[at].lower != "then":
            at -= 1
        if sentence[at].lower not in _JOINS or not english.is_finite(word.lower):
            continue
        if word.lower in ("is", "are", "has", "does", "was") and not word.is_verb:
            continue
        follows = sentence.words[word.index + 1 : word.index + 2]
        if word.tag == "VBZ" or (word.is_noun and (not follows or follows[0].tag in _AFTER_VERB)):
            found.add(at + 1)
    return found


def _objects(sentence: Sentence, english: EnglishWords) -> set[int]:
    """Names after "to hug", which the parser takes for a part of the name: "begins to hug Bob"."""
    return {
        word.index
        for word in sentence.words[2:]
        if word.tag == "NNP"
        and sentence[word.index - 2].lower == "to"
        and not sentence[word.index - 1].is_verb
        and sentence[word.index - 1].lower in english.verbs
        and not (word.index + 1 < len(sentence) and sentence[word.index + 1].tag in ("NNP", "POS"))
    }


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
        elif word.is_noun or word.text[:1].isupper():
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
        if word.lower == "and":
            joined = index > head
            relation = "cc"
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


def _partner(tree: Sentence, verb: int) -> int:
    """The last finite verb before it, rather of a main clause than of "who ..." or "as ..."."""
    before = [w for w in tree.words[:verb] if w.tag in ("VBZ", "VBP", "VBD", "MD")]
    before = [w for w in before if w.relation not in ("aux", "auxpass")]
    main = [w for w in before if w.relation not in ("relcl", "advcl", "acl", "pcomp", "csubj")]
    chosen = main or before
    return chosen[-1].index if chosen else -1
