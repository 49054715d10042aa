"""Write an outcome to files: its text, its CSV, and its figure or the bars of its table."""

from __future__ import annotations

from pathlib import Path

from callsheet.experiments.drawing import draw, draw_bars
from callsheet.experiments.outcome import Outcome, csv_of
from callsheet.store import write_text


def write_outcome(outcome: Outcome, folder: Path) -> list[Path]:
    """Write NAME.txt, NAME.csv and NAME.png; return the files."""
    files = [folder / f"{outcome.name}.{suffix}" for suffix in ("txt", "csv", "png")]
    write_text(files[0], outcome.text())
    write_text(files[1], csv_of(outcome.table))
    if outcome.figure is not None:
        draw(outcome.figure, outcome.title, files[2])
    else:
        draw_bars(outcome.table, outcome.bars, outcome.title, files[2])
    return files
