"""Final Draft (.fdx): XML whose paragraphs say their type.

Read through defusedxml as a stream: entities are never declared, expanded or fetched. Line
numbers are those of the XML source.
"""

from __future__ import annotations

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
        self._in_text = 0
        self._title_page = 0
        self._place: Locator | None = None

    def setDocumentLocator(self, locator: Locator) -> None:  # noqa: N802 — SAX's name
        self._place = locator

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 — SAX's name
        if name == "Paragraph":
            self._open.append((attrs.get("Type", "General"), self._line(), []))
        elif name == "Text":
            self._in_text += 1
        elif name == "TitlePage":
            self._title_page += 1

    def endElement(self, name: str) -> None:  # noqa: N802 — SAX's name
        if name == "Paragraph" and self._open:
            self._close(*self._open.pop())
        elif name == "Text":
            self._in_text -= 1
        elif name == "TitlePage":
            self._title_page -= 1

    def characters(self, content: str) -> None:
        if self._in_text and self._open:
            self._open[-1][2].append(content)

    def _close(self, kind: str, first: int, pieces: list[str]) -> None:
        text = " ".join("".join(pieces).split())
        if text:
            known = _KINDS.get(kind.strip().lower(), ElementKind.OTHER)
            tag = ElementKind.OTHER if self._title_page else known
            self.found.append(TaggedLine(first, text, tag, opens=True, last=self._line()))

    def _line(self) -> int:
        line = self._place.getLineNumber() if self._place is not None else None
        return line or 1
