"""A parsed sentence as plain values: words with lemma, tag and the tree over them.

Tags are Penn Treebank's (VBZ, NNP, ...), relations ClearNLP's (nsubj, dobj, ...), as the
English models of spaCy write them. A word's `head` is the index of its governor; the root's
head is itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Word:
    """One token; `start` is its first character in the parsed text.

    `shares`: of a verb without a subject of its own, the verb whose subject it shares; -1 else.
    """

    index: int
    text: str
    lemma: str
    tag: str
    relation: str
    head: int
    start: int
    shares: int = -1

    @property
    def lower(self) -> str:
        return self.text.lower()

    @property
    def is_verb(self) -> bool:
        return self.tag.startswith("VB")

    @property
    def is_noun(self) -> bool:
        return self.tag.startswith("NN")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A tree of words. `text` is what was parsed: natural case, no bracketed asides."""

    text: str
    words: tuple[Word, ...]
    _children: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        below: list[list[int]] = [[] for _ in self.words]
        for word in self.words:
            if word.head != word.index:
                below[word.head].append(word.index)
        object.__setattr__(self, "_children", tuple(map(tuple, below)))

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[Word]:
        return iter(self.words)

    def __getitem__(self, index: int) -> Word:
        return self.words[index]

    def children(self, word: Word, *relations: str) -> list[Word]:
        """Words right below, in order; only those of `relations` if any are given."""
        found = (self.words[i] for i in self._children[word.index])
        return [child for child in found if not relations or child.relation in relations]

    def head(self, word: Word) -> Word:
        return self.words[word.head]

    def above(self, word: Word) -> Iterator[Word]:
        """The word's governor, its governor, and so on to the root."""
        while word.head != word.index:
            word = self.words[word.head]
            yield word

    def with_conjuncts(self, word: Word) -> list[Word]:
        """`word` and what is joined to it by "and": John and Kate."""
        found = [word]
        for other in found:
            found.extend(self.children(other, "conj"))
        return found

    def first_conjunct(self, word: Word) -> Word:
        while word.relation == "conj" and word.head != word.index:
            word = self.head(word)
        return word

    def subtree(self, word: Word) -> list[Word]:
        """The word and everything below it, in order of the text."""
        found = [word]
        for other in found:
            found.extend(self.children(other))
        return sorted(found, key=lambda w: w.index)
