"""CSV: a row a track."""

from __future__ import annotations

import csv
from pathlib import Path

from callsheet.report.exports.rows import COLUMNS, rows
from callsheet.report.sheet import Sheet


def write(sheet: Sheet, path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows(sheet))
