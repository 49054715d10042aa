"""Who speaks each line: by the words paired with it, by the subtitle's own "RICK:", else by
the lines around it (`inference`)."""

from __future__ import annotations

from collections.abc import Sequence

from callsheet.text.alignment.decisions import (
    CONFIDENCE,
    UNKNOWN,
    Backing,
    Decision,
    Rule,
    guessed,
)
from callsheet.text.alignment.inference import infer
from callsheet.text.alignment.lines import Claim, Line, Speech

_FEWEST_VOTES = 0.35
"""Below this, only rewritten words were paired: they tell the place, not the speaker."""


def decide(
    lines: Sequence[Line], claims: Sequence[Sequence[Claim]], counts: Sequence[int], speech: Speech
) -> list[Decision]:
    """Decide who speaks each line; `counts` are its words, `claims` what utterances hold of it."""
    called = [None if line.sound else line.named for line in lines]
    prefixes = {name: _speaker_named(name, speech) for name in set(called)}
    decided = [
        _with_prefix(_by_words(claimed, count, speech), prefixes[name], speech)
        for name, claimed, count in zip(called, claims, counts, strict=True)
    ]
    return infer(lines, decided, counts, speech)


def _by_words(claimed: Sequence[Claim], count: int, speech: Speech) -> Decision:
    votes: dict[str | None, float] = {}
    words: dict[str | None, int] = {}
    for claim in claimed:
        speaker = speech.speakers[claim.utterance]
        votes[speaker] = votes.get(speaker, 0.0) + claim.votes
        words[speaker] = words.get(speaker, 0) + claim.words
    best = max(votes, key=lambda speaker: votes[speaker], default=None)
    if votes.get(best, 0.0) < _FEWEST_VOTES:
        return UNKNOWN
    utterance = next(c.utterance for c in claimed if speech.speakers[c.utterance] == best)
    backing = Backing(words[best] / count, votes[best], votes[best] / sum(votes.values()))
    return Decision(Rule.WORDS, utterance, best, backing.confidence, backing)


def _with_prefix(decision: Decision, named: str | None, speech: Speech) -> Decision:
    """Weigh the subtitle's own "RICK:" against the words; a name that the script does not
    know is believed only where no words say anything else."""
    if named is None or (named not in speech.speakers and decision.rule is not Rule.UNKNOWN):
        return decision
    doubt = 1.0 - CONFIDENCE[Rule.NAMED]
    if decision.speaker == named:
        sure = 1.0 - doubt * (1.0 - decision.confidence)
        return Decision(decision.rule, decision.utterance, named, sure, decision.backing)
    return guessed(Rule.NAMED, None, named)


def _speaker_named(name: str | None, speech: Speech) -> str | None:
    """The script's speaker a prefix means: the same name, or one that alone shares its parts;
    the prefix itself if the script knows nobody so called."""
    if name is None:
        return None
    wanted = _parts(name)
    known = {speaker: _parts(speaker) for speaker in speech.speakers if speaker}
    same = [speaker for speaker, parts in known.items() if parts == wanted]
    akin = [speaker for speaker, parts in known.items() if wanted <= parts or parts <= wanted]
    found = same or akin or [name]
    return found[0] if len(found) == 1 else None


def _parts(name: str) -> frozenset[str]:
    return frozenset(name.upper().replace("_", " ").replace(".", " ").split())
