"""Tables round-trip, and every kind of damage is one sentence."""

import contextlib
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callsheet.core import Shot, Span
from callsheet.errors import StoreError
from callsheet.store import SCHEMAS, Column, Schema, read_rows, read_table, write_items, write_rows

SHOTS = SCHEMAS["shots"]


def test_dataclasses_round_trip(tmp_path: Path) -> None:
    path = tmp_path / "shots.parquet"
    write_items(path, SHOTS, [Shot(0, Span(0.0, 1.5)), Shot(1, Span(1.5, 2.0))])
    assert read_rows(path, SHOTS) == [
        {"shot": 0, "start": 0.0, "end": 1.5},
        {"shot": 1, "start": 1.5, "end": 2.0},
    ]


_EXAMPLES = {
    "int32": st.integers(-(2**31), 2**31 - 1),
    "float": st.floats(width=32, allow_nan=False),
    "double": st.floats(allow_nan=False),
    "string": st.text(st.characters(codec="utf-8"), max_size=20),
    "bool": st.booleans(),
    "binary": st.binary(max_size=20),
}


def _values(column: Column) -> st.SearchStrategy[object]:
    if pa.types.is_list(column.type):
        return st.lists(_EXAMPLES[str(column.type.value_type)], max_size=3)
    plain = _EXAMPLES[str(column.type)]
    return st.none() | plain if column.nullable else plain


@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=list(SCHEMAS))
def test_every_declared_table_round_trips(schema: Schema, tmp_path: Path) -> None:
    row = st.fixed_dictionaries({c.name: _values(c) for c in schema.columns})
    path = tmp_path / "table.parquet"

    @settings(max_examples=10, deadline=None)
    @given(st.lists(row, max_size=5))
    def round_trip(rows: list[dict[str, object]]) -> None:
        write_rows(path, schema, rows)
        assert read_rows(path, schema) == rows

    round_trip()


def test_every_column_says_what_it_means() -> None:
    assert all(c.meaning for schema in SCHEMAS.values() for c in schema.columns)


def _written(tmp_path: Path) -> Path:
    path = tmp_path / "shots.parquet"
    write_items(path, SHOTS, [Shot(0, Span(0.0, 1.0))])
    return path


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="does not exist; run the stage"):
        read_table(tmp_path / "shots.parquet", SHOTS)


@pytest.mark.parametrize("keep", [0, 3, 100])
def test_truncated_file(tmp_path: Path, keep: int) -> None:
    path = _written(tmp_path)
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(StoreError, match="truncated or not a Parquet file"):
        read_table(path, SHOTS)


def test_foreign_file(tmp_path: Path) -> None:
    path = tmp_path / "shots.parquet"
    pq.write_table(pa.table({"shot": [1]}), path)
    with pytest.raises(StoreError, match="not written by callsheet"):
        read_table(path, SHOTS)


def test_other_table(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="holds a shots table, expected tracks"):
        read_table(_written(tmp_path), SCHEMAS["tracks"])


def test_future_and_old_versions(tmp_path: Path) -> None:
    path = tmp_path / "shots.parquet"
    future = Schema("shots", SHOTS.version + 1, "", SHOTS.columns)
    write_rows(path, future, [{"shot": 0, "start": 0.0, "end": 1.0}])
    with pytest.raises(StoreError, match="update callsheet"):
        read_table(path, SHOTS)
    with pytest.raises(StoreError, match="old version"):
        read_table(_written(tmp_path), future)


def test_null_where_none_may_be(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="start must not be null"):
        write_rows(tmp_path / "t.parquet", SHOTS, [{"shot": 0, "start": None, "end": 1.0}])
    assert not list(tmp_path.iterdir())


def test_wrong_columns(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="a column does not fit"):
        write_rows(tmp_path / "t.parquet", SHOTS, [{"shot": "x", "start": 0.0, "end": 1.0}])
    foreign = pa.table({"shot": [1]}, metadata=SHOTS.metadata())
    pq.write_table(foreign, tmp_path / "u.parquet")
    with pytest.raises(StoreError, match="missing columns"):
        read_table(tmp_path / "u.parquet", SHOTS)


def test_any_damage_is_told_or_harmless(tmp_path: Path) -> None:
    """Bytes changed anywhere, or cut off: a sentence, or the very rows that were written."""
    path = tmp_path / "shots.parquet"
    write_items(path, SHOTS, [Shot(i, Span(i + 0.25, i + 1.0)) for i in range(300)])
    rows, whole = read_rows(path, SHOTS), path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(200):
        damaged = bytearray(whole[: rng.integers(len(whole))] if rng.random() < 0.2 else whole)
        for place in rng.integers(0, len(damaged), 3) if damaged else ():
            damaged[place] = rng.integers(256)
        path.write_bytes(bytes(damaged))
        with contextlib.suppress(StoreError):
            assert read_rows(path, SHOTS) == rows
