"""When each dialogue element is said: from the words paired with it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from callsheet.core import Span
from callsheet.text.alignment.decisions import Decision
from callsheet.text.alignment.lines import Line, Speech
from callsheet.text.alignment.matching import Matches
from callsheet.text.alignment.words import Words
from callsheet.text.readings import ElementSpan

_ONE_PLACE = 20.0
"""Seconds between words of one utterance, at most; farther ones were paired by mistake."""


def dialogue_spans(
    lines: Sequence[Line],
    decisions: Sequence[Decision],
    matches: Matches,
    speech: Speech,
    film: Words,
) -> list[ElementSpan]:
    """Span of every utterance that was found, in order of the script."""
    owner = _owners(decisions, matches, speech, film)
    starts, ends = _word_times(lines, film)
    sure = np.array([decision.confidence for decision in decisions])[film.owner]
    spans = []
    for utterance, words in _by_owner(owner):
        said = _main_place(words, starts, matches)
        spans.append(
            ElementSpan(
                speech.elements[utterance],
                Span(float(starts[said].min()), float(ends[said].max())),
                float(sure[said].mean()),
            )
        )
    return spans


def _owners(
    decisions: Sequence[Decision], matches: Matches, speech: Speech, film: Words
) -> npt.NDArray[np.int64]:
    """Utterance of every film word (-1: none): its pair's, else that of the word before it in
    its line, or after it, else the one the whole line was given to."""
    owner = np.full(len(film), -1, dtype=np.int64)
    equal = matches.equal
    owner[equal] = speech.words.owner[matches.script[equal]]
    edges = np.searchsorted(film.owner, np.arange(len(decisions) + 1))
    for k, decision in enumerate(decisions):
        line = owner[edges[k] : edges[k + 1]]
        if (line >= 0).any():
            _spread(line)
        elif decision.utterance is not None:
            line[:] = decision.utterance
    return owner


def _spread(line: npt.NDArray[np.int64]) -> None:
    """Fill -1 with the value before it, at the front with the first one, in place."""
    known = np.flatnonzero(line >= 0)
    nearest = np.searchsorted(known, np.arange(len(line)), side="right") - 1
    line[:] = line[known[np.maximum(nearest, 0)]]


def _word_times(
    lines: Sequence[Line], film: Words
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Start and end of every word, its line's time shared out by letters."""
    letters = np.array([len(word) for word in film.words], dtype=np.float64)
    said = np.concatenate([[0.0], np.cumsum(letters)])
    edges = np.searchsorted(film.owner, np.arange(len(lines) + 1))
    first, last = said[edges[:-1]][film.owner], said[edges[1:]][film.owner]
    line_start = np.array([line.span.start for line in lines])[film.owner]
    duration = np.array([line.span.duration for line in lines])[film.owner]
    rate = duration / np.maximum(last - first, 1.0)
    return line_start + (said[:-1] - first) * rate, line_start + (said[1:] - first) * rate


def _by_owner(
    owner: npt.NDArray[np.int64],
) -> list[tuple[int, npt.NDArray[np.int64]]]:
    """Utterances with their words, in order."""
    order = np.argsort(owner, kind="stable")
    values, firsts = np.unique(owner[order], return_index=True)
    groups = np.split(order, firsts[1:])
    return [(int(u), words) for u, words in zip(values, groups, strict=True) if u >= 0]


def _main_place(
    words: npt.NDArray[np.int64], starts: npt.NDArray[np.float64], matches: Matches
) -> npt.NDArray[np.int64]:
    """The words of an utterance at the place where most of them are said."""
    jumps = np.flatnonzero(np.abs(np.diff(starts[words])) > _ONE_PLACE) + 1
    places = np.split(words, jumps)
    return max(places, key=lambda place: float(matches.score[place].sum()))
