"""The paper's whole size as a world: how long it takes, and how its bags compare with the paper's.

    python benchmarks/theatre/world.py [FOLDER]

Writes 66 films with 201,874 body tracks and 512-number simulated descriptors into FOLDER (default:
a temporary folder, removed afterwards), makes their bags, and prints the bags' statistics.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

from callsheet.bags import audit_bags, make_bags
from callsheet.bags.audit import KindAudit
from callsheet.theatre.world import PAPER_WORLD, film_folders, make_world


def main(folder: Path) -> None:
    """Make the world in a folder and print its figures beside the paper's."""
    start = time.perf_counter()
    summary = make_world(folder, PAPER_WORLD).summary
    seconds = time.perf_counter() - start
    counts = ", ".join(f"{count} {name}" for name, count in summary.items())
    print(
        f"simulated world: {counts}; {PAPER_WORLD.dimension} numbers a body,"
        f" seed {PAPER_WORLD.seed}; {os.cpu_count()} cores"
    )
    print(f"written in {seconds:.1f} s (target: under 60)")
    for film in film_folders(folder, PAPER_WORLD):
        make_bags(film)
    _print(audit_bags(film_folders(folder, PAPER_WORLD)).actions)


def _print(bags: KindAudit) -> None:
    print(f"{'':28}{'here':>10}{'paper':>10}")
    for name, here, paper in (
        ("bags", f"{bags.bags}", "1634"),
        ("tracks in a bag, median", f"{bags.median:.0f}", "9"),
        ("share of tracks in no bag", f"{bags.uncovered_share:.3f}", "0.915"),
        ("share of bags with a person", f"{bags.with_person / bags.bags:.3f}", "1/3"),
    ):
        print(f"{name:28}{here:>10}{paper:>10}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory(prefix="callsheet-world-") as scratch:
            main(Path(scratch))
