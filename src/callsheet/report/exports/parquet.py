"""Parquet: a row a track, with types."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from callsheet.report.exports.rows import COLUMNS, rows
from callsheet.report.sheet import Sheet

_TEXT = ("film", "kind", "person", "action", "exported")
_WHOLE = ("track", "shot", "first_frame", "last_frame", "linked")


def write(sheet: Sheet, path: Path) -> None:
    schema = pa.schema([(name, _type(name)) for name in COLUMNS])
    pq.write_table(pa.Table.from_pylist(rows(sheet), schema=schema), path, compression="zstd")


def _type(name: str) -> pa.DataType:
    if name in _TEXT:
        return pa.string()
    return pa.int32() if name in _WHOLE else pa.float64()
