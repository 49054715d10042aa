"""Screenplays in web pages: the text of `<pre>`, or of the whole page where there is none.

Indentation and line numbers of the source are kept. The scanner goes over the page once and
never looks back, so damaged markup costs no more than sound markup.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from callsheet.errors import InputError
from callsheet.text.encodings import read_text
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.assemble import assemble
from callsheet.text.screenplay.lines import TaggedLine
from callsheet.text.screenplay.plain import tag_lines
from callsheet.text.screenplay.transcript import is_transcript, transcript_lines

_NAME = re.compile(r"/?([A-Za-z][A-Za-z0-9]{0,15})")
_SILENT = ("script", "style", "head", "title", "select", "noscript")
_BREAKS = (
    "br", "p", "div", "tr", "li", "ul", "ol", "table", "h1", "h2", "h3", "h4", "h5", "h6", "hr",
    "pre", "blockquote", "center", "section", "article",
)  # fmt: skip
_PRE_SHARE = 0.5
"""Share of a page's letters that must stand in `<pre>` for the rest to be left out."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch of text: the line it starts on, whether it stands in `<pre>`, or a break."""

    line: int
    text: str
    pre: bool
    breaks: bool = False


def read_html(path: Path) -> Screenplay:
    """Read a screenplay from a web page."""
    decoded = read_text(path)
    texts, numbers = page_lines(decoded.text)
    if not texts:
        raise InputError(f"{path.name} is a web page without text", path=str(path))
    read = transcript_lines if is_transcript(texts) else _script_lines
    return assemble(read(texts, numbers), warnings=decoded.warnings)


def _script_lines(texts: Sequence[str], numbers: Sequence[int]) -> list[TaggedLine]:
    return tag_lines(texts, numbers=numbers)


def page_lines(page: str) -> tuple[list[str], list[int]]:
    """The lines of text that a browser would show, and the source line each starts on."""
    pieces = list(_pieces(page))
    letters = sum(len(p.text) for p in pieces)
    in_pre = sum(len(p.text) for p in pieces if p.pre)
    if in_pre >= _PRE_SHARE * letters > 0:
        pieces = [p for p in pieces if p.pre]
    texts, numbers = [""], [1]
    for piece in pieces:
        shown = piece.text.split("\n") if piece.pre else [" ".join(piece.text.split())]
        for offset, text in enumerate(shown):
            if offset or piece.breaks:
                texts.append("")
                numbers.append(piece.line + offset)
            if not texts[-1].strip():
                numbers[-1] = piece.line + offset
            texts[-1] += text if piece.pre or not texts[-1] else " " + text
    return texts, numbers


def _pieces(page: str) -> Iterator[_Piece]:
    """Text between tags; entities are resolved (only HTML's own)."""
    page = page.replace("\r\n", "\n").replace("\r", "\n")
    line, pre, silent = 1, 0, ""
    for text, tag in _split(page):
        if text and not silent:
            yield _Piece(line, html.unescape(text), pre > 0)
        line += text.count("\n")
        name, closes = _tag_name(tag), tag.startswith("</")
        if name in _SILENT:
            silent = "" if closes and name == silent else silent or ("" if closes else name)
        if name == "pre":
            pre = max(0, pre + (-1 if closes else 1))
        if name in _BREAKS and not silent and not (pre and name == "br" and tag.endswith("\n")):
            yield _Piece(line, "", pre > 0, breaks=True)
        line += tag.count("\n")


def _tag_name(tag: str) -> str:
    found = _NAME.match(tag, 1)
    return found[1].lower() if found else ""


def _split(page: str) -> Iterator[tuple[str, str]]:
    """Pairs of text and the tag (or comment) after it; a "<" that opens no tag is text."""
    at = start = 0
    while (opening := page.find("<", at)) >= 0:
        if not _opens_tag(page, opening):
            at = opening + 1
            continue
        comment = page.startswith("<!--", opening)
        end = page.find("-->" if comment else ">", opening)
        if end < 0:
            break
        end += 3 if comment else 1
        yield page[start:opening], page[opening:end]
        at = start = end
    yield page[start:], ""


def _opens_tag(page: str, at: int) -> bool:
    after = page[at + 1 : at + 2]
    return after.isascii() and (after.isalpha() or (after in "/!?" and after != ""))
