"""Gap against passes and seconds, one line a method."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from callsheet.experiments.engine.runs import Run


def draw(runs: Sequence[Run], path: Path, title: str) -> None:
    """Write the figure as PNG."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), layout="constrained")
    for axes, unit in zip(figure.subplots(1, 2, sharey=True), ("passes", "seconds"), strict=True):
        for run in runs:
            points = [(getattr(point, unit), point.gap) for point in run.trace]
            axes.plot(*zip(*points, strict=True), label=run.name, marker=".")
        axes.set(xscale="log", yscale="log", xlabel=unit)
        axes.grid(visible=True, alpha=0.3)
    figure.axes[0].set_ylabel("certified relative gap")
    figure.axes[1].legend()
    figure.suptitle(title)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
