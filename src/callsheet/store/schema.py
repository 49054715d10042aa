"""A declared schema per table: columns with units and meaning, checked on every write and read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its Arrow type, what it means (with unit), whether it may be null."""

    name: str
    type: Any
    meaning: str
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Schema:
    """A table's name, version and columns. Raise `version` when the meaning changes."""

    name: str
    version: int
    meaning: str
    columns: tuple[Column, ...]

    def arrow(self) -> Any:
        """The Arrow schema, with our name and version in its metadata."""
        fields = [pa.field(c.name, c.type, nullable=c.nullable) for c in self.columns]
        return pa.schema(fields, metadata=self.metadata())

    def metadata(self) -> dict[bytes | str, bytes | str]:
        return {
            b"callsheet.table": self.name.encode(),
            b"callsheet.version": str(self.version).encode(),
        }

    @property
    def column_names(self) -> tuple[str, ...]:
        return tuple(c.name for c in self.columns)
