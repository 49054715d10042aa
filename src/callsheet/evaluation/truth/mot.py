"""Truth in MOT form: `frame, id, left, top, width, height, ...`, frames from 1.

MOT says where a track is, not who it shows; labels come from `NAME.labels.csv` (or
`labels.csv`) beside `NAME.txt`, one row a track: `track, person, action`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from callsheet.errors import InputError
from callsheet.evaluation.truth.csv_form import read_csv_truth
from callsheet.evaluation.truth.truth import Boxes, Truth, box_corners, read_text


def read_mot_truth(path: Path) -> Truth:
    """Read boxes from a MOT file and labels from the CSV beside it."""
    labels = read_csv_truth(_labels_beside(path))
    return Truth(
        labels.track, labels.person, labels.action, labels.kind, read_mot_boxes(path), "mot"
    )


def read_mot_boxes(path: Path) -> Boxes:
    """Read the boxes; rows marked "not to be judged" (confidence 0) are left out."""
    rows = [
        _row(path, line, text)
        for line, text in enumerate(read_text(path).splitlines(), start=1)
        if text.strip()
    ]
    values = np.array([row for row in rows if row[6] != 0] or np.zeros((0, 7)))
    frame, track = values[:, 0].astype(np.int64) - 1, values[:, 1].astype(np.int64)
    return Boxes(track, frame, box_corners(*values[:, 2:6].T), "frame")


def _row(path: Path, line: int, text: str) -> list[float]:
    try:
        values = [float(part) for part in text.replace(",", " ").split()]
    except ValueError:
        raise InputError(f"{path}, line {line}: MOT lines are numbers, got {text!r}") from None
    if len(values) < 6 or not np.isfinite(values).all():
        raise InputError(
            f"{path}, line {line}: MOT needs frame, id, left, top, width, height, got {text!r}"
        )
    return values[:7] if len(values) > 6 else [*values, 1.0]


def _labels_beside(path: Path) -> Path:
    for beside in (path.with_suffix(".labels.csv"), path.parent / "labels.csv"):
        if beside.exists():
            return beside
    raise InputError(
        f"{path} says where tracks are, not who they show: put {path.stem}.labels.csv"
        " (track, person, action) beside it"
    )
