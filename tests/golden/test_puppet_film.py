"""Golden: detection, tracking and descriptors find the truth of a rendered film.

pytest -m slow tests/golden -s                          # prints the figures
CALLSHEET_GOLDEN_SEED=5 pytest -m slow tests/golden -s  # the same on another film
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from callsheet.store import open_matrix, read_rows
from callsheet.store.schemas import BOXES, TRACKS, TRUTH
from callsheet.theatre import render_library
from callsheet.video import make_features, make_tracks
from callsheet.video.models import is_present

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not all(is_present(name) for name in ("yunet", "sface", "ssd-person")),
        reason="run `callsheet models pull` first: the golden film needs the networks",
    ),
]

SEED = int(os.environ.get("CALLSHEET_GOLDEN_SEED", "2"))
Boxes = dict[int, dict[int, np.ndarray]]  # track -> frame -> x, y, w, h


def _boxes(folder: Path, schema_name: str, kind: str) -> Boxes:
    """Boxes of the tracks of one kind; the truth's kinds stand in its own table."""
    table = TRUTH if schema_name == "truth" else TRACKS
    wanted = {
        r["track"] for r in read_rows(folder / f"{table.name}.parquet", table) if r["kind"] == kind
    }
    found: Boxes = defaultdict(dict)
    for row in read_rows(folder / "boxes.parquet", BOXES):
        if row["track"] in wanted:
            found[row["track"]][row["frame"]] = np.array([row[c] for c in "xywh"])
    return found


def _iou(a: np.ndarray, b: np.ndarray) -> float:
    sides = np.minimum(a[:2] + a[2:], b[:2] + b[2:]) - np.maximum(a[:2], b[:2])
    shared = float(np.prod(np.maximum(sides, 0.0)))
    return shared / float(a[2] * a[3] + b[2] * b[3] - shared)


def _followed(truth: dict[int, np.ndarray], predicted: Boxes) -> list[int | None]:
    """For every frame of one true track, the predicted track that covers it at IoU 0.5."""
    ids: list[int | None] = []
    for frame, box in sorted(truth.items()):
        scores = {t: _iou(box, boxes[frame]) for t, boxes in predicted.items() if frame in boxes}
        best = max(scores, key=scores.__getitem__, default=None)
        ids.append(best if best is not None and scores[best] >= 0.5 else None)
    return ids


def _switches(ids: list[int | None]) -> int:
    seen = [i for i in ids if i is not None]
    return sum(a != b for a, b in pairwise(seen))


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("golden")
    render_library(folder, films=1, seed=SEED, seconds=20.0)
    video, tables = folder / "film-01" / "film.mp4", folder / "tables"
    make_tracks(video, tables)
    make_features(video, tables)
    return folder


@pytest.mark.timeout(1800)
def test_faces_are_found_followed_and_told_apart(film: Path) -> None:
    truth = _boxes(film / "film-01" / "truth", "truth", "face")
    predicted = _boxes(film / "tables", "tracks", "face")
    followed = {track: _followed(boxes, predicted) for track, boxes in truth.items()}
    found = [sum(i is not None for i in ids) >= 0.5 * len(ids) for ids in followed.values()]
    boxes_found = np.mean([i is not None for ids in followed.values() for i in ids])
    switches = sum(_switches(ids) for ids in followed.values())
    right = _nearest_neighbour(film, followed)
    sys.stdout.write(
        f"\nfilm of seed {SEED}: {np.mean(found):.3f} of {len(found)} face tracks found at IoU 0.5"
        f" ({boxes_found:.3f} of their boxes), {switches} switches, nearest neighbour right"
        f" {right:.3f}\n"
    )
    assert np.mean(found) >= 0.9
    assert switches <= 1
    assert right >= 0.95


def _nearest_neighbour(film: Path, followed: dict[int, list[int | None]]) -> float:
    """Share of described face tracks whose nearest other track shows the same person.

    Only people with two tracks or more can have such a neighbour.
    """
    people = {
        r["track"]: r["person"] for r in read_rows(film / "film-01/truth/truth.parquet", TRUTH)
    }
    shown = {i: people[t] for t, ids in followed.items() for i in ids if i is not None}
    rows = {r["track"]: r["row"] for r in read_rows(film / "tables/tracks.parquet", TRACKS)}
    tracks = [t for t in shown if rows[t] is not None and shown[t] != "background"]
    faces = np.asarray(open_matrix(film / "tables" / "faces.npy"))[[rows[t] for t in tracks]]
    faces = faces.astype(np.float64) / np.linalg.norm(faces, axis=1, keepdims=True)
    names = np.array([shown[t] for t in tracks])
    likeness = faces @ faces.T
    np.fill_diagonal(likeness, -np.inf)
    asked = [n for n, name in enumerate(names) if (names == name).sum() > 1]
    assert len(asked) >= 6, "the golden film must show people more than once"
    return float(np.mean([names[likeness[n].argmax()] == names[n] for n in asked]))


@pytest.mark.timeout(1800)
def test_bodies_are_found(film: Path) -> None:
    truth = _boxes(film / "film-01" / "truth", "truth", "body")
    predicted = _boxes(film / "tables", "tracks", "body")
    named = {r["track"] for r in read_rows(film / "film-01/truth/truth.parquet", TRUTH)
             if r["person"] != "background"}  # fmt: skip
    shares = [np.mean([i is not None for i in _followed(boxes, predicted)])
              for track, boxes in truth.items() if track in named]  # fmt: skip
    assert np.mean(np.array(shares) >= 0.5) >= 0.8
