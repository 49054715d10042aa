"""A parsed sentence as the classifier's tokens: lemmas, with people and verbs marked.

Names and pronouns all become `_who` (so that nothing is learnt about Rick), a verb's lemma
gets `/v` ("run/v" is not "run", a noun), articles and punctuation are dropped.
"""

from __future__ import annotations

from callsheet.text.grammar import Mention, Sentence, Word
from callsheet.text.grammar.people import MentionKind

_DROPPED = frozenset(("a", "an", "the"))


def tokens_of(sentence: Sentence, mentions: list[Mention]) -> list[str]:
    """Tokens in order; a name of several words is one token."""
    named = {
        index: mention
        for mention in mentions
        if mention.kind is not MentionKind.NOUN
        for index in range(mention.first, mention.last + 1)
    }
    tokens = []
    for word in sentence:
        mention = named.get(word.index)
        if mention is None:
            tokens += _plain(word)
        elif word.index == mention.first:
            tokens.append("_whose" if word.tag == "PRP$" else "_who")
    return tokens


def verb_token(word: Word) -> str:
    return f"{word.lemma}/v"


def _plain(word: Word) -> list[str]:
    if word.lower in _DROPPED or not any(c.isalnum() for c in word.text):
        return []
    if word.is_verb:
        return [verb_token(word)]
    return ["_number"] if word.text.isdigit() else [word.lemma]
