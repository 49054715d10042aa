"""Truth in CSV: one row a track (`track, person, action`) or one row a box.

With columns `x, y, w, h` and `frame` (from 0) or `time` (seconds) the rows are boxes of truth
tracks; without, `track` is the id of a predicted track. An empty cell is "not told".
"""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np

from callsheet.errors import InputError
from callsheet.evaluation.truth.truth import Boxes, Truth, box_corners, read_text

SIDES = ("x", "y", "w", "h")


Lines = list[tuple[int, dict[str, str]]]
"""Rows, each with the number of its line."""


def read_csv_truth(path: Path) -> Truth:
    """Read a CSV file with a heading line."""
    rows = read_labelled_rows(path)
    has_boxes = bool(rows) and set(SIDES) <= set(rows[0][1])
    boxes = _boxes(path, rows) if has_boxes else None
    labels = _labels(path, rows)
    return Truth(
        track=np.array(list(labels), dtype=np.int64),
        person=tuple(row.get("person") or None for row in labels.values()),
        action=tuple(row.get("action") or None for row in labels.values()),
        kind=tuple((row.get("kind") or "").lower() or None for row in labels.values()),
        boxes=boxes,
        form="csv",
    )


def read_labelled_rows(path: Path) -> Lines:
    """Read rows with at least `track` and one of `person`, `action`."""
    reader = csv.reader(io.StringIO(read_text(path), newline=""), skipinitialspace=True)
    rows: Lines = []
    headings: list[str] = []
    try:
        for cells in reader:
            line, cells = reader.line_num, [cell.strip() for cell in cells]
            if not any(cells):
                continue
            if not headings:
                headings = _checked_headings(path, cells)
                continue
            if len(cells) > len(headings):
                raise InputError(
                    f"{path}, line {line}: {len(cells)} cells for {len(headings)} columns;"
                    " put a name with a comma in quotes"
                )
            cells += [""] * (len(headings) - len(cells))
            rows.append((line, dict(zip(headings, cells, strict=True))))
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: not CSV ({error})") from error
    if not headings:
        _checked_headings(path, headings)
    return rows


def _checked_headings(path: Path, headings: list[str]) -> list[str]:
    if "track" not in headings or not {"person", "action"} & set(headings):
        raise InputError(
            f"{path} needs the columns track and person or action, got"
            f" {', '.join(headings) or 'none'}"
        )
    return headings


def _labels(path: Path, rows: Lines) -> dict[int, dict[str, str]]:
    """The first row of each track that tells something."""
    labels: dict[int, dict[str, str]] = {}
    for line, row in rows:
        track = int(_number(path, line, row, "track"))
        if track not in labels or not (labels[track].get("person") or labels[track].get("action")):
            labels[track] = row
    return labels


def _boxes(path: Path, rows: Lines) -> Boxes:
    clock = next((name for name in ("frame", "time") if name in rows[0][1]), None)
    if clock is None:
        raise InputError(f"{path} has boxes but neither a frame nor a time column")
    wanted = ("track", clock, *SIDES)
    values = np.array([[_number(path, line, row, name) for name in wanted] for line, row in rows])
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
