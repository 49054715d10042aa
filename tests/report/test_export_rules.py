"""The XML exports against the public rules of their formats, written down here in our words.

EAF: the schema EAFv3.0 (order of elements, required attributes, keys and references), and ELAN's
own demand that annotations of a tier do not overlap. CVAT: the documented form of its XML 1.1 for
videos (declared labels and attributes, boxes in order of frames, a track's end).
"""

from itertools import pairwise
from pathlib import Path
from xml.etree.ElementTree import Element, parse

import pytest

from callsheet.report.exports import export
from callsheet.report.sheet import Sheet

EAF_ORDER = (
    *("LICENSE", "HEADER", "TIME_ORDER", "TIER", "LINGUISTIC_TYPE", "LOCALE", "LANGUAGE"),
    *("CONSTRAINT", "CONTROLLED_VOCABULARY", "LEXICON_REF", "REF_LINK_SET", "EXTERNAL_REF"),
)
EAF_NEEDED = {
    "ANNOTATION_DOCUMENT": {"AUTHOR", "DATE", "VERSION"},
    "TIME_SLOT": {"TIME_SLOT_ID"},
    "TIER": {"TIER_ID", "LINGUISTIC_TYPE_REF"},
    "ALIGNABLE_ANNOTATION": {"ANNOTATION_ID", "TIME_SLOT_REF1", "TIME_SLOT_REF2"},
    "LINGUISTIC_TYPE": {"LINGUISTIC_TYPE_ID"},
}
EAF_ALLOWED = {
    "ANNOTATION_DOCUMENT": {"FORMAT", "{http://www.w3.org/2001/XMLSchema-instance}"
                            "noNamespaceSchemaLocation"},
    "HEADER": {"MEDIA_FILE", "TIME_UNITS"},
    "TIME_SLOT": {"TIME_VALUE"},
    "TIER": {"PARTICIPANT", "ANNOTATOR", "DEFAULT_LOCALE", "PARENT_REF", "EXT_REF", "LANG_REF"},
    "ALIGNABLE_ANNOTATION": {"SVG_REF", "EXT_REF", "LANG_REF", "CVE_REF"},
    "LINGUISTIC_TYPE": {"TIME_ALIGNABLE", "CONSTRAINTS", "GRAPHIC_REFERENCES",
                        "CONTROLLED_VOCABULARY_REF", "EXT_REF", "LEXICON_REF"},
}  # fmt: skip
EAF_INSIDE = {
    "TIME_ORDER": {"TIME_SLOT"}, "TIER": {"ANNOTATION"}, "ANNOTATION": {"ALIGNABLE_ANNOTATION"},
    "ALIGNABLE_ANNOTATION": {"ANNOTATION_VALUE"},
}  # fmt: skip


def root_of(sheet: Sheet, name: str, folder: Path) -> Element:
    root = parse(export(sheet, name, folder)).getroot()
    assert root is not None
    return root


def of_one(found: list[str]) -> set[str]:
    """Names that must differ."""
    assert len(found) == len(set(found))
    return set(found)


def test_elan_keeps_the_rules_of_its_schema(sheet: Sheet, tmp_path: Path) -> None:
    root = root_of(sheet, "elan", tmp_path)
    assert root.tag == "ANNOTATION_DOCUMENT"
    places = [EAF_ORDER.index(child.tag) for child in root]
    assert places == sorted(places)
    assert [child.tag for child in root].count("HEADER") == 1
    assert [child.tag for child in root].count("TIME_ORDER") == 1
    for element in root.iter():
        needed = EAF_NEEDED.get(element.tag, set())
        assert needed <= set(element.keys())
        assert set(element.keys()) <= needed | EAF_ALLOWED.get(element.tag, set())
        if element is not root:
            assert {child.tag for child in element} <= EAF_INSIDE.get(element.tag, set())
    ids = [slot.get("TIME_SLOT_ID", "") for slot in root.iter("TIME_SLOT")]
    ids += [a.get("ANNOTATION_ID", "") for a in root.iter("ALIGNABLE_ANNOTATION")]
    of_one(ids)
    types = of_one([t.get("LINGUISTIC_TYPE_ID", "") for t in root.iter("LINGUISTIC_TYPE")])
    assert {tier.get("LINGUISTIC_TYPE_REF") for tier in root.iter("TIER")} <= types
    of_one([tier.get("TIER_ID", "") for tier in root.iter("TIER")])


def test_elan_annotations_lie_in_time_one_after_another(sheet: Sheet, tmp_path: Path) -> None:
    root = root_of(sheet, "elan", tmp_path)
    slots = [(s.get("TIME_SLOT_ID", ""), int(s.get("TIME_VALUE", "")))
             for s in root.iter("TIME_SLOT")]  # fmt: skip
    values = [value for _, value in slots]
    assert values == sorted(values)
    assert min(values) >= 0
    for tier in root.iter("TIER"):
        times = [
            tuple(dict(slots)[a.get(f"TIME_SLOT_REF{end}", "")] for end in (1, 2))
            for a in tier.iter("ALIGNABLE_ANNOTATION")
        ]
        assert all(start < end for start, end in times)
        assert all(one[1] <= other[0] for one, other in pairwise(times))


@pytest.fixture
def cvat(sheet: Sheet, tmp_path: Path) -> Element:
    return root_of(sheet, "cvat", tmp_path)


def test_cvat_declares_what_it_uses(cvat: Element) -> None:
    assert cvat.tag == "annotations"
    assert [child.tag for child in cvat][:2] == ["version", "meta"]
    assert {child.tag for child in cvat} == {"version", "meta", "track"}
    task = cvat.find("meta/task")
    assert task is not None
    size = int(task.findtext("size", ""))
    assert (task.findtext("start_frame"), task.findtext("stop_frame")) == ("0", str(size - 1))
    assert task.findtext("mode") == "interpolation"
    declared: dict[str, set[str]] = {}
    for label in task.findall("labels/label"):
        attributes = label.findall("attributes/attribute")
        for attribute in attributes:
            assert {child.tag for child in attribute} == {
                "name", "mutable", "input_type", "default_value", "values",
            }  # fmt: skip
            assert attribute.findtext("mutable") in ("True", "False")
            assert attribute.findtext("input_type") in (
                "select", "checkbox", "radio", "number", "text",
            )  # fmt: skip
        declared[label.findtext("name", "")] = of_one([a.findtext("name", "") for a in attributes])
    for track in cvat.findall("track"):
        for box in track:
            assert {a.get("name") for a in box} == declared[track.get("label", "")]
    of_one([track.get("id", "") for track in cvat.findall("track")])


def test_cvat_boxes_are_whole_and_in_order(cvat: Element) -> None:
    last = int(cvat.findtext("meta/task/stop_frame", ""))
    for track in cvat.findall("track"):
        assert {child.tag for child in track} == {"box"}
        frames = [int(box.get("frame", "")) for box in track]
        assert all(one < other for one, other in pairwise(frames))
        assert 0 <= frames[0] <= frames[-1] <= last
        ends = [box.get("outside") for box in track]
        assert set(ends[:-1]) == {"0"}
        assert ends[-1] == "1" or frames[-1] == last
        for box in track:
            assert {box.get(name) for name in ("occluded", "keyframe", "outside")} <= {"0", "1"}
            left, top, right, bottom = (float(box.get(s, "")) for s in ("xtl", "ytl", "xbr", "ybr"))
            assert left < right
            assert top < bottom
