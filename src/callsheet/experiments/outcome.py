"""What an experiment leaves: a table (text and CSV), the paper's numbers beside it, a figure.

Every outcome names its data (real, rendered theatre, simulated world), its settings and seed.
`filing` writes outcomes to files, `drawing` draws their figures.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Line:
    """One curve of a figure; `low` and `high` are an interval, if there is one."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A plot of curves; x may be logarithmic."""

    x_label: str
    y_label: str
    lines: tuple[Line, ...]
    log_x: bool = False
    log_y: bool = False
    beside: Figure | None = None  # a second panel to the right


@dataclass(frozen=True, slots=True)
class Outcome:
    """An experiment's result. `table` rows share their keys; `findings` are whole sentences."""

    name: str
    title: str
    made_of: str  # which data, and whether it is real or simulated
    table: tuple[Row, ...]
    findings: tuple[str, ...] = ()
    figure: Figure | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    bars: tuple[str, ...] = ()  # columns that are drawn where there is no figure

    def as_json(self) -> dict[str, Any]:
        """All but the figure as plain values; what is not a number is null."""
        return {
            "name": self.name, "title": self.title, "made_of": self.made_of,
            "settings": dict(self.settings), "findings": list(self.findings),
            "table": [{key: _finite(value) for key, value in row.items()} for row in self.table],
        }  # fmt: skip

    def text(self) -> str:
        """The table and findings for people."""
        head = f"{self.title}\ndata: {self.made_of}\n"
        shown = json.dumps(dict(self.settings), default=str)
        body = aligned(self.table)
        tail = "".join(f"- {finding}\n" for finding in self.findings)
        return f"{head}settings: {shown}\n\n{body}\n{tail}"


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def csv_of(table: Sequence[Row]) -> str:
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, list(table[0]) if table else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return buffer.getvalue()


def aligned(table: Sequence[Row]) -> str:
    """Columns side by side, numbers to the right with three digits."""
    if not table:
        return "(empty)\n"
    names = list(table[0])
    cells = [names, *[[shown(row[name]) for name in names] for row in table]]
    widths = [max(len(line[i]) for line in cells) for i in range(len(names))]
    right = [all(isinstance(row[n], int | float | None) for row in table) for n in names]
    padded = [[_padded(*cell) for cell in zip(line, widths, right, strict=True)] for line in cells]
    lines = ["  ".join(line).rstrip() for line in padded]
    return "\n".join(lines) + "\n"


def shown(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _padded(cell: str, width: int, right: bool) -> str:
    return cell.rjust(width) if right else cell.ljust(width)
