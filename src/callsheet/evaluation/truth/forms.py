"""Which reader takes which truth: by suffix, or a folder of our tables."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from callsheet.errors import InputError
from callsheet.evaluation.truth.csv_form import read_csv_truth
from callsheet.evaluation.truth.cvat import read_cvat_truth
from callsheet.evaluation.truth.mot import read_mot_truth
from callsheet.evaluation.truth.tables import read_table_truth
from callsheet.evaluation.truth.truth import Truth

FORMS: dict[str, Callable[[Path], Truth]] = {
    "tables": read_table_truth,
    "csv": read_csv_truth,
    "mot": read_mot_truth,
    "cvat": read_cvat_truth,
}
SUFFIXES = {".parquet": "tables", ".csv": "csv", ".txt": "mot", ".xml": "cvat"}


def read_truth(path: Path, form: str | None = None) -> Truth:
    """Read truth; the form is told by the suffix unless it is given."""
    if not path.exists():
        raise InputError(f"{path} does not exist; truth is a CSV, MOT or CVAT file or a folder")
    found = form or ("tables" if path.is_dir() else SUFFIXES.get(path.suffix.lower()))
    if found is None or found not in FORMS:
        raise InputError(
            f"{path}: unknown form of truth {form or path.suffix!r}; known are {', '.join(FORMS)}"
        )
    return FORMS[found](path)
