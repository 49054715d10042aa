"""Parquet tables with a declared schema: written atomically, checked when read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from enum import Enum
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from callsheet.core import Span
from callsheet.errors import StoreError
from callsheet.store.atomic import replacing
from callsheet.store.reading import read_failed
from callsheet.store.schema import Schema


def write_table(path: Path, schema: Schema, columns: Mapping[str, Any] | Any) -> None:
    """Write columns (name -> array or list, or an Arrow table) as one Parquet file."""
    table = as_table(schema, columns)
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd", write_page_checksum=True)


def write_rows(path: Path, schema: Schema, rows: Iterable[Mapping[str, Any]]) -> None:
    """Write dictionaries, one a row."""
    rows = list(rows)
    write_table(path, schema, {c: [row[c] for row in rows] for c in schema.column_names})


def as_table(schema: Schema, columns: Mapping[str, Any] | Any) -> Any:
    """Build the checked Arrow table of a schema."""
    if isinstance(columns, pa.Table):
        columns = {name: columns.column(name) for name in columns.column_names}
    _check_names(schema, columns)
    try:
        arrays = [_array(columns[c.name], c.type) for c in schema.columns]
        table = pa.table(arrays, schema=schema.arrow())
    except (pa.ArrowException, ValueError, TypeError) as error:
        raise StoreError(f"table {schema.name}: a column does not fit: {error}") from error
    for column in schema.columns:
        if not column.nullable and table.column(column.name).null_count:
            raise StoreError(f"table {schema.name}: column {column.name} must not be null")
    return table


def read_table(path: Path, schema: Schema) -> Any:
    """Read an Arrow table; a missing, truncated, foreign or future file is one sentence."""
    table = _read(path)
    found = _identity(table)
    if found is None:
        raise StoreError(
            f"{path} was not written by callsheet (no table name in it)", path=str(path)
        )
    name, version = found
    if name != schema.name:
        raise StoreError(f"{path} holds a {name} table, expected {schema.name}", path=str(path))
    if version > schema.version:
        raise StoreError(
            f"{path} has version {version} of the {name} table, this callsheet reads up to"
            f" {schema.version}; update callsheet",
            path=str(path),
        )
    if version < schema.version:
        raise StoreError(
            f"{path} has the old version {version} of the {name} table; run its stage again",
            path=str(path),
        )
    _check_names(schema, dict.fromkeys(table.column_names))
    return table.select(list(schema.column_names))


def read_rows(path: Path, schema: Schema) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = read_table(path, schema).to_pylist()
    return rows


def row_of(item: Any) -> dict[str, Any]:
    """A dataclass as a table row: spans become `start` and `end`, enums their value."""
    row: dict[str, Any] = {}
    for field in fields(item):
        value = getattr(item, field.name)
        if isinstance(value, Span):
            row |= asdict(value)
        else:
            row[field.name] = value.value if isinstance(value, Enum) else value
    return row


def write_items(path: Path, schema: Schema, items: Sequence[Any]) -> None:
    """Write dataclasses, one a row."""
    write_rows(path, schema, [row_of(item) for item in items])


def _array(values: Any, kind: Any) -> Any:
    if isinstance(values, pa.ChunkedArray | pa.Array):
        return values.cast(kind)
    return pa.array(values, type=kind)


def _check_names(schema: Schema, columns: Mapping[str, Any]) -> None:
    missing = [c for c in schema.column_names if c not in columns]
    foreign = [c for c in columns if c not in schema.column_names]
    if missing or foreign:
        raise StoreError(
            f"table {schema.name}: missing columns {missing or 'none'}, unknown columns"
            f" {foreign or 'none'}; its columns are {', '.join(schema.column_names)}"
        )


def _read(path: Path) -> Any:
    # Arrow's own file, not one of Python's: Arrow lets go of its source in a thread of its own,
    # and one that then waits for an interpreter which is ending aborts the whole program.
    try:
        with pa.OSFile(str(path)) as file:
            table = pq.read_table(file, page_checksum_verification=True)
        _ = table.column_names  # they may be damaged too
        return table
    except FileNotFoundError:
        raise StoreError(
            f"{path} does not exist; run the stage that writes it", path=str(path)
        ) from None
    except (pa.ArrowException, OSError, ValueError) as error:
        damage = f"truncated or not a Parquet file ({_first_line(error)})"
        raise read_failed(path, error, damage) from error


def _first_line(error: Exception) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__


def _identity(table: Any) -> tuple[str, int] | None:
    metadata = table.schema.metadata or {}
    try:
        return metadata[b"callsheet.table"].decode(), int(metadata[b"callsheet.version"])
    except (KeyError, ValueError):
        return None
