"""What `callsheet evaluate` is asked to judge: film folders, or the films of a library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from callsheet.errors import InputError
from callsheet.pipeline.library import Library
from callsheet.pipeline.stage import WORK_FOLDER
from callsheet.pipeline.watched import truth_of


def with_truths(folders: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Film folders, and where the truth of each lies: in the folder itself or beside its video.

    A library stands for those of its films that are labelled and whose truth is known.
    """
    pairs = [pair for folder in folders for pair in _with_truth(folder)]
    return [folder for folder, _ in pairs], [truth for _, truth in pairs]


def _with_truth(folder: Path) -> list[tuple[Path, Path]]:
    if not (folder / WORK_FOLDER).is_dir():
        return [(folder, _truth_beside(folder) or folder)]
    works = [w for w in Library.open(folder).works if (w.folder / "labels.parquet").exists()]
    found = [(work.folder, truth) for work in works if (truth := truth_of(work)) is not None]
    if not found:
        raise InputError(
            f"no film of {folder} is both labelled and has a truth beside its video"
            " (truth/truth.parquet); of other films give their folders below"
            f" {folder / WORK_FOLDER} and --truth"
        )
    return found


def _truth_beside(folder: Path) -> Path | None:
    """The truth beside the video of a film folder in a library's work folder."""
    if folder.resolve().parent.name != WORK_FOLDER or (folder / "truth.parquet").exists():
        return None
    library = Library.open(folder.resolve().parents[1])
    works = (work for work in library.works if work.film.film == folder.resolve().name)
    return next((truth_of(work) for work in works), None)
