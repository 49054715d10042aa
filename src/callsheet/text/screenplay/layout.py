"""The layout learner: what indentation, width and spacing mean in this very file.

A hidden Markov model whose states are the kinds of lines (`shapes.KINDS`). What a line says by
itself (`shapes`, `voice`) is fixed; what the page says is learnt from the file by expectation
maximisation, without any label: P(indentation | kind), P(width | kind) and
P(kind | kind before, how the lines meet). The best path (Viterbi) tags the lines.

Letters: K kinds, L lines; `joins[i]` says how line i meets line i - 1 (`JOINS`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from callsheet.text.screenplay.lines import Line
from callsheet.text.screenplay.shapes import KINDS, C, D, E, N, S, T, ends_sentence

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

JOINS = ("runs on", "tight", "apart", "over a page")
"""How two neighbouring lines meet: mid-sentence, without or with blank lines between, or with
page furniture between."""
RUNS_ON, TIGHT, APART, OVER_PAGE = range(len(JOINS))

WIDEST = 100
"""Indentations beyond this column count as this column."""
WIDTH_STEP = 3


@dataclass(frozen=True, slots=True)
class Page:
    """What the learner sees of each line, arrays of length L; `own` is (L, K)."""

    indents: Ints
    widths: Ints
    joins: Ints
    own: Floats


@dataclass(frozen=True, slots=True)
class Layout:
    """Log-probabilities: `indent` (K, columns), `width` (K, steps), `step` (joins, K, K)."""

    indent: Floats
    width: Floats
    step: Floats


def page_of(lines: Sequence[Line], own: Floats, *, page_breaks: Sequence[bool]) -> Page:
    """Measure lines. `page_breaks[i]`: furniture stood just before line i."""
    spacing = _usual_blanks(lines)
    joins = [
        _join(before, line, page_break=broken, spacing=spacing)
        for before, line, broken in zip([None, *lines], lines, page_breaks, strict=False)
    ]
    return Page(
        indents=np.array([min(line.indent, WIDEST) for line in lines], dtype=np.int64),
        widths=np.array([_width(line.text) for line in lines], dtype=np.int64),
        joins=np.array(joins, dtype=np.int64),
        own=own,
    )


def _width(text: str) -> int:
    return min(len(text), WIDEST) // WIDTH_STEP


def _usual_blanks(lines: Sequence[Line]) -> int:
    """Blank lines between lines of one block: 0, but 1 or more in double-spaced files."""
    blanks = [line.blanks for line in lines]
    if not blanks or sum(b == 0 for b in blanks) > 0.1 * len(blanks):
        return 0
    return int(np.median(blanks))


def _join(before: Line | None, line: Line, *, page_break: bool, spacing: int) -> int:
    if before is None:
        return APART
    if page_break:
        return OVER_PAGE
    if line.blanks > spacing:
        return APART
    flows = not ends_sentence(before.text) and line.text[:1].islower()
    return RUNS_ON if flows else TIGHT


def learn(page: Page, *, rounds: int = 6) -> Layout:
    """Learn a file's layout by expectation maximisation."""
    layout = Layout(
        indent=np.zeros((len(KINDS), WIDEST + 1)),
        width=np.zeros((len(KINDS), WIDEST // WIDTH_STEP + 1)),
        step=np.log(PRIOR_STEPS),
    )
    for _ in range(rounds):
        states, pairs = _posteriors(_scores(page, layout), layout.step, page.joins)
        layout = _fit(page, states, pairs)
    return layout


def decode(page: Page, layout: Layout) -> Ints:
    """The most probable kinds, length L."""
    scores = _scores(page, layout)
    back = np.zeros(scores.shape, dtype=np.int64)
    best = scores[0] + np.log(FIRST)
    for i in range(1, len(scores)):
        ways = best[:, None] + layout.step[page.joins[i]]
        back[i] = ways.argmax(axis=0)
        best = ways.max(axis=0) + scores[i]
    path = np.zeros(len(scores), dtype=np.int64)
    path[-1] = best.argmax()
    for i in range(len(scores) - 1, 0, -1):
        path[i - 1] = back[i, path[i]]
    return path


def _scores(page: Page, layout: Layout) -> Floats:
    scores: Floats = page.own + layout.indent[:, page.indents].T + layout.width[:, page.widths].T
    return scores


def _posteriors(scores: Floats, step: Floats, joins: Ints) -> tuple[Floats, Floats]:
    """Forward-backward: P(kind) of each line (L, K) and expected steps (joins, K, K)."""
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    move = np.exp(step)
    n = len(scores)
    forward, scale = np.zeros_like(likely), np.ones(n)
    forward[0] = FIRST * likely[0]
    forward[0] /= forward[0].sum()
    for i in range(1, n):
        row = (forward[i - 1] @ move[joins[i]]) * likely[i]
        scale[i] = row.sum()
        forward[i] = row / scale[i]
    backward = np.ones_like(likely)
    for i in range(n - 1, 0, -1):
        backward[i - 1] = move[joins[i]] @ (likely[i] * backward[i]) / scale[i]
    return forward * backward, _pairs(forward, backward, likely, scale, move, joins)


def _pairs(
    forward: Floats, backward: Floats, likely: Floats, scale: Floats, move: Floats, joins: Ints
) -> Floats:
    pairs = np.zeros_like(move)
    right = (likely * backward / scale[:, None])[1:]
    for join in range(len(JOINS)):
        here = joins[1:] == join
        pairs[join] = move[join] * (forward[:-1][here].T @ right[here])
    return pairs


def _fit(page: Page, states: Floats, pairs: Floats) -> Layout:
    step = pairs + STEP_STRENGTH * PRIOR_STEPS
    return Layout(
        indent=_histogram(page.indents, states, size=WIDEST + 1, spread=1),
        width=_histogram(page.widths, states, size=WIDEST // WIDTH_STEP + 1, spread=2),
        step=np.log(step / step.sum(axis=2, keepdims=True)),
    )


def _histogram(values: Ints, states: Floats, *, size: int, spread: int) -> Floats:
    """log P(value | kind): counts blurred over neighbours, shrunk to what all lines do."""
    counts = np.zeros((size, states.shape[1]))
    np.add.at(counts, values, states)
    blurred = counts.copy()
    for shift in range(1, spread + 1):
        blurred[shift:] += BLUR**shift * counts[:-shift]
        blurred[:-shift] += BLUR**shift * counts[shift:]
    shared = blurred.sum(axis=1, keepdims=True) + 0.5
    mixed = blurred + SHRINK * shared / shared.sum()
    logs: Floats = np.log(mixed / mixed.sum(axis=0)).T
    return logs


BLUR = 0.15
SHRINK = 6.0
STEP_STRENGTH = 12.0
FIRST = np.array([0.3, 0.3, 0.1, 0.05, 0.05, 0.2])


def _steps(rows: dict[int, dict[int, float]]) -> Floats:
    table = np.full((len(KINDS), len(KINDS)), 0.002)
    for before, after in rows.items():
        for kind, share in after.items():
            table[before, kind] += share
    normed: Floats = table / table.sum(axis=1, keepdims=True)
    return normed


PRIOR_STEPS = np.stack(
    [
        # runs on: a sentence in the middle of which the line breaks stays in its block
        _steps({S: {S: 0.5, N: 0.5}, N: {N: 1.0}, C: {D: 0.7, E: 0.3}, D: {D: 0.97, E: 0.03},
                E: {E: 0.6, D: 0.4}, T: {N: 0.5, T: 0.5}}),
        # tight: no blank line between
        _steps({S: {S: 0.02, N: 0.9, C: 0.05, T: 0.01}, N: {N: 0.93, C: 0.05, S: 0.01, T: 0.01},
                C: {D: 0.85, E: 0.15}, D: {D: 0.88, E: 0.06, N: 0.03, C: 0.03, S: 0.005},
                E: {D: 0.85, E: 0.13, N: 0.01, C: 0.01}, T: {S: 0.4, N: 0.5, C: 0.1}}),
        # apart: blank lines between
        _steps({S: {N: 0.85, C: 0.06, S: 0.08, T: 0.01}, N: {N: 0.4, C: 0.45, S: 0.12, T: 0.03},
                C: {D: 0.3, E: 0.1, N: 0.02}, D: {C: 0.55, N: 0.34, S: 0.07, T: 0.03, D: 0.02, E: 0.01},
                E: {D: 0.3, C: 0.3, N: 0.3, S: 0.05}, T: {S: 0.8, N: 0.15, C: 0.05}}),
        # over a page: either
        _steps({S: {N: 0.8, C: 0.1, S: 0.05}, N: {N: 0.6, C: 0.28, S: 0.1, T: 0.02},
                C: {D: 0.75, E: 0.2}, D: {D: 0.3, C: 0.4, N: 0.2, E: 0.03, S: 0.05, T: 0.02},
                E: {D: 0.7, E: 0.1, C: 0.1, N: 0.1}, T: {S: 0.8, N: 0.15, C: 0.05}}),
    ]
)  # fmt: skip
"""P(kind | kind before) for each way to meet: how screenplays are written in general."""
