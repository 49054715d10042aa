"""Draw an experiment's figure as PNG. The only module of this room that loads matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from callsheet.experiments.outcome import Figure, Row
from callsheet.store import replacing


def draw(figure: Figure, title: str, path: Path) -> None:
    """Write a figure, panels side by side; curves with an interval get a band."""
    from matplotlib.figure import Figure as Canvas

    panels = [figure] if figure.beside is None else [figure, figure.beside]
    canvas = Canvas(figsize=(7 * len(panels), 4.5), layout="constrained")
    for number, panel in enumerate(panels, start=1):
        _panel(canvas.add_subplot(1, len(panels), number), panel)
    canvas.suptitle(title)
    _save(canvas, path)


def _panel(axes: Any, figure: Figure) -> None:
    for line in figure.lines:
        (drawn,) = axes.plot(line.x, line.y, marker="o", markersize=3, label=line.name)
        if line.low:
            axes.fill_between(line.x, line.low, line.high, alpha=0.15, color=drawn.get_color())
    axes.set(xlabel=figure.x_label, ylabel=figure.y_label)
    axes.set_xscale("log" if figure.log_x else "linear")
    axes.set_yscale("log" if figure.log_y else "linear")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")


def draw_bars(table: Sequence[Row], bars: Sequence[str], title: str, path: Path) -> None:
    """Write some columns of a table as bars, one group a row; what is not known has none."""
    from matplotlib.figure import Figure as Canvas

    label, *_ = table[0]
    places = np.arange(len(table))[::-1]  # the first row on top
    canvas = Canvas(figsize=(7, 1.4 + 0.16 * len(table) * (len(bars) + 1)), layout="constrained")
    axes = canvas.add_subplot()
    thick = 0.85 / len(bars)
    for number, name in enumerate(bars):
        values = [row.get(name) for row in table]
        heights = [float("nan") if value is None else float(value) for value in values]
        axes.barh(places + 0.4 - (number + 0.5) * thick, heights, thick, label=name)
    axes.set_yticks(places, [str(row[label]).strip() for row in table], fontsize="small")
    axes.set_title(title, fontsize="medium")
    axes.grid(alpha=0.3, axis="x")
    axes.legend(fontsize="small")
    _save(canvas, path)


def _save(canvas: Any, path: Path) -> None:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    FigureCanvasAgg(canvas)
    with replacing(path) as temporary, temporary.open("wb") as file:
        canvas.savefig(file, format="png", dpi=130)
