"""CVAT for video 1.1: a `track` element a track, with person and action as attributes.

CVAT knows a track's end by a last box marked `outside`. Our track number is kept in the
attribute `track`, so that corrections can be imported again, and marks of what we said of it in
`exported`, so that an import knows what was changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent

from callsheet.core import TrackKind
from callsheet.report.exports.rows import exported
from callsheet.report.sheet import Sheet, SheetTrack


def write(sheet: Sheet, path: Path) -> None:
    root = Element("annotations")
    SubElement(root, "version").text = "1.1"
    _meta(root, sheet)
    for track in sheet.tracks:
        _track(root, track, last_frame=sheet.picture.frames - 1)
    indent(root, " ")
    ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)


def _meta(root: Element, sheet: Sheet) -> None:
    meta = SubElement(root, "meta")
    task = SubElement(meta, "task")
    for tag, text in (
        ("id", "1"),
        ("name", sheet.film),
        ("size", str(sheet.picture.frames)),
        ("mode", "interpolation"),
        ("overlap", "0"),
        ("start_frame", "0"),
        ("stop_frame", str(max(0, sheet.picture.frames - 1))),
    ):
        SubElement(task, tag).text = text
    labels = SubElement(task, "labels")
    for kind in TrackKind:
        label = SubElement(labels, "label")
        SubElement(label, "name").text = kind.value
        attributes = SubElement(label, "attributes")
        for name in ("track", "person", "action", "exported"):
            _attribute_kind(attributes, name)
    size = SubElement(task, "original_size")
    SubElement(size, "width").text = str(sheet.picture.width)
    SubElement(size, "height").text = str(sheet.picture.height)


def _attribute_kind(parent: Element, name: str) -> None:
    attribute = SubElement(parent, "attribute")
    for tag, text in (
        ("name", name),
        ("mutable", "False"),
        ("input_type", "text"),
        ("default_value", ""),
        ("values", ""),
    ):
        SubElement(attribute, tag).text = text


def _track(root: Element, track: SheetTrack, *, last_frame: int) -> None:
    element = SubElement(root, "track", id=str(track.track), label=track.kind.value, source="auto")
    frames = track.boxes.frame
    for frame, box in zip(frames, track.boxes.box, strict=True):
        _box(element, track, int(frame), box.tolist(), outside=False)
    after = int(frames[-1]) + 1
    if after <= last_frame:
        _box(element, track, after, track.boxes.box[-1].tolist(), outside=True)


def _box(
    parent: Element, track: SheetTrack, frame: int, box: Sequence[float], *, outside: bool
) -> None:
    x, y, w, h = box
    element = SubElement(
        parent,
        "box",
        frame=str(frame),
        outside=str(int(outside)),
        occluded="0",
        keyframe="1",
        xtl=f"{x:.2f}",
        ytl=f"{y:.2f}",
        xbr=f"{x + w:.2f}",
        ybr=f"{y + h:.2f}",
        z_order="0",
    )
    values = {"track": str(track.track), "person": track.person or "", "action": track.action or "",
              "exported": exported(track)}  # fmt: skip
    for name, text in values.items():
        SubElement(element, "attribute", name=name).text = text
