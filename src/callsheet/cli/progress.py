"""One live view of a run: a line for every film at work. Silent where nobody looks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from callsheet.cli.frame import escape, notes

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    from callsheet.core import Progress
    from callsheet.pipeline.watching import Watch


def _bars() -> Bars:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f}%"),
        TimeRemainingColumn(),
        console=notes(),
        transient=True,
    )


@contextmanager
def showing(films: int) -> Iterator[Watch]:
    """Yield a watcher of a library run."""
    from callsheet.pipeline.watching import nobody_watches

    if not notes().is_terminal:
        yield nobody_watches
        return
    with _bars() as bars:
        rows: dict[str, TaskID] = {}

        def watch(film: str, stage: str, share: float) -> None:
            if film not in rows:
                rows[film] = bars.add_task("", total=1.0)
            name = escape(film or f"all {films} films")
            bars.update(rows[film], description=f"{name}: {stage}", completed=share)
            bars.tasks[rows[film]].visible = share < 1.0

        yield watch


@contextmanager
def one_bar(description: str) -> Iterator[Progress]:
    """Yield a progress callback for a single long task."""
    from callsheet.core import no_progress

    if not notes().is_terminal:
        yield no_progress
        return
    with _bars() as bars:
        row = bars.add_task(escape(description), total=1.0)
        yield lambda share: bars.update(row, completed=share)
