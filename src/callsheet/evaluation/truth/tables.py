"""Our own tables: truth.parquet, with truth_boxes.parquet or boxes.parquet beside it if any.

In a film's work folder boxes.parquet belongs to the *predicted* tracks, so it counts as the
truth's only where no labels.parquet lies beside it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from callsheet.errors import InputError
from callsheet.evaluation.truth.truth import Boxes, Truth, box_corners
from callsheet.store import SCHEMAS, read_table


def read_table_truth(path: Path) -> Truth:
    """Read a folder with truth.parquet, or the file itself."""
    file = path / "truth.parquet" if path.is_dir() else path
    if not file.exists():
        raise InputError(f"{path} holds no truth.parquet; truth is a CSV, MOT or CVAT file, or a"
                         " folder with that table (--truth)")  # fmt: skip
    table = read_table(file, SCHEMAS["truth"])
    boxes = _boxes_beside(file.parent)
    return Truth(
        track=table.column("track").to_numpy(),
        person=tuple(table.column("person").to_pylist()),
        action=tuple(table.column("action").to_pylist()),
        kind=tuple(table.column("kind").to_pylist()),
        boxes=None if boxes is None else read_boxes(boxes),
        form="tables",
    )


def read_boxes(path: Path) -> Boxes:
    """Read a boxes table; its clock is the frame number."""
    table = read_table(path, SCHEMAS["boxes"])
    columns = {name: table.column(name).to_numpy() for name in table.column_names}
    sides = (columns[name] for name in ("x", "y", "w", "h"))
    return Boxes(columns["track"], columns["frame"].astype(np.int64), box_corners(*sides), "frame")


def _boxes_beside(folder: Path) -> Path | None:
    if (folder / "truth_boxes.parquet").exists():
        return folder / "truth_boxes.parquet"
    own = folder / "boxes.parquet"
    return own if own.exists() and not (folder / "labels.parquet").exists() else None
