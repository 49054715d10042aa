"""Speakers of lines none of whose words stand in the script, from the lines around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from callsheet.text.alignment.decisions import Decision, Rule, guessed
from callsheet.text.alignment.lines import Line, Speech

_LONGEST_GAP = 8
"""Lines in a row without words in the script that are still given speakers: more are a scene
that is not in it, a recap or an advertisement."""
_PARTNER_REACH = 4
"""Utterances to look back and on for somebody who answers."""
_ALIKE_LENGTH = 3.0
"""A skipped utterance and the unknown lines differ in length by this factor at most."""


@dataclass(frozen=True, slots=True)
class _Gap:
    """Unknown lines between two known ones (None: the film's start or end)."""

    before: int | None
    after: int | None
    unknown: tuple[int, ...]


def infer(
    lines: Sequence[Line], decided: Sequence[Decision], counts: Sequence[int], speech: Speech
) -> list[Decision]:
    """Give unknown lines (with words) to whom their neighbours point."""
    complete = list(decided)
    for gap in _gaps(decided, counts):
        if len(gap.unknown) <= _LONGEST_GAP:
            for k, guess in zip(
                gap.unknown, _guesses(gap, lines, decided, counts, speech), strict=True
            ):
                complete[k] = guess if guess.speaker is not None else decided[k]
    return complete


def _gaps(decided: Sequence[Decision], counts: Sequence[int]) -> Iterator[_Gap]:
    before: int | None = None
    unknown: list[int] = []
    for k, decision in enumerate(decided):
        if decision.utterance is not None:
            if unknown:
                yield _Gap(before, k, tuple(unknown))
            before, unknown = k, []
        elif counts[k] and decision.speaker is None:
            unknown.append(k)
    if unknown:
        yield _Gap(before, None, tuple(unknown))


def _guesses(
    gap: _Gap,
    lines: Sequence[Line],
    decided: Sequence[Decision],
    counts: Sequence[int],
    speech: Speech,
) -> list[Decision]:
    first = decided[gap.before].utterance if gap.before is not None else None
    last = decided[gap.after].utterance if gap.after is not None else None
    if first is not None and last is not None:
        if first <= last and speech.is_one_speech(first, last):
            return [_of(Rule.SAME_SPEECH, first, speech)] * len(gap.unknown)
        if skipped := _skipped(range(first + 1, last), gap, counts, speech):
            return list(_shared_out(gap.unknown, skipped, counts, speech))
    return [_by_neighbours(k, gap, lines, (first, last), speech) for k in gap.unknown]


def _of(rule: Rule, utterance: int, speech: Speech) -> Decision:
    return guessed(rule, utterance, speech.speakers[utterance])


def _skipped(
    between: range, gap: _Gap, counts: Sequence[int], speech: Speech
) -> Sequence[int] | None:
    """The utterances skipped here, if they are about as long as what was said instead."""
    written = sum(speech.counts[u] for u in between)
    said = sum(counts[k] for k in gap.unknown)
    alike = written and said / _ALIKE_LENGTH <= written <= said * _ALIKE_LENGTH
    return between if alike else None


def _shared_out(
    unknown: Sequence[int], skipped: Sequence[int], counts: Sequence[int], speech: Speech
) -> Iterator[Decision]:
    """Lay lines and skipped utterances side by side, each stretched to the same length."""
    said = sum(counts[k] for k in unknown)
    written = sum(speech.counts[u] for u in skipped)
    spoken, place, reached = 0.0, 0, speech.counts[skipped[0]]
    for k in unknown:
        middle = (spoken + counts[k] / 2) / said * written
        while reached < middle and place < len(skipped) - 1:
            place += 1
            reached += speech.counts[skipped[place]]
        spoken += counts[k]
        yield _of(Rule.SKIPPED, skipped[place], speech)


def _by_neighbours(
    k: int,
    gap: _Gap,
    lines: Sequence[Line],
    around: tuple[int | None, int | None],
    speech: Speech,
) -> Decision:
    first, last = around
    if first is not None and gap.before is not None and lines[gap.before].cue == lines[k].cue:
        return _of(Rule.SAME_CUE, first, speech)
    if last is not None and gap.after is not None and lines[gap.after].cue == lines[k].cue:
        return _of(Rule.SAME_CUE, last, speech)
    if first is not None and last is not None and speech.speakers[first] == speech.speakers[last]:
        return guessed(Rule.REPLY, None, _partner(first, last, speech))
    nearest = first if first is not None else last
    return guessed(Rule.NEIGHBOUR, None, speech.speakers[nearest] if nearest is not None else None)


def _partner(first: int, last: int, speech: Speech) -> str | None:
    """Who else speaks near by, the nearest first."""
    for step in range(1, _PARTNER_REACH + 1):
        for utterance in (first - step, last + step):
            if 0 <= utterance < len(speech.speakers):
                speaker = speech.speakers[utterance]
                if speaker is not None and speaker != speech.speakers[first]:
                    return speaker
    return None
