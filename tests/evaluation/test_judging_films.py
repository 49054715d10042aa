"""Films judged through every form of truth: what is not judged is counted and told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from callsheet.errors import InputError
from callsheet.evaluation import Evaluation, EvaluationSettings, evaluate_films
from callsheet.evaluation.answers import true_labels
from callsheet.store import SCHEMAS, write_rows

FEW = EvaluationSettings(draws=5)
PERSONS = ("background", "ILSA", "RICK")


@pytest.fixture
def film(tmp_path: Path) -> Path:
    """Faces 0 (RICK) and 1 (ILSA), body 2 around face 0; ten frames at 25 a second."""
    folder = tmp_path / "film"
    kinds = ("face", "face", "body")
    write(folder, "tracks", [
        {"track": i, "kind": kind, "shot": 0, "start": 0.0, "end": 0.4, "best_time": 0.0,
         "quality": 1.0, "linked": None, "row": i if kind == "face" else 0}
        for i, kind in enumerate(kinds)
    ])  # fmt: skip
    lefts = (0, 100, 0)
    write(folder, "boxes", [
        {"track": i, "time": f / 25, "frame": f, "x": left, "y": 0, "w": 10, "h": 10,
         "confidence": 1.0}
        for i, left in enumerate(lefts) for f in range(10)
    ])  # fmt: skip
    said = ("RICK", "ILSA", None)
    empty = {"person_score": None, "person_margin": None, "person_reasons": [],
             "action_score": None, "action_margin": None, "action_reasons": []}  # fmt: skip
    write(folder, "labels", [
        {"track": i, "person": name, "action": "Run" if i == 2 else None} | empty
        for i, name in enumerate(said)
    ])  # fmt: skip
    scores = [{"track": i, "kind": "person", "label": name, "score": float(name == said[i])}
              for i in range(2) for name in PERSONS]  # fmt: skip
    actions = [{"track": 2, "kind": "action", "label": name, "score": float(name == "Run")}
               for name in ("background", "Run")]  # fmt: skip
    write(folder, "scores", [*scores, *actions])
    return folder


def write(folder: Path, table: str, rows: list[dict[str, Any]]) -> None:
    write_rows(folder / f"{table}.parquet", SCHEMAS[table], rows)


def judge(film: Path, name: str, content: str) -> Evaluation:
    (film.parent / name).write_text(content)
    return evaluate_films([film], [film.parent / name], FEW)


def test_mot_boxes_count_frames_from_one(film: Path) -> None:
    (film.parent / "gt.labels.csv").write_text("track,person\n7,RICK\n8,ILSA\n9,SAM\n")
    boxes = "".join(f"{f},7,1,0,10,10\n{f},8,99,0,10,10\n" for f in range(1, 11))
    found = judge(film, "gt.txt", boxes)
    assert found.value("name accuracy") == 1.0
    assert found.tracks == {"person": 2}
    assert found.missed == 1  # SAM has a label and no box
    assert any("1 of 3 truth tracks have a label but no box (9)" in w for w in found.warnings)
    assert "match:boxes(iou>=0.5)" in found.measures[0].signature
    strict = EvaluationSettings(draws=0, overlap=0.9)
    with pytest.raises(InputError, match="is it the same film"):
        evaluate_films([film], [film.parent / "gt.txt"], strict)


def test_cvat_tracks_match_within_their_kind(film: Path) -> None:
    """The body has the same boxes as the face; only the kind tells them apart."""

    def box(left: int) -> str:
        ends = [f'<box frame="{f}" xtl="{left}" ytl="0" xbr="{left + 10}" ybr="10" outside="0"/>'
                for f in (0, 9)]  # fmt: skip
        return "".join(ends)

    body = f'<track label="body">{box(0)}<attribute name="action">Run</attribute></track>'
    face = f'<track label="face">{box(0)}<attribute name="person">RICK</attribute></track>'
    for tracks in (body + face, face + body):
        found = judge(film, "gt.xml", f"<annotations>{tracks}</annotations>")
        assert found.tracks == {"person": 1, "action": 1}
        assert found.value("name accuracy") == found.value("action accuracy") == 1.0
    alone = judge(film, "gt.xml", f"<annotations>{body}</annotations>")
    assert alone.tracks == {"action": 1}


def test_boxes_on_a_clock_of_seconds(film: Path) -> None:
    rows = "".join(f"5,ILSA,{f / 25},100,0,10,10\n" for f in range(10))
    found = judge(film, "gt.csv", "track,person,time,x,y,w,h\n" + rows)
    assert found.tracks == {"person": 1}
    assert found.value("name accuracy") == 1.0


def test_truth_of_tracks_the_film_does_not_have_is_counted_and_told(film: Path) -> None:
    found = judge(film, "ids.csv", "track,kind,person\n0,face,RICK\n1,body,ILSA\n41,,SAM\n")
    assert found.tracks == {"person": 1}
    assert found.missed == 2
    (warning,) = found.warnings
    assert "2 of 3 truth tracks (1, 41) are no tracks of this film" in warning
    assert true_labels(film, film.parent / "ids.csv", "person") == {0: "RICK"}
    assert "match:id|" in found.measures[0].signature
