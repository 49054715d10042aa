"""Fountain (fountain.io): the whole syntax, read line by line.

Forced elements (`.` heading, `!` action, `@` character, `>` transition, `> centred <`, `~`
lyric), dual dialogue (`^`), scene numbers, emphasis, escapes; notes, boneyard, sections,
synopses, page breaks and the title page become elements of kind "other". Notes and boneyard
do not interrupt what they stand in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from callsheet.core import ElementKind
from callsheet.text.encodings import read_text, split_lines
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.assemble import assemble
from callsheet.text.screenplay.lines import TaggedLine

HIDDEN = "\0"
"""Stands for every character of a note or boneyard; line ends stay."""

_HEADING = re.compile(r"^(?:INT\.?/EXT|EXT\.?/INT|INT|EXT|EST|I/E)(?:\.|\s)\s*\S", re.IGNORECASE)
_SCENE_NUMBER = re.compile(r"\s*#[\w.\-]{1,20}#\s*$")
TITLE_KEY = re.compile(
    r"^(?:title|credit|authors?|source|draft date|date|contact|copyright|notes|revision)\s*:",
    re.IGNORECASE,
)
ANY_KEY = re.compile(r"^[^\s:][^:]{0,40}:")
_EMPHASIS = re.compile(r"(?<!\\)(\*{1,3}|_)(?=\S)(.{0,300}?\S)(?<!\\)\1")
_ESCAPED = re.compile(r"\\([\\*_\[\]~(<])")


@dataclass(frozen=True, slots=True)
class _Visible:
    """A source line without its notes: `hides` if it holds nothing but notes."""

    number: int
    text: str
    hides: bool
    keeps_speech: bool  # two spaces: an empty line that does not end a speech

    @property
    def blank(self) -> bool:
        return not self.text


def read_fountain(path: Path) -> Screenplay:
    """Read a Fountain file."""
    decoded = read_text(path)
    return parse_fountain(decoded.text, warnings=decoded.warnings)


def parse_fountain(text: str, *, warnings: Sequence[str] = ()) -> Screenplay:
    """Parse Fountain; any text is Fountain (what is nothing else is description)."""
    text = text.replace(HIDDEN, " ")
    raw = split_lines(text)
    lines = [_visible(i, line) for i, line in enumerate(split_lines(_hide_notes(text)), 1)]
    title, start = _title_page(lines)
    notes = (_note(line, raw) for line in lines if line.hides and raw[line.number - 1].strip())
    body = [*title, *_body(lines[start:]), *notes]
    return assemble(sorted(body, key=lambda line: line.number), warnings=warnings)


def clean(text: str) -> str:
    """Drop emphasis marks and escapes."""
    return _ESCAPED.sub(r"\1", _EMPHASIS.sub(r"\2", text))


def kind_alone(text: str, *, followed: bool) -> tuple[ElementKind, str]:
    """Kind and bare words of a line after a blank line, outside a speech; `followed`: the next
    line is not blank."""
    for marker, kind in _FORCED.items():
        bare = text[1:].strip()
        if text.startswith(marker) and bare and not (marker == "." and bare[0] == "."):
            return _forced(kind, bare)
    if _HEADING.match(text):
        return ElementKind.HEADING, _without_number(text)
    if text.startswith(("#", "=")):
        return ElementKind.OTHER, text
    if _is_capital(text) and text.endswith("TO:") and not followed:
        return ElementKind.TRANSITION, text
    if followed and _is_capital(text.split("(")[0]):
        return ElementKind.CHARACTER, text.rstrip("^ ")
    return ElementKind.DESCRIPTION, text


_FORCED = {
    ".": ElementKind.HEADING,
    "!": ElementKind.DESCRIPTION,
    "@": ElementKind.CHARACTER,
    ">": ElementKind.TRANSITION,
    "~": ElementKind.DESCRIPTION,
}


def _forced(kind: ElementKind, bare: str) -> tuple[ElementKind, str]:
    if kind is ElementKind.HEADING:
        return kind, _without_number(bare)
    if kind is ElementKind.CHARACTER:
        return kind, bare.rstrip("^ ") or bare
    if kind is ElementKind.TRANSITION and bare.endswith("<") and not bare.endswith("\\<"):
        return ElementKind.DESCRIPTION, bare[:-1].strip() or bare
    return kind, bare


def _without_number(text: str) -> str:
    while (shorter := _SCENE_NUMBER.sub("", text)) not in ("", text):
        text = shorter
    return text


def _is_capital(text: str) -> bool:
    return any(c.isalpha() for c in text) and text == text.upper()


def _hide_notes(text: str) -> str:
    """Blank out boneyard, then notes; those never closed are plain text."""
    return _hide(_hide(text, "/*", "*/"), "[[", "]]")


def _hide(text: str, opening: str, closing: str) -> str:
    pieces, at = [], 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            break
        end += len(closing)
        pieces += [text[at:start], re.sub(r"[^\r\n]", HIDDEN, text[start:end])]
        at = end
    return "".join([*pieces, text[at:]])


def _visible(number: int, line: str) -> _Visible:
    shown = line.replace(HIDDEN, "").strip()
    hides = not shown and HIDDEN in line
    return _Visible(number, shown, hides, keeps_speech=not shown and len(line) >= 2)


def _note(line: _Visible, raw: Sequence[str]) -> TaggedLine:
    text = raw[line.number - 1]
    for mark in ("[[", "]]", "/*", "*/"):
        text = text.replace(mark, " ")
    return _tagged(line.number, text.strip() or raw[line.number - 1], ElementKind.OTHER)


def _title_page(lines: Sequence[_Visible]) -> tuple[list[TaggedLine], int]:
    """The lines of the title page, and where the body starts."""
    if not lines or not TITLE_KEY.match(lines[0].text):
        return [], 0
    start = next((i for i, line in enumerate(lines) if line.blank and not line.hides), len(lines))
    groups: list[list[_Visible]] = []
    for line in lines[:start]:
        if ANY_KEY.match(line.text):
            groups.append([line])
        elif line.text:
            groups[-1].append(line)
    title = [
        TaggedLine(
            group[0].number,
            clean(" ".join(line.text for line in group)),
            ElementKind.OTHER,
            last=group[-1].number,
        )
        for group in groups
    ]
    return title, start


def _body(lines: Sequence[_Visible]) -> Iterator[TaggedLine]:
    shown = [line for line in lines if not line.hides]
    after_blank, speaking = True, False
    for line, after in zip(shown, [*shown[1:], None], strict=False):
        if line.blank:
            speaking = speaking and line.keeps_speech
            after_blank = not speaking
        elif speaking:
            yield _spoken(line)
        else:
            followed = after is not None and (not after.blank or after.keeps_speech)
            found = _told(line, after_blank=after_blank, followed=followed)
            speaking = found.kind is ElementKind.CHARACTER
            after_blank = False
            yield found


def _spoken(line: _Visible) -> TaggedLine:
    if line.text.startswith("(") and line.text.endswith(")"):
        return _tagged(line.number, line.text, ElementKind.PARENTHETICAL)
    text = line.text[1:].strip() if line.text.startswith("~") else line.text
    return TaggedLine(line.number, clean(text or line.text), ElementKind.DIALOGUE)


def _told(line: _Visible, *, after_blank: bool, followed: bool) -> TaggedLine:
    kind, text = kind_alone(line.text, followed=followed)
    if not after_blank and kind is not ElementKind.OTHER and line.text[0] not in _FORCED:
        kind, text = ElementKind.DESCRIPTION, line.text
    if kind is ElementKind.CHARACTER and not followed:
        kind, text = ElementKind.DESCRIPTION, line.text
    if kind is ElementKind.DESCRIPTION:
        return TaggedLine(line.number, clean(text), kind, opens=after_blank)
    return _tagged(line.number, text, kind)


def _tagged(number: int, text: str, kind: ElementKind) -> TaggedLine:
    return TaggedLine(number, clean(text), kind, opens=True)
