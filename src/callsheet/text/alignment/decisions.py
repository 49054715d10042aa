"""A line's speaker, the rule that found it, and how often that rule is right.

Every number here is measured and fitted by `benchmarks/text/line_confidence.py`, on transcripts as
they are and on the same with utterances, sentences and words taken out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """How a line's speaker was found."""

    WORDS = "words"
    NAMED = "named"  # the subtitle itself says "RICK:"
    SAME_SPEECH = "same speech"  # between two lines of one speech
    SKIPPED = "skipped"  # the script has an utterance just there, in other words
    SAME_CUE = "same cue"  # stands in one cue with a line of known speaker
    REPLY = "reply"  # between two speeches of one speaker: somebody answers
    NEIGHBOUR = "neighbour"  # between two speakers: one of them
    UNKNOWN = "unknown"


CONFIDENCE = {
    Rule.NAMED: 0.9,
    Rule.SAME_SPEECH: 0.69,
    Rule.SKIPPED: 0.72,
    Rule.SAME_CUE: 0.54,
    Rule.REPLY: 0.7,
    Rule.NEIGHBOUR: 0.28,
    Rule.UNKNOWN: 0.0,
}
"""How often a speaker found without words is right; that of NAMED is set, not measured."""

_BIAS, _FOUND, _VOTES, _MARGIN = 0.25, 0.55, 2.24, 0.30


@dataclass(frozen=True, slots=True)
class Backing:
    """What speaks for a speaker found by words.

    `found`: share of the line's words that the speaker's utterances hold. `votes`: their
    scores' sum. `margin`: the speaker's share of all votes for the line.
    """

    found: float
    votes: float
    margin: float

    @property
    def confidence(self) -> float:
        """Probability that the speaker is right."""
        score = _BIAS + _FOUND * self.found + _VOTES * math.log1p(self.votes)
        return 1.0 / (1.0 + math.exp(-score - _MARGIN * self.margin))


@dataclass(frozen=True, slots=True)
class Decision:
    """One line's speaker; `utterance` counts the script's dialogue elements."""

    rule: Rule
    utterance: int | None
    speaker: str | None
    confidence: float
    backing: Backing | None = None


UNKNOWN = Decision(Rule.UNKNOWN, None, None, 0.0)


def guessed(rule: Rule, utterance: int | None, speaker: str | None) -> Decision:
    """A decision without words, as sure as its rule is."""
    return Decision(rule, utterance, speaker, CONFIDENCE[rule])
