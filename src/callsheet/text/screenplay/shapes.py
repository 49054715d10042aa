"""What a line looks like on its own: scores for each kind from its form, before any layout.

The scores are log-likelihoods up to a constant, on the scale "2 = rather, 4 = surely". They
only have to start the layout learner (`layout`) on the right foot and to speak up where the
layout is silent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from callsheet.core import ElementKind
from callsheet.text.screenplay.brackets import asides
from callsheet.text.screenplay.headings import is_bare_heading, is_heading, starts_like_heading
from callsheet.text.screenplay.lines import Line
from callsheet.text.screenplay.names import name_scores
from callsheet.text.screenplay.voice import spoken_score

KINDS = (
    ElementKind.HEADING,
    ElementKind.DESCRIPTION,
    ElementKind.CHARACTER,
    ElementKind.DIALOGUE,
    ElementKind.PARENTHETICAL,
    ElementKind.TRANSITION,
)
"""The states of the layout learner, in the order of its columns; furniture is taken out before."""
S, N, C, D, E, T = range(len(KINDS))

VOICE = 0.7
"""How much the voice counts beside the layout: its words are not independent."""

_TRANSITION = re.compile(
    r"^\W*(?:(?:[A-Z]+\s+){0,3}(?:CUT|DISSOLVE|FADE|WIPE|MATCH|SMASH|JUMP|IRIS|TRANSITION)S?\b"
    r"[A-Z\s-]{0,30}[:.\u2026]*|(?:(?:SLOW|LAP|QUICK|CROSS)\s+)?(?:FADE|CUT|DISSOLVE)[\sA-Z-]*[.:]*)$"
)
_TRANSITION_HEART = re.compile(
    r"\b(?:CUT(?:S|TING)?\s(?:BACK\s)?(?:TO|IN|BACK)|FADE[SD]?\s(?:IN|OUT|UP|TO)|DISSOLVES?\b|"
    r"WIPE\sTO|MATCH\sCUT|SMASH\sCUT|JUMP\sCUT|IRIS\s(?:IN|OUT)|TRANSITION\sTO)"
)
_SENTENCE_END = re.compile(r"[.!?:\u2026][\"'\u201d\u2019)]*$")


def shape_scores(lines: Sequence[Line], weights: Mapping[str, float]) -> npt.NDArray[np.float64]:
    """Scores of every line for every kind, shape (lines, 6); `weights` of the `voice`."""
    scores = np.zeros((len(lines), len(KINDS)))
    names = name_scores([line.text for line in lines])
    aside = asides(lines)
    for i, line in enumerate(lines):
        scores[i] = _scores(line.text, name=names[i], aside=aside[i])
        spoken = VOICE * spoken_score(line.text, weights)
        scores[i, D] += 0.5 * spoken
        scores[i, N] -= 0.5 * spoken
    return scores


def _scores(text: str, *, name: float, aside: bool) -> list[float]:
    if is_heading(text):
        return [5.0, -2.0, -6.0, -3.0, -8.0, -6.0]
    scores = [-6.0, 0.0, name, 0.0, -6.0, -7.0]
    if is_bare_heading(text):
        return [4.0, -1.0, -2.0, -3.0, -8.0, -6.0]
    if starts_like_heading(text) and text[:1].isupper():
        scores[S] = -2.0
    if is_transition(text):
        scores[T], scores[C], scores[N] = 3.0, -3.0, -1.0
    elif name > 0:
        scores[N], scores[D] = -1.0, -1.5
    if aside:
        scores[E], scores[D], scores[N] = 4.0, -3.0, scores[N] - 1.0
    elif text.startswith(("(", "[")):
        scores[E] = -1.0
    return scores


def is_transition(text: str) -> bool:
    """Whether a line says CUT TO:, FADE OUT. and the like and nothing else."""
    short = " ".join(text.split())
    return (
        len(short) < 60
        and _TRANSITION.match(short) is not None
        and (_TRANSITION_HEART.search(short) is not None)
    )


def ends_sentence(text: str) -> bool:
    return _SENTENCE_END.search(text) is not None


def breaks_sentence(text: str) -> bool:
    """Whether a sentence stops in its middle: small letters last, and no mark behind them."""
    return text[-1:].islower()
