"""Draw an experiment's figure as PNG. The only module of this room that loads matplotlib."""

from __future__ import annotations

from pathlib import Path

from callsheet.experiments.outcome import Figure
from callsheet.store import replacing


def draw(figure: Figure, title: str, path: Path) -> None:
    """Write a figure; curves with an interval get a band."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Canvas

    canvas = Canvas(figsize=(7, 4.5), layout="constrained")
    axes = canvas.add_subplot()
    for line in figure.lines:
        (drawn,) = axes.plot(line.x, line.y, marker="o", markersize=3, label=line.name)
        if line.low:
            axes.fill_between(line.x, line.low, line.high, alpha=0.15, color=drawn.get_color())
    axes.set(xlabel=figure.x_label, ylabel=figure.y_label, title=title)
    axes.set_xscale("log" if figure.log_x else "linear")
    axes.set_yscale("log" if figure.log_y else "linear")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    FigureCanvasAgg(canvas)
    with replacing(path) as temporary, temporary.open("wb") as file:
        canvas.savefig(file, format="png", dpi=130)
