"""The four forms of truth read to the same thing, and bad files are one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from callsheet.errors import CallsheetError, InputError
from callsheet.evaluation import Boxes, box_iou, match_tracks, read_truth
from callsheet.store import SCHEMAS, write_rows

CVAT = """<annotations>
<track id="0" label="face"><box frame="0" xtl="0" ytl="0" xbr="10" ybr="10" outside="0">
<attribute name="person">RICK</attribute></box>
<box frame="2" xtl="4" ytl="0" xbr="14" ybr="10" outside="0"/>
<box frame="3" xtl="4" ytl="0" xbr="14" ybr="10" outside="1"/></track>
<track id="1" label="body"><box frame="1" xtl="0" ytl="0" xbr="5" ybr="5" outside="0">
<attribute name="action">Run</attribute></box></track></annotations>"""


def test_cvat_interpolates_and_stops_where_the_track_leaves(tmp_path: Path) -> None:
    (tmp_path / "t.xml").write_text(CVAT)
    truth = read_truth(tmp_path / "t.xml")
    assert truth.person == ("RICK", None)
    assert truth.action == (None, "Run")
    assert truth.kind == ("face", "body")
    assert truth.boxes is not None
    assert truth.boxes.instant.tolist() == [0, 1, 2, 1]
    assert truth.boxes.corners[1].tolist() == [2, 0, 12, 10]


def test_csv_of_tracks_and_of_boxes(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("track,person,action\n3,RICK,\n4,,Kiss\n")
    truth = read_truth(tmp_path / "a.csv")
    assert (truth.person, truth.action, truth.boxes) == (("RICK", None), (None, "Kiss"), None)
    (tmp_path / "b.csv").write_text("track,person,time,x,y,w,h\n3,RICK,0.5,1,2,3,4\n3,,1,1,2,3,4\n")
    boxes = read_truth(tmp_path / "b.csv").boxes
    assert boxes is not None
    assert boxes.clock == "time"
    assert boxes.corners[0].tolist() == [1, 2, 4, 6]


def test_mot_takes_labels_from_beside_it(tmp_path: Path) -> None:
    (tmp_path / "gt.txt").write_text("1,7,10,20,5,5,1,-1\n2,7,11,20,5,5,1,-1\n2,8,0,0,1,1,0,-1\n")
    with pytest.raises(InputError, match=r"gt\.labels\.csv"):
        read_truth(tmp_path / "gt.txt")
    (tmp_path / "gt.labels.csv").write_text("track,person\n7,ILSA\n")
    truth = read_truth(tmp_path / "gt.txt")
    assert truth.person == ("ILSA",)
    assert truth.boxes is not None
    assert truth.boxes.instant.tolist() == [0, 1]  # the ignored box is left out


def test_tables_take_boxes_only_from_the_truth(tmp_path: Path) -> None:
    row = {"track": 0, "kind": "face", "start": 0.0, "end": 1.0, "person": "RICK",
           "action": "background"}  # fmt: skip
    write_rows(tmp_path / "truth.parquet", SCHEMAS["truth"], [row])
    box = {"track": 0, "time": 0.0, "frame": 0, "x": 0, "y": 0, "w": 1, "h": 1, "confidence": 1}
    write_rows(tmp_path / "boxes.parquet", SCHEMAS["boxes"], [box])
    assert read_truth(tmp_path).boxes is not None
    write_rows(tmp_path / "labels.parquet", SCHEMAS["labels"], [])
    assert read_truth(tmp_path).boxes is None  # those boxes are the predicted tracks'


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "person\nRICK\n"),
        ("a.csv", "track,person\nx,RICK\n"),
        ("a.csv", "track,person,x,y,w,h\n1,RICK,1,1,1,1\n"),
        ("a.csv, line 4", "track,person\n1,RICK\n\n2,Laszlo, Victor\n"),
        ("a.csv, line 3", b"track,person\n1,RICK\n2,Ren\xe9e\n"),
        ("a.txt, line 2", b"1,7,10,20,5,5\n2,\xff7,10,20,5,5\n"),
        ("a.xml", "<annotations></annotations>"),
        ("a.xml", "<annotations><track>"),
        ("a.xml", '<!DOCTYPE a [<!ENTITY b "c">]><annotations>&b;</annotations>'),
        ("a.xml", '<annotations><track id="0"><box frame="x"/></track></annotations>'),
        ("a.doc", "?"),
    ],
)
def test_bad_truth_is_one_sentence(tmp_path: Path, name: str, content: str | bytes) -> None:
    path = tmp_path / name.split(",")[0]
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    (tmp_path / "labels.csv").write_text("track,person\n7,RICK\n")
    with pytest.raises(CallsheetError, match=name):
        read_truth(path)


def test_a_mark_at_the_start_and_quoted_commas_are_read(tmp_path: Path) -> None:
    content = '\ufefftrack, person, kind\n\n3,"Laszlo, Victor",Face\n4\n'
    (tmp_path / "a.csv").write_text(content, encoding="utf-8")
    truth = read_truth(tmp_path / "a.csv")
    assert truth.person == ("Laszlo, Victor", None)
    assert truth.kind == ("face", None)


def boxes_of(rows: list[tuple[int, int, float]]) -> Boxes:
    """(track, frame, left) of boxes 10 wide and high."""
    return Boxes(
        np.array([r[0] for r in rows], int), np.array([r[1] for r in rows], int),
        np.array([[r[2], 0, r[2] + 10, 10] for r in rows], float).reshape(-1, 4), "frame",
    )  # fmt: skip


def test_iou_by_hand() -> None:
    a = np.array([[0, 0, 10, 10], [0, 0, 1, 1], [0, 0, 0, 0]], float)
    b = np.array([[5, 0, 15, 10], [2, 2, 3, 3], [0, 0, 0, 0]], float)
    np.testing.assert_allclose(box_iou(a, b), [50 / 150, 0, 0])


def test_pieces_of_one_truth_track_are_all_matched() -> None:
    truth = boxes_of([(0, f, 0) for f in range(6)] + [(1, f, 100) for f in range(6)])
    predicted = boxes_of([(5, f, 1) for f in range(3)] + [(6, f, 1) for f in range(3, 6)]
                         + [(7, 0, 50), (7, 1, 50)])  # fmt: skip
    found = match_tracks(predicted, truth)
    assert found.predicted.tolist() == [5, 6]
    assert found.truth.tolist() == [0, 0]
    assert found.overlap == pytest.approx([9 / 11] * 2)
    assert found.missed == 1


def test_frames_without_a_true_box_count_against_a_match() -> None:
    truth = boxes_of([(0, 0, 0)])
    assert match_tracks(boxes_of([(0, 0, 0), (0, 1, 0)]), truth, overlap=0.5).truth.tolist() == [0]
    three: Any = [(0, 0, 0), (0, 1, 0), (0, 2, 0)]
    assert match_tracks(boxes_of(three), truth, overlap=0.5).truth.tolist() == []
    assert match_tracks(boxes_of([]), truth).missed == 1
