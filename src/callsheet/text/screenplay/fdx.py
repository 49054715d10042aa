"""Final Draft (.fdx): XML whose paragraphs say their type.

Read through defusedxml as a stream: entities are never declared, expanded or fetched. Line
numbers are those of the XML source. Much else in the file is made of paragraphs, too: running
heads, notes, synopses and other takes of a line; only what stands in the script is read.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from callsheet.core import ElementKind
from callsheet.errors import InputError, MissingExtraError
from callsheet.text.encodings import read_bytes
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.assemble import assemble
from callsheet.text.screenplay.lines import TaggedLine

_KINDS = {
    "scene heading": ElementKind.HEADING,
    "action": ElementKind.DESCRIPTION,
    "general": ElementKind.DESCRIPTION,
    "shot": ElementKind.DESCRIPTION,
    "character": ElementKind.CHARACTER,
    "dialogue": ElementKind.DIALOGUE,
    "lyrics": ElementKind.DIALOGUE,
    "singing": ElementKind.DIALOGUE,
    "parenthetical": ElementKind.PARENTHETICAL,
    "transition": ElementKind.TRANSITION,
}
"""Paragraph type -> kind; what is not here (cast list, new act, ...) is "other"."""

_SCRIPT = frozenset(["FinalDraft", "TitlePage", "Content", "Paragraph", "DualDialogue", "Text"])
"""Whatever stands in any other element is no part of the script."""


def read_fdx(path: Path) -> Screenplay:
    """Read a Final Draft file."""
    try:
        from defusedxml.common import DefusedXmlException
        from defusedxml.sax import parseString
    except ImportError as error:
        raise MissingExtraError(
            "FDX needs defusedxml; run pip install 'callsheet[text]'"
        ) from error
    paragraphs = _Paragraphs()
    try:
        parseString(read_bytes(path), paragraphs)
    except DefusedXmlException as error:
        raise InputError(
            f"{path.name} declares XML entities, which no screenplay needs; it was not read",
            path=str(path),
        ) from error
    except SAXParseException as error:
        raise InputError(
            f"{path.name}, line {error.getLineNumber()}: broken XML ({error.getMessage()})",
            path=str(path),
        ) from error
    except (ValueError, LookupError) as error:
        raise InputError(f"{path.name} is broken XML ({error})", path=str(path)) from error
    if not paragraphs.found:
        raise InputError(
            f"{path.name} holds no Final Draft paragraphs; is it a screenplay?", path=str(path)
        )
    return assemble(sorted(paragraphs.found, key=lambda line: line.number))


class _Paragraphs(ContentHandler):
    """Collects the paragraphs of the script; dual dialogue nests them in one another."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[TaggedLine] = []
        self._open: list[tuple[str, int, list[str]]] = []
        self._inside: Counter[str] = Counter()
        self._foreign = 0
        self._place: Locator | None = None

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802 — SAX's name
        self._place = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 — SAX's name
        if self._foreign or name not in _SCRIPT:
            self._foreign += 1
            return
        self._inside[name] += 1
        if name == "Paragraph":
            self._open.append((attrs.get("Type", "General"), self._line(), []))

    def endElement(self, name: str) -> None:  # noqa: N802 — SAX's name
        if self._foreign:
            self._foreign -= 1
            return
        self._inside[name] -= 1
        if name == "Paragraph":
            self._close(*self._open.pop())

    def characters(self, content: str) -> None:
        if self._open and self._inside["Text"] and self._inside["Content"] and not self._foreign:
            self._open[-1][2].append(content)

    def _close(self, kind: str, first: int, pieces: list[str]) -> None:
        text = " ".join("".join(pieces).split())
        if text:
            known = _KINDS.get(kind.strip().lower(), ElementKind.OTHER)
            tag = ElementKind.OTHER if self._inside["TitlePage"] else known
            self.found.append(TaggedLine(first, text, tag, opens=True, last=self._line()))

    def _line(self) -> int:
        line = self._place.getLineNumber() if self._place is not None else None
        return line or 1
