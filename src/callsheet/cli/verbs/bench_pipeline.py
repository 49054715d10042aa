"""`callsheet bench pipeline`: how running, resuming and reporting grow with the films."""

from __future__ import annotations

import os
import resource
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

import click

from callsheet.cli.frame import console, print_json


@click.command("pipeline")
@click.option(
    "--films",
    default=200,
    show_default=True,
    type=click.IntRange(min=4),
    help="Films of the larger library; the smaller has a quarter.",
)
@click.option(
    "--tracks",
    default=150,
    show_default=True,
    type=click.IntRange(min=20),
    help="Body tracks of a film.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a library.")
def command(films: int, tracks: int, as_json: bool) -> None:
    """Run, resume, report and query simulated libraries of two sizes; print the growth.

    Tables and descriptors are simulated, videos are token files; the stages from the bags on
    are real.

    Example: callsheet bench pipeline --films 200
    """  # fmt: skip
    rows = [_measure(count, tracks) for count in (films // 4, films)]
    if as_json:
        for row in rows:
            print_json(row)
        return
    out = console()
    out.print(f"simulated libraries, {tracks} body tracks a film")
    for row in rows:
        out.print("  ".join(f"{name} {_shown(value)}" for name, value in row.items()))
    ratio = rows[1]["films"] / rows[0]["films"]
    for name in ("run s", "resume s", "report s"):
        growth = rows[1][name] / rows[0][name]
        out.print(f"{name[:-2]}: {growth:.2f} x the time for {ratio:.2f} x the films")


def _measure(films: int, tracks: int) -> dict[str, Any]:
    from callsheet.pipeline.index import find_moments
    from callsheet.pipeline.simulated import make_simulated_library
    from callsheet.report import make_report
    from callsheet.theatre.world import WorldSettings

    with tempfile.TemporaryDirectory(prefix="callsheet-bench-") as name:
        library = make_simulated_library(
            Path(name), WorldSettings(films=films, tracks=films * tracks, dimension=64)
        )
        with PeakMemory() as memory:
            summary, run = _timed(library.run)
            assert not summary.failures, summary.failures[0]
            again, resume = _timed(library.run)
            assert again.ran == 0
            pages = [(w.film.film, w.folder) for w in library.works]
            # The least of three: the first page pays for what is loaded then.
            report = min(_timed(lambda: make_report(pages, library.work_folder))[1]
                         for _ in range(3))  # fmt: skip
            moments, query = _timed(lambda: find_moments(library.work_folder))
    return {"films": films, "run s": run, "resume s": resume, "report s": report,
            "query s": query, "moments": len(moments), "peak MiB": memory.peak / 2**20}  # fmt: skip


class PeakMemory(Thread):
    """The most memory that this process and its workers held together, looked at again and again.

    Pages that they share are counted for each: it is never more than this.
    """

    def __init__(self, every: float = 0.05) -> None:
        super().__init__(daemon=True)
        self._every, self._done = every, Event()
        self.peak = 0

    def __enter__(self) -> PeakMemory:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self.join()

    def run(self) -> None:
        while True:
            self.peak = max(self.peak, sum(map(_resident, _family(os.getpid()))))
            if self._done.wait(self._every):
                return


def _family(process: int) -> list[int]:
    """A process and all that it has started."""
    found = [process]
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):  # a thread that ended as we looked
            found += [one for child in children.read_text().split() for one in _family(int(child))]
    return found


def _resident(process: int) -> int:
    """Bytes of memory that a process holds; 0 where it has ended."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()
    except OSError:
        return 0


def _timed(function: Callable[[], Any]) -> tuple[Any, float]:
    started = time.perf_counter()
    result = function()
    return result, time.perf_counter() - started


def _shown(value: float) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)
