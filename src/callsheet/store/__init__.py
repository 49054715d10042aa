"""Tables (Parquet), matrices (memory-mapped .npy), manifests; everything written atomically."""

from callsheet.store.atomic import remove_leftovers, replacing, write_text
from callsheet.store.fingerprints import file_fingerprint, value_fingerprint
from callsheet.store.manifests import Manifest, read_manifest, write_manifest
from callsheet.store.matrices import filling_matrix, open_matrix, write_matrix
from callsheet.store.schema import Column, Schema
from callsheet.store.schemas import SCHEMAS
from callsheet.store.tables import (
    as_table,
    read_rows,
    read_table,
    row_of,
    write_items,
    write_rows,
    write_table,
)

__all__ = [
    "SCHEMAS",
    "Column",
    "Manifest",
    "Schema",
    "as_table",
    "file_fingerprint",
    "filling_matrix",
    "open_matrix",
    "read_manifest",
    "read_rows",
    "read_table",
    "remove_leftovers",
    "replacing",
    "row_of",
    "value_fingerprint",
    "write_items",
    "write_manifest",
    "write_matrix",
    "write_rows",
    "write_table",
    "write_text",
]
