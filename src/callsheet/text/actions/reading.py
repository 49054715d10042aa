"""Lines of text as paragraphs, and a paragraph as tokens of the classifier."""

from __future__ import annotations

from collections.abc import Sequence

from callsheet.text.actions.tokens import tokens_of
from callsheet.text.grammar import Naming, Paragraph, Parser, split_sentences


def paragraphs_of(lines: Sequence[str], parser: Parser, naming: Naming) -> list[Paragraph]:
    """Parse lines, each read by itself as a paragraph of one or more sentences."""
    cut = [split_sentences(line) for line in lines]
    parsed = iter(parser.parse([s for line in cut for s in line], naming.aliases))
    return [Paragraph([next(parsed) for _ in line], naming) for line in cut]


def line_tokens(paragraph: Paragraph) -> list[str]:
    """Tokens of all its sentences."""
    return [
        token
        for at, sentence in enumerate(paragraph.sentences)
        for token in tokens_of(sentence, paragraph.mentions[at])
    ]
