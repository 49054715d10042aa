"""Export the films of a library that have labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from callsheet.core import ACTIONS, BACKGROUND
from callsheet.errors import InputError
from callsheet.pipeline.library import Library
from callsheet.report.exports import export, format_of
from callsheet.report.sheet import read_sheet
from callsheet.store import SCHEMAS, read_table


def export_library(
    library: Library, format_name: str, out: Path, *, films: Sequence[str] = ()
) -> Iterator[Path]:
    """Write one file a film; all films with labels unless some are named."""
    format_of(format_name)  # a wrong name is told before anything else
    works = [library.work(film) for film in films] or library.works
    labelled = [w for w in works if (w.folder / "labels.parquet").exists()]
    if films and len(labelled) < len(works):
        missing = ", ".join(w.film.film for w in works if w not in labelled)
        raise InputError(f"not labelled yet: {missing}; run: callsheet run {library.folder}")
    if not labelled:
        raise InputError(f"no film of {library.folder} is labelled yet; run: callsheet run"
                         f" {library.folder}")  # fmt: skip
    own = own_actions(library)
    for work in labelled:
        yield export(read_sheet(work.film.film, work.folder, own), format_name, out)


def own_actions(library: Library) -> set[str]:
    """Actions of the library's labels beside ours, whichever film bears them."""
    found: set[str] = set()
    for work in library.works:
        path = work.folder / "labels.parquet"
        if path.exists():
            found |= set(read_table(path, SCHEMAS["labels"]).column("action").unique().to_pylist())
    return {action for action in found if action not in (None, BACKGROUND, *ACTIONS)}
