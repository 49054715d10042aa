"""Write an outcome to files: its text, its CSV and, where there is one, its figure."""

from __future__ import annotations

from pathlib import Path

from callsheet.experiments.drawing import draw
from callsheet.experiments.outcome import Outcome, csv_of
from callsheet.store import write_text


def write_outcome(outcome: Outcome, folder: Path) -> list[Path]:
    """Write NAME.txt, NAME.csv and, where there is a figure, NAME.png; return the files."""
    files = [folder / f"{outcome.name}.txt", folder / f"{outcome.name}.csv"]
    write_text(files[0], outcome.text())
    write_text(files[1], csv_of(outcome.table))
    if outcome.figure is not None:
        files.append(folder / f"{outcome.name}.png")
        draw(outcome.figure, outcome.title, files[-1])
    return files
