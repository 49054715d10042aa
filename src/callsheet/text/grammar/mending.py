"""Mend what the tagger gets wrong in screenplays: names it does not know, verbs it calls nouns."""

from __future__ import annotations

from dataclasses import replace

from callsheet.text.grammar.casing import CLOSED, EnglishWords
from callsheet.text.grammar.lexicon import (
    given_names,
    is_person_noun,
    person_nouns,
    word_list,
)
from callsheet.text.grammar.sentences import Sentence, Word

AFTER_VERB = word_list("after verb")
_NAMELESS = word_list("nameless")
_UNCOUNTED = word_list("uncounted")
"""Singular nouns that stand without an article: "Smoke rises" names nobody."""
_TAKEN_FOR = frozenset(("NN", "NNS", "NNP", "NNPS", "UH", "JJ", "FW", "XX"))
"""Tags a verb right after its subject gets by mistake."""


def named(sentence: Sentence, english: EnglishWords) -> Sentence:
    """Tag as names the capitalised words that are given names or no English words."""
    words = [
        replace(word, tag="NNP") if _is_name(sentence, word, english) else word for word in sentence
    ]
    words = [
        replace(word, tag="NNS", lemma=word.lower.removesuffix("s"))
        if _are_people(words, word)
        else word
        for word in words
    ]
    opening = _opening_tag(sentence, english)
    if opening:
        words[0] = replace(words[0], tag=opening, lemma=words[0].lower)
    return Sentence(sentence.text, tuple(words))


def _is_people(word: Word) -> bool:
    return word.tag == "NNS" and is_person_noun(word.lower, word.lemma)


def _are_people(words: list[Word], word: Word) -> bool:
    """ "Both *guards* break into a run": no verb, for the next word is one."""
    after = words[word.index + 1 : word.index + 2]
    finite = bool(after) and after[0].tag in ("VBP", "VB") and after[0].text.islower()
    return finite and word.tag == "VBZ" and is_person_noun(word.lower, word.lemma)


_SUBJECT_TAGS = frozenset(("DT", "CD", "NNP", "PRP", "PRP$", "JJ"))


def _opening_tag(sentence: Sentence, english: EnglishWords) -> str:
    """ "Groggy, the boxer sits up", "Laughing, two friends hug", "Jealousy eats at him": no
    name, though taken for one."""
    if len(sentence) < 3 or sentence[0].tag != "NNP" or sentence[0].lower in given_names():
        return ""
    word, after = sentence[0].lower, sentence[1]
    if word in _UNCOUNTED:
        return "NN"
    if after.text != "," or sentence[2].tag not in _SUBJECT_TAGS:
        return ""
    if word.endswith("ing") and english.verb_of(word):
        return "VBG"
    return "JJ" if word in english.others and word not in english.nouns else ""


def _is_name(sentence: Sentence, word: Word, english: EnglishWords) -> bool:
    if not word.text[:1].isupper() or not word.text.replace("'", "").isalpha():
        return False
    named = word.lower in given_names() and word.tag not in ("PRP", "PRP$", "NNP")
    if word.tag in _NAMELESS and not (named and word.lower not in CLOSED):
        return _agrees_as_name(sentence, word, english)
    if word.index == 0 and len(sentence) > 1:
        return _opens_as_name(sentence, word, sentence[1], english)
    if word.lower in given_names():
        return True
    joined = sentence[word.index - 1].lower == "and" or sentence[word.index - 1].is_verb
    return joined or word.tag == "RB" or not english.knows(word.lower)


def _agrees_as_name(sentence: Sentence, word: Word, english: EnglishWords) -> bool:
    """ "Morales climbs": what looks plural takes a singular verb, so it is a name."""
    if word.tag != "NNS" or word.index or len(sentence) < 3:
        return False
    if not english.knows(word.lower) and word.lemma not in english.nouns:
        return True
    after = sentence[1]
    return after.text.islower() and english.is_finite(after.lower) and sentence[2].tag in AFTER_VERB


def _opens_as_name(sentence: Sentence, word: Word, after: Word, english: EnglishWords) -> bool:
    """A singular noun needs an article: "Pike elbows him" begins with a name."""
    if word.lower in CLOSED | _UNCOUNTED or word.lower in person_nouns():
        return False
    if word.tag == "VBN" and after.lower == "by":
        return False
    told = english.is_finite(after.lower) or after.lower == "and" or after.text == ","
    if after.text == "," and len(sentence) > 2 and sentence[2].lower == "who":
        return True
    if word.lower in given_names():
        return told or word.is_noun or not english.verb_of(word.lower)
    if english.is_finite(after.lower) and after.text.islower():
        if word.tag == "VBG" or word.lower.endswith("ing"):
            return False
        manner = word.tag == "RB" or word.lower.endswith("ly")
        return not (manner and word.lower in english.others)
    return len(word.text) > 2 and not english.knows(word.lower)


def mended(sentence: Sentence, english: EnglishWords) -> Sentence:
    """Give every verb its dictionary form; make "They hug", "She kneels", "Drives." verbs."""
    if not len(sentence):
        return sentence
    first = sentence[0]
    if not any(w.is_verb for w in sentence) and _may_open(sentence, english):
        verb = replace(first, tag="VBZ", lemma=english.verb_of(first.lower) or first.lemma)
        sentence = Sentence(sentence.text, (verb, *sentence.words[1:]))
    sentence = participles_after_names(nouns_after_owners(sentence), english)
    return verbs_after_pronouns(sentence, english)


def participles_after_names(sentence: Sentence, english: EnglishWords) -> Sentence:
    """ "Sonny *driving*, hands on the wheel": what a name does, though taken for a noun."""
    words = list(sentence.words)
    for word in words[1:]:
        name = words[word.index - 1]
        lemma = english.verb_of(word.lower) if word.lower.endswith("ing") else None
        named = name.tag == "NNP" and name.head == word.index and word.text.islower()
        if lemma is None or word.tag != "NN" or not named or word.lower in _INGS:
            continue
        if word.relation == "conj":  # "sees Delia and Roman *kissing*"
            words[name.index] = replace(name, relation="conj", head=word.head)
            words[word.index] = replace(word, tag="VBG", lemma=lemma, relation="acl")
        else:
            words[name.index] = replace(name, relation="nsubj")
            words[word.index] = replace(word, tag="VBG", lemma=lemma)
    return Sentence(sentence.text, tuple(words))


_INGS = frozenset(
    ("building", "painting", "wedding", "meeting", "drawing", "dressing", "clothing", "recording",
     "crossing", "landing", "opening", "booking", "setting", "sitting", "string", "evening")
)  # fmt: skip
"""Things that may bear a name: "the Chrysler *building*"."""


def nouns_after_owners(sentence: Sentence) -> Sentence:
    """ "hugs her *knees*": what belongs to somebody is no verb."""
    words = list(sentence.words)
    for owner in words[:-1]:
        word = words[owner.index + 1]
        if owner.tag == "PRP$" and word.tag == "VBZ" and owner.head == word.index:
            lemma = word.lower.removesuffix("s")
            relation = "dobj" if word.relation in ("ccomp", "xcomp") else word.relation
            words[word.index] = replace(word, tag="NNS", lemma=lemma, relation=relation)
    return Sentence(sentence.text, tuple(words))


def _may_open(sentence: Sentence, english: EnglishWords) -> bool:
    """Whether a sentence without a verb begins with one that lacks its subject."""
    first = sentence[0]
    after = sentence.words[1:2]
    alone = not after or after[0].tag in AFTER_VERB
    return first.tag in ("NNS", "NNPS", "NNP", "NN") and english.is_finite(first.lower) and alone


def verbs_after_pronouns(sentence: Sentence, english: EnglishWords) -> Sentence:
    words = list(sentence.words)
    for word in words:
        before = words[word.index - 1] if word.index else None
        subject = before is not None and (
            before.lower in ("he", "she", "they", "we", "both") or before.relation == "nsubj"
        )
        if word.is_verb and (word.tag == "VBZ" or word.lemma not in english.verbs):
            words[word.index] = replace(word, lemma=english.verb_of(word.lower) or word.lemma)
        elif (
            word.tag in _TAKEN_FOR
            and word.text.islower()
            and not (before is not None and before.lower == "both" and _is_people(word))
            and (subject or (word.is_noun and sentence.children(word, "nsubj")))
        ):
            lemma = english.verb_of(word.lower)
            if lemma is not None:
                tag = "VBZ" if word.lower.endswith("s") else "VBP"
                words[word.index] = replace(word, tag=tag, lemma=lemma)
    return Sentence(sentence.text, tuple(words))
