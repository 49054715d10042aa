"""Subtitle lines as the eye reads them, and which words of the script each one holds.

A cue may break into lines of different speakers, with or without dashes, so speakers are
decided line by line. `claims_of` gathers how much of each line every utterance holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from callsheet.core import Cue, Element, ElementKind, Span
from callsheet.text.alignment.matching import Matches
from callsheet.text.alignment.words import Words, words_of
from callsheet.text.readings import Screenplay

_REWRITTEN = 0.1
"""What a pair of unlike words counts: it tells the place, not the words."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a cue; `span` is its part of the cue's time, by its letters."""

    cue: int
    text: str
    span: Span
    sound: bool
    named: str | None


@dataclass(frozen=True, slots=True)
class Claim:
    """What an utterance holds of a line: its votes and its equal or alike words."""

    utterance: int
    votes: float
    words: int


@dataclass(frozen=True, slots=True)
class Speech:
    """The dialogue of a screenplay, by utterance (one dialogue element each).

    `speech[u]` counts speeches: utterances of one speech follow each other without another
    character's name between them. `counts[u]` are words.
    """

    elements: tuple[int, ...]
    speakers: tuple[str | None, ...]
    speech: tuple[int, ...]
    counts: tuple[int, ...]
    words: Words

    @classmethod
    def of(cls, screenplay: Screenplay) -> Speech:
        """Take the dialogue out of a screenplay."""
        spoken, speech = [], []
        number, speaker = -1, None
        for element in screenplay.elements:
            if element.kind is ElementKind.CHARACTER and not _goes_on(element, speaker):
                number += 1
            if element.kind is ElementKind.DIALOGUE:
                spoken.append(element)
                speech.append(number)
                speaker = element.speaker
        words = words_of([e.text for e in spoken])
        return cls(
            tuple(e.element for e in spoken),
            tuple(e.speaker for e in spoken),
            tuple(speech),
            tuple(int(n) for n in np.bincount(words.owner, minlength=len(spoken))),
            words,
        )

    def is_one_speech(self, first: int, last: int) -> bool:
        return self.speech[first] == self.speech[last]


def _goes_on(character: Element, speaker: str | None) -> bool:
    """ "RICK (CONT'D)" goes on with RICK's speech."""
    continued = "CONT" in (character.extension or "").upper()
    return continued and character.speaker == speaker


def lines_of(cues: Sequence[Cue]) -> list[Line]:
    """Break cues into lines."""
    return [line for cue in cues for line in _lines(cue)]


def _lines(cue: Cue) -> Iterator[Line]:
    texts = [text.strip() for text in cue.text.splitlines() if text.strip()] or [""]
    letters = max(1, sum(map(len, texts)))
    said = 0
    for text in texts:
        start = cue.span.start + cue.span.duration * said / letters
        said += len(text)
        end = cue.span.start + cue.span.duration * said / letters
        yield Line(cue.cue, text, Span(start, max(start, end)), cue.sound, cue.speaker)


def line_words(lines: Sequence[Line]) -> Words:
    """The spoken words of lines; sounds have none."""
    return words_of(["" if line.sound else line.text for line in lines])


def claims_of(matches: Matches, speech: Speech, film: Words, n_lines: int) -> list[list[Claim]]:
    """What each utterance holds of each line, the strongest first."""
    gathered: list[dict[int, tuple[float, int]]] = [{} for _ in range(n_lines)]
    for j in np.flatnonzero(matches.script >= 0):
        utterance = int(speech.words.owner[matches.script[j]])
        score = float(matches.score[j])
        line = gathered[film.owner[j]]
        votes, words = line.get(utterance, (0.0, 0))
        line[utterance] = (votes + max(score, _REWRITTEN), words + (score > 0))
    return [
        sorted((Claim(u, v, w) for u, (v, w) in line.items()), key=lambda c: -c.votes)
        for line in gathered
    ]


def word_counts(film: Words, n_lines: int) -> list[int]:
    """Words of each line."""
    return [int(n) for n in np.bincount(film.owner, minlength=n_lines)]
