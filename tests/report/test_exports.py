"""Every export is read back: by another's reader where one installs, else by a round trip."""

import csv
import json
import warnings
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import parse

import numpy as np
import pyarrow.parquet as pq
import pytest

from callsheet.core import Span
from callsheet.errors import InputError
from callsheet.report.exports import FORMATS, export
from callsheet.report.sheet import Sheet


def written(sheet: Sheet, name: str, folder: Path) -> Path:
    return export(sheet, name, folder / "out")


@pytest.mark.parametrize("name", FORMATS)
def test_one_file_a_film_and_nothing_half_written(sheet: Sheet, name: str, tmp_path: Path) -> None:
    path = written(sheet, name, tmp_path)
    assert path.name == f"casablanca{FORMATS[name].ending}"
    beside = {"ava": {"actions.ava.pbtxt"}}.get(name, set())
    assert {p.name for p in path.parent.iterdir()} == {path.name} | beside
    assert path.stat().st_size > 0


def test_unknown_format_lists_the_choices(sheet: Sheet, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no format 'avi'; the formats are ava, coco"):
        export(sheet, "avi", tmp_path)


def test_csv_and_parquet_hold_the_same_rows(sheet: Sheet, tmp_path: Path) -> None:
    with written(sheet, "csv", tmp_path).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    table = pq.read_table(written(sheet, "parquet", tmp_path)).to_pylist()
    assert [r["person"] for r in rows] == ["RICK BLAINE", "RICK BLAINE", "ILSA <3 & co", ""]
    for row, record in zip(rows, table, strict=True):
        assert row == {k: "" if v is None else str(v) for k, v in record.items()}


def test_webvtt_read_by_pysubs2(sheet: Sheet, tmp_path: Path) -> None:
    import pysubs2

    lines = pysubs2.load(str(written(sheet, "webvtt", tmp_path)))
    texts = [(e.start, e.end, e.text) for e in lines]
    assert texts[0] == (0, 1001, "RICK BLAINE (Kiss)")
    assert "RICK BLAINE (Kiss)" in texts[1][2]
    assert "ILSA" in texts[1][2]
    assert texts[1][:2] == (1001, 2002)
    assert texts[2][:2] == (2002, 4004)


def test_webvtt_forgets_nobody_whose_times_are_no_whole_milliseconds(
    sheet: Sheet, tmp_path: Path
) -> None:
    import pysubs2

    alone = replace(sheet.tracks[2], span=Span(1.0014, 2.0026))
    path = written(replace(sheet, tracks=(alone,)), "webvtt", tmp_path)
    assert [(e.start, e.end) for e in pysubs2.load(str(path))] == [(1001, 2003)]


def test_xray_times(sheet: Sheet, tmp_path: Path) -> None:
    content = json.loads(written(sheet, "xray", tmp_path).read_text(encoding="utf-8"))
    rick = next(p for p in content["people"] if p["name"] == "RICK BLAINE")
    assert rick["seconds"] == pytest.approx(2.002)
    assert content["actions"] == [
        {"action": "Kiss", "start": 0.0, "end": pytest.approx(2.002), "score": 0.5,
         "people": ["RICK BLAINE"]}
    ]  # fmt: skip


def test_mot_read_by_motmetrics(sheet: Sheet, tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import motmetrics

        frame = motmetrics.io.loadtxt(str(written(sheet, "mot", tmp_path)), fmt="mot15-2D")
    assert sorted({i for _, i in frame.index}) == [2, 3, 4]
    first = frame.loc[(1, 2)]
    assert (first.X, first.Y, first.Width, first.Height) == (80.0, 20.0, 90.0, 250.0)
    assert len(frame) == 48 + 72 + 10


def test_coco_read_by_pycocotools(sheet: Sheet, tmp_path: Path) -> None:
    from pycocotools.coco import COCO

    coco = COCO(str(written(sheet, "coco", tmp_path)))
    assert len(coco.getImgIds()) == 100
    here = coco.loadAnns(coco.getAnnIds(imgIds=[30], catIds=[1]))
    assert [(a["track_id"], a["bbox"]) for a in here] == [
        (1, [110.0, 20.0, 90.0, 250.0]),
        (2, [330.0, 20.0, 90.0, 260.0]),
    ]
    assert here[0]["attributes"]["person"] == "RICK BLAINE"


def test_elan_read_by_pympi(sheet: Sheet, tmp_path: Path) -> None:
    from pympi.Elan import Eaf

    eaf = Eaf(str(written(sheet, "elan", tmp_path)))
    assert set(eaf.get_tier_names()) == {"RICK BLAINE", "ILSA <3 & co", "action: Kiss"}
    assert eaf.get_annotation_data_for_tier("RICK BLAINE") == [(0, 2002, "RICK BLAINE")]
    assert eaf.get_annotation_data_for_tier("ILSA <3 & co") == [(1001, 4004, "ILSA <3 & co")]


def test_cvat_tracks_end_with_an_outside_box(sheet: Sheet, tmp_path: Path) -> None:
    root = parse(written(sheet, "cvat", tmp_path)).getroot()
    tracks = {t.get("id"): t for t in root.findall("track")}
    assert root.findtext("version") == "1.1"
    assert root.findtext("meta/task/size") == "100"
    boxes = tracks["2"].findall("box")
    assert [b.get("frame") for b in boxes] == [str(f) for f in range(24, 97)]
    assert [b.get("outside") for b in boxes] == ["0"] * 72 + ["1"]
    assert [b.get("outside") for b in tracks["3"].findall("box")] == ["0"] * 10
    assert float(boxes[0].get("xbr", "")) - float(boxes[0].get("xtl", "")) == 90.0


def ava_labels(path: Path) -> dict[int, str]:
    """The label map by the rules of AVA's own reader: a name line, then a line with the id."""
    labels: dict[int, str] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("  name:"):
            name = line.split('"')[1]
        elif line.startswith(("  id:", "  label_id:")):
            labels[int(line.split(" ")[-1])] = name
    return labels


def ava_detections(path: Path) -> list[tuple[str, list[float], int, float]]:
    """By those rules a row has 7 or 8 columns, a whole second, corners, action and a score."""
    found = []
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.reader(file):
            assert len(row) in (7, 8)
            image = f"{row[0]},{int(row[1]):04d}"
            score = float(row[7]) if len(row) == 8 else 1.0
            found.append((image, [float(v) for v in row[2:6]], int(row[6]), score))
    return found


def test_ava_rows_by_the_rules_of_its_reader(sheet: Sheet, tmp_path: Path) -> None:
    short = replace(sheet.tracks[2], span=Span(1.6, 1.9), action="Kiss", action_score=0.25)
    sheet = replace(sheet, tracks=(*sheet.tracks[:2], short))
    path = written(sheet, "ava", tmp_path)
    labels = ava_labels(path.parent / "actions.ava.pbtxt")
    assert (labels[1], labels[8], len(labels)) == ("StandUp", "Kiss", 13)
    rows = ava_detections(path)
    assert [(image, labels[action], score) for image, _, action, score in rows] == [
        ("casablanca,0000", "Kiss", 0.5),
        ("casablanca,0001", "Kiss", 0.5),
        ("casablanca,0002", "Kiss", 0.5),
        ("casablanca,0002", "Kiss", 0.25),
    ]
    corners = np.array([box for _, box, _, _ in rows])
    assert ((corners >= 0) & (corners <= 1)).all()
    np.testing.assert_allclose(corners[0], [80 / 640, 20 / 360, 170 / 640, 270 / 360], atol=1e-4)


def test_rttm_fields(sheet: Sheet, tmp_path: Path) -> None:
    lines = written(sheet, "rttm", tmp_path).read_text(encoding="utf-8").splitlines()
    assert lines[0].split() == [
        "SPEAKER", "casablanca", "1", "0.000", "2.002", "<NA>", "<NA>", "RICK_BLAINE", "0.7500",
        "<NA>",
    ]  # fmt: skip
