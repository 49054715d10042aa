"""Export the films of a library that have labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from callsheet.errors import InputError
from callsheet.pipeline.library import Library
from callsheet.report.exports import FORMATS, export
from callsheet.report.sheet import read_sheet


def export_library(
    library: Library, format_name: str, out: Path, *, films: Sequence[str] = ()
) -> Iterator[Path]:
    """Write one file a film; all films with labels unless some are named."""
    if format_name not in FORMATS:
        raise InputError(f"no format {format_name!r}; the formats are {', '.join(FORMATS)}")
    works = [library.work(film) for film in films] or library.works
    labelled = [w for w in works if films or (w.folder / "labels.parquet").exists()]
    if not labelled:
        raise InputError(f"no film of {library.folder} is labelled yet; run: callsheet run"
                         f" {library.folder}")  # fmt: skip
    for work in labelled:
        yield export(read_sheet(work.film.film, work.folder), format_name, out)
