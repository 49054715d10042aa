"""Plain text screenplays, in any layout: furniture out, layout learnt, lines tagged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from callsheet.core import ElementKind
from callsheet.text.encodings import read_text, split_lines
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.assemble import assemble
from callsheet.text.screenplay.cues import spoken_cues
from callsheet.text.screenplay.furniture import furniture
from callsheet.text.screenplay.layout import decode, learn, page_of
from callsheet.text.screenplay.lines import (
    Line,
    TaggedLine,
    is_star,
    lines_of,
    without_right_number,
)
from callsheet.text.screenplay.shapes import KINDS, shape_scores
from callsheet.text.screenplay.title_page import title_lines
from callsheet.text.screenplay.transcript import is_transcript, read_transcript
from callsheet.text.screenplay.unfolding import unfold
from callsheet.text.screenplay.voice import shipped_weights


def tag_lines(
    texts: Sequence[str],
    *,
    numbers: Sequence[int] | None = None,
    weights: Mapping[str, float] | None = None,
) -> list[TaggedLine]:
    """Tag every line that is not blank. `numbers` in the source: 1, 2, ... unless given;
    `weights` of the voice: the package's own unless given."""
    lines = unfold(lines_of(texts, numbers))
    title = title_lines(lines)
    marks = [True] * title + furniture(lines[title:])
    kinds = iter(_story_kinds(lines, marks, weights))
    return [
        _tagged(line, ElementKind.OTHER if mark else next(kinds))
        for line, mark in zip(lines, marks, strict=True)
    ]


def _story_kinds(
    lines: Sequence[Line], marks: Sequence[bool], weights: Mapping[str, float] | None
) -> list[ElementKind]:
    """Kinds of the lines that are no furniture."""
    story, breaks = [], []
    broken = False
    for line, mark in zip(lines, marks, strict=True):
        if mark:
            broken = broken or not is_star(line.text)
            continue
        story.append(line)
        breaks.append(broken)
        broken = False
    if not story:
        return []
    own = shape_scores(story, shipped_weights() if weights is None else weights)
    page = page_of(story, own, page_breaks=breaks)
    return spoken_cues(story, [KINDS[k] for k in decode(page, learn(page))])


def _tagged(line: Line, kind: ElementKind) -> TaggedLine:
    # A paragraph that goes on over a page in the middle of a sentence is one paragraph.
    opens = kind is ElementKind.DESCRIPTION and line.blanks > 0 and not line.text[0].islower()
    opens |= kind is ElementKind.HEADING and line.blanks > 0
    opens |= kind is ElementKind.PARENTHETICAL and line.text.startswith("(")
    text = without_right_number(line.text) if kind is ElementKind.HEADING else line.text
    return TaggedLine(line.number, text, kind, opens)


def read_plain(path: Path) -> Screenplay:
    """Read plain text; a transcript (`speaker words said` on every line) is told by its form.

    Where nothing looks like a screenplay, less is asked of a transcript.
    """
    decoded = read_text(path)
    lines = split_lines(decoded.text)
    if is_transcript(lines):
        return read_transcript(path)
    tagged = tag_lines(lines)
    is_screenplay = any(t.kind in (ElementKind.HEADING, ElementKind.CHARACTER) for t in tagged)
    if not is_screenplay and is_transcript(lines, strict=False):
        return read_transcript(path)
    return assemble(tagged, warnings=decoded.warnings)
