"""ELAN (EAF 3.0): a tier a person with the times on screen, and one for actions."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from callsheet.report.sheet import Presence, Sheet, presences

_XSI = "http://www.w3.org/2001/XMLSchema-instance"
_SCHEMA = "http://www.mpi.nl/tools/elan/EAFv3.0.xsd"


def write(sheet: Sheet, path: Path) -> None:
    tiers = _tiers(sheet)
    root = _root()
    order = SubElement(root, "TIME_ORDER")
    stamps = sorted(
        {_ms(t) for of in tiers.values() for p in of for t in (p.span.start, p.span.end)}
    )
    slots = {stamp: f"ts{number}" for number, stamp in enumerate(stamps, start=1)}
    for stamp, slot in slots.items():
        SubElement(order, "TIME_SLOT", TIME_SLOT_ID=slot, TIME_VALUE=str(stamp))
    number = 0
    for name, of in tiers.items():
        tier = SubElement(root, "TIER", TIER_ID=name, LINGUISTIC_TYPE_REF="default-lt")
        for presence in of:
            number += 1
            _annotation(tier, presence, number, slots)
    SubElement(root, "LINGUISTIC_TYPE", LINGUISTIC_TYPE_ID="default-lt",
               TIME_ALIGNABLE="true", GRAPHIC_REFERENCES="false")  # fmt: skip
    indent(root, " ")
    ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _tiers(sheet: Sheet) -> dict[str, list[Presence]]:
    people = presences(sheet.tracks, "name")
    tiers = {
        name: [p for p in people if p.name == name] for name in sorted({p.name for p in people})
    }
    for presence in presences(sheet.tracks, "deed"):
        tiers.setdefault(f"action: {presence.name}", []).append(presence)
    return tiers


def _root() -> Element:
    root = Element(
        "ANNOTATION_DOCUMENT",
        {
            "AUTHOR": "callsheet",
            "DATE": datetime.now(UTC).isoformat(timespec="seconds"),
            "FORMAT": "3.0",
            "VERSION": "3.0",
            "xmlns:xsi": _XSI,
            "xsi:noNamespaceSchemaLocation": _SCHEMA,
        },
    )
    SubElement(root, "HEADER", MEDIA_FILE="", TIME_UNITS="milliseconds")
    return root


def _annotation(tier: Element, presence: Presence, number: int, slots: dict[int, str]) -> None:
    alignable = SubElement(
        SubElement(tier, "ANNOTATION"),
        "ALIGNABLE_ANNOTATION",
        ANNOTATION_ID=f"a{number}",
        TIME_SLOT_REF1=slots[_ms(presence.span.start)],
        TIME_SLOT_REF2=slots[_ms(presence.span.end)],
    )
    SubElement(alignable, "ANNOTATION_VALUE").text = presence.name


def _ms(seconds: float) -> int:
    return round(seconds * 1000)
