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
from callsheet.text.screenplay.shapes import KINDS, C, D, E, N, S, T, breaks_sentence, ends_sentence

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

JOINS = ("runs on", "breaks off", "fresh", "apart", "torn", "over a page")
"""How two neighbouring lines meet. Without a blank line between: mid-sentence into a small
letter, mid-sentence into anything else, or after the end of a sentence. With blank lines
between; the same though the sentence before has no end. With page furniture between."""
RUNS_ON, BREAKS_OFF, FRESH, APART, TORN, OVER_PAGE = range(len(JOINS))

REACHES = 14
"""A typist breaks a line where the next word does not fit. `reach` is the width the line before
would have had with that word, in steps: small values betray that a block ended there."""

WIDEST = 100
"""Indentations beyond this column count as this column."""
WIDTH_STEP = 3


@dataclass(frozen=True, slots=True)
class Page:
    """What the learner sees of each line, arrays of length L; `own` is (L, K); `meets` counts
    join and reach together: join x REACHES + reach."""

    indents: Ints
    widths: Ints
    meets: Ints
    own: Floats


@dataclass(frozen=True, slots=True)
class Layout:
    """Log-probabilities: `indent` (K, columns), `width` (K, steps), `step` (meets, K, K)."""

    indent: Floats
    width: Floats
    step: Floats


def page_of(lines: Sequence[Line], own: Floats, *, page_breaks: Sequence[bool]) -> Page:
    """Measure lines. `page_breaks[i]`: furniture stood just before line i."""
    spacing = _usual_blanks(lines)
    meets = [
        _meeting(before, line, page_break=broken, spacing=spacing)
        for before, line, broken in zip([None, *lines], lines, page_breaks, strict=False)
    ]
    return Page(
        indents=np.array([min(line.indent, WIDEST) for line in lines], dtype=np.int64),
        widths=np.array([_width(line.text) for line in lines], dtype=np.int64),
        meets=np.array(meets, dtype=np.int64),
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


def _meeting(before: Line | None, line: Line, *, page_break: bool, spacing: int) -> int:
    join = _join(before, line, page_break=page_break, spacing=spacing)
    if before is None:
        return join * REACHES
    reach = len(before.text) + 1 + len(line.text.split(maxsplit=1)[0])
    return join * REACHES + min(max(0, (reach - 16) // 4), REACHES - 1)


def _join(before: Line | None, line: Line, *, page_break: bool, spacing: int) -> int:
    if before is None:
        return APART
    if page_break:
        return OVER_PAGE
    if line.blanks > spacing:
        return TORN if breaks_sentence(before.text) else APART
    if ends_sentence(before.text):
        return FRESH
    return RUNS_ON if line.text[:1].islower() else BREAKS_OFF


def learn(page: Page, *, rounds: int = 6) -> Layout:
    """Learn a file's layout by expectation maximisation."""
    page = _part(page, LEARNT_LINES)
    layout = Layout(
        indent=np.zeros((len(KINDS), WIDEST + 1)),
        width=np.zeros((len(KINDS), WIDEST // WIDTH_STEP + 1)),
        step=np.log(np.repeat(PRIOR_STEPS, REACHES, axis=0)),
    )
    for _ in range(rounds):
        states, pairs = _posteriors(_scores(page, layout), layout.step, page.meets)
        layout = _fit(page, states, pairs)
    return layout


def _part(page: Page, lines: int) -> Page:
    return Page(page.indents[:lines], page.widths[:lines], page.meets[:lines], page.own[:lines])


def decode(page: Page, layout: Layout) -> Ints:
    """The most probable kinds, length L."""
    scores = _scores(page, layout)
    back = np.zeros(scores.shape, dtype=np.int64)
    best = scores[0] + np.log(FIRST)
    for i in range(1, len(scores)):
        ways = best[:, None] + layout.step[page.meets[i]]
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


def _posteriors(scores: Floats, step: Floats, meets: Ints) -> tuple[Floats, Floats]:
    """Forward-backward: P(kind) of each line (L, K) and expected steps (meets, K, K)."""
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    move = np.exp(step)
    n = len(scores)
    forward, scale = np.zeros_like(likely), np.ones(n)
    forward[0] = FIRST * likely[0]
    forward[0] /= forward[0].sum()
    for i in range(1, n):
        row = (forward[i - 1] @ move[meets[i]]) * likely[i]
        scale[i] = row.sum()
        forward[i] = row / scale[i]
    backward = np.ones_like(likely)
    for i in range(n - 1, 0, -1):
        backward[i - 1] = move[meets[i]] @ (likely[i] * backward[i]) / scale[i]
    return forward * backward, _pairs(forward, backward, likely, scale, move, meets)


def _pairs(
    forward: Floats, backward: Floats, likely: Floats, scale: Floats, move: Floats, meets: Ints
) -> Floats:
    pairs = np.zeros_like(move)
    right = (likely * backward / scale[:, None])[1:]
    for meet in np.unique(meets[1:]):
        here = meets[1:] == meet
        pairs[meet] = move[meet] * (forward[:-1][here].T @ right[here])
    return pairs


def _fit(page: Page, states: Floats, pairs: Floats) -> Layout:
    return Layout(
        indent=_histogram(page.indents, states, size=WIDEST + 1, spread=1),
        width=_histogram(page.widths, states, size=WIDEST // WIDTH_STEP + 1, spread=2),
        step=np.log(_fit_steps(pairs)),
    )


def _fit_steps(pairs: Floats) -> Floats:
    """Steps by join, shrunk to how screenplays are written; by reach, shrunk to those by join."""
    by_reach = pairs.reshape(len(JOINS), REACHES, len(KINDS), len(KINDS))
    by_join = _normed(by_reach.sum(axis=1) + STEP_STRENGTH * PRIOR_STEPS)
    steps = _normed(by_reach + REACH_STRENGTH * by_join[:, None]).reshape(pairs.shape)
    # Whatever the file seems to teach: after a cue somebody speaks.
    steps[:, C, [S, C, T]] *= UNSPOKEN
    # And a sentence that runs on does not turn from speech into description.
    running = steps[RUNS_ON * REACHES : (RUNS_ON + 1) * REACHES]
    running[:, [D, N], [N, D]] *= UNSPOKEN
    return _normed(steps)


def _normed(table: Floats) -> Floats:
    normed: Floats = table / table.sum(axis=-1, keepdims=True)
    return normed


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


LEARNT_LINES = 20_000
"""Three long scripts: a layout is learnt from no more than that, so time stays linear."""
BLUR = 0.15
"""Share of a line's count that each neighbouring column gets."""
SHRINK = 12.0
"""Lines' worth of what all kinds do that is mixed into each kind: lines do slip."""
STEP_STRENGTH = 12.0
"""Lines' worth of `PRIOR_STEPS`."""
REACH_STRENGTH = 8.0
"""Lines' worth of the steps of all reaches in those of one reach."""
UNSPOKEN = 0.05
FIRST = np.array([0.3, 0.3, 0.1, 0.05, 0.05, 0.2])


def _steps(rows: dict[int, dict[int, float]]) -> Floats:
    table = np.full((len(KINDS), len(KINDS)), 0.002)
    for before, after in rows.items():
        for kind, share in after.items():
            table[before, kind] += share
    return _normed(table)


PRIOR_STEPS = np.stack(
    [
        # runs on: a sentence in the middle of which the line breaks stays in its block
        _steps({S: {S: 0.5, N: 0.5}, N: {N: 1.0}, C: {D: 0.7, E: 0.3}, D: {D: 0.97, E: 0.03},
                E: {E: 0.6, D: 0.4}, T: {N: 0.5, T: 0.5}}),
        # breaks off: no blank line between, mid-sentence
        _steps({S: {S: 0.02, N: 0.9, C: 0.05, T: 0.01}, N: {N: 0.95, C: 0.03, S: 0.01},
                C: {D: 0.85, E: 0.15}, D: {D: 0.94, E: 0.04, N: 0.01, C: 0.01},
                E: {D: 0.7, E: 0.3}, T: {S: 0.4, N: 0.5, C: 0.1}}),
        # fresh: no blank line between, after a sentence
        _steps({S: {S: 0.02, N: 0.9, C: 0.05, T: 0.01}, N: {N: 0.93, C: 0.05, S: 0.01, T: 0.01},
                C: {D: 0.85, E: 0.15}, D: {D: 0.88, E: 0.06, N: 0.03, C: 0.03, S: 0.005},
                E: {D: 0.85, E: 0.13, N: 0.01, C: 0.01}, T: {S: 0.4, N: 0.5, C: 0.1}}),
        # apart: blank lines between
        _steps({S: {N: 0.85, C: 0.06, S: 0.08, T: 0.01}, N: {N: 0.4, C: 0.45, S: 0.12, T: 0.03},
                C: {D: 0.3, E: 0.1, N: 0.02},
                D: {C: 0.55, N: 0.34, S: 0.07, T: 0.03, D: 0.02, E: 0.01},
                E: {D: 0.3, C: 0.3, N: 0.3, S: 0.05}, T: {S: 0.8, N: 0.15, C: 0.05}}),
        # torn: blank lines in the middle of what reads like a sentence
        _steps({S: {N: 0.85, C: 0.06, S: 0.08, T: 0.01}, N: {N: 0.7, C: 0.2, S: 0.09, T: 0.01},
                C: {D: 0.3, E: 0.1, N: 0.02},
                D: {C: 0.55, N: 0.34, S: 0.07, T: 0.03, D: 0.02, E: 0.01},
                E: {D: 0.3, C: 0.3, N: 0.3, S: 0.05}, T: {S: 0.8, N: 0.15, C: 0.05}}),
        # over a page: either
        _steps({S: {N: 0.8, C: 0.1, S: 0.05}, N: {N: 0.6, C: 0.28, S: 0.1, T: 0.02},
                C: {D: 0.75, E: 0.2}, D: {D: 0.3, C: 0.4, N: 0.2, E: 0.03, S: 0.05, T: 0.02},
                E: {D: 0.7, E: 0.1, C: 0.1, N: 0.1}, T: {S: 0.8, N: 0.15, C: 0.05}}),
    ]
)  # fmt: skip
"""P(kind | kind before) for each way to meet: how screenplays are written in general."""
