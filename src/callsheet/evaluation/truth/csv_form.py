"""Truth in CSV: one row a track (`track, person, action`) or one row a box.

With columns `x, y, w, h` and `frame` (from 0) or `time` (seconds) the rows are boxes of truth
tracks; without, `track` is the id of a predicted track. An empty cell is "not told".
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np

from callsheet.errors import InputError
from callsheet.evaluation.truth.truth import Boxes, Truth, box_corners

SIDES = ("x", "y", "w", "h")


def read_csv_truth(path: Path) -> Truth:
    """Read a CSV file with a heading line."""
    rows = read_labelled_rows(path)
    has_boxes = bool(rows) and set(SIDES) <= set(rows[0])
    boxes = _boxes(path, rows) if has_boxes else None
    labels = _labels(path, rows)
    return Truth(
        track=np.array(list(labels), dtype=np.int64),
        person=tuple(row.get("person") or None for row in labels.values()),
        action=tuple(row.get("action") or None for row in labels.values()),
        kind=tuple(row.get("kind") or None for row in labels.values()),
        boxes=boxes,
        form="csv",
    )


def read_labelled_rows(path: Path) -> list[dict[str, str]]:
    """Read rows with at least `track` and one of `person`, `action`."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, skipinitialspace=True)
            rows = [{str(k).strip(): (v or "").strip() for k, v in row.items()} for row in reader]
            headings = [name.strip() for name in reader.fieldnames or ()]
    except (UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"{path} is not a CSV file in UTF-8 ({error})") from error
    if "track" not in headings or not {"person", "action"} & set(headings):
        raise InputError(
            f"{path} needs the columns track and person or action, got"
            f" {', '.join(headings) or 'none'}"
        )
    return rows


def _labels(path: Path, rows: list[dict[str, str]]) -> dict[int, dict[str, str]]:
    """The first row of each track that tells something."""
    labels: dict[int, dict[str, str]] = {}
    for line, row in enumerate(rows, start=2):
        track = int(_number(path, line, row, "track"))
        if track not in labels or not (labels[track].get("person") or labels[track].get("action")):
            labels[track] = row
    return labels


def _boxes(path: Path, rows: list[dict[str, str]]) -> Boxes:
    clock = next((name for name in ("frame", "time") if name in rows[0]), None)
    if clock is None:
        raise InputError(f"{path} has boxes but neither a frame nor a time column")
    wanted = ("track", clock, *SIDES)
    values = np.array(
        [[_number(path, line, row, name) for name in wanted] for line, row in enumerate(rows, 2)]
    )
    instant: Any = values[:, 1].astype(np.int64) if clock == "frame" else values[:, 1]
    return Boxes(values[:, 0].astype(np.int64), instant, box_corners(*values[:, 2:].T), clock)


def _number(path: Path, line: int, row: dict[str, str], name: str) -> float:
    try:
        value = float(row[name])
    except ValueError:
        value = float("nan")
    if not np.isfinite(value):
        raise InputError(f"{path}, line {line}: {name} must be a number, got {row[name]!r}")
    return value
