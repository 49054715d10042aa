"""The report of a library: what its films were judged at, then a page for each and one for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from callsheet.core import Progress, StageResult
from callsheet.pipeline.judging import judge_all
from callsheet.pipeline.stage import FilmWork
from callsheet.report import make_report


def report_films(works: Sequence[FilmWork], folder: Path, progress: Progress) -> StageResult:
    """Write `report/` into a folder from the results that are there."""
    warnings = judge_all(works)
    made = make_report([(w.film.film, w.folder) for w in works], folder, progress)
    return replace(made, warnings=(*warnings, *made.warnings))
