"""Table 2: AP of names in each film, ours beside every rival's."""

from __future__ import annotations

from typing import Any

import numpy as np

from callsheet.experiments.names import METHODS, measured
from callsheet.experiments.outcome import Outcome
from callsheet.experiments.worlds import faces_of, settings_of, told, world
from callsheet.theatre.world import WorldSettings

EPISODES = WorldSettings(films=5, tracks=3000, name_separation=5.5, seed=1)
PAPER = {
    "Sivic 2009": (0.90, 0.83, 0.70, 0.86, 0.85),
    "Parkhi 2015": (0.99, 0.90, 0.94, 0.96, 0.97),
    "callsheet": (0.98, 0.98, 0.98, 0.97, 0.97),
}
"""AP on five episodes of Buffy, as the paper prints them."""


def run(settings: WorldSettings = EPISODES) -> Outcome:
    """AP of each method in each film, with the paper's episodes beside."""
    with world(settings) as folders:
        films = [faces_of(folder) for folder in folders]
        aps = {
            name: [measured(METHODS[name](film, labels), truth)[1] for film, labels, truth in films]
            for name in METHODS
        }
    rows = [row for name in aps for row in _rows(name, aps[name])]
    return Outcome(
        "episodes",
        "AP of names in each film (the paper's Table 2)",
        told(settings) + "; the paper's numbers are of Buffy",
        tuple(rows),
        (_best(aps),),
        settings=settings_of(settings),
        bars=("mean",),
    )


def _rows(name: str, aps: list[float]) -> list[dict[str, Any]]:
    """A method's row and, where the paper printed it, the paper's beside it."""
    films = [f"film {number + 1}" for number in range(len(aps))]
    rows = [{"method": name, **dict(zip(films, aps, strict=True)), "mean": float(np.mean(aps))}]
    if name in PAPER:
        printed = dict(zip(films, PAPER[name], strict=False))
        rows.append({"method": f"  paper, {name}", **{film: printed.get(film) for film in films},
                     "mean": float(np.mean(PAPER[name]))})  # fmt: skip
    return rows


def _best(aps: dict[str, list[float]]) -> str:
    best = [max(aps, key=lambda name: aps[name][film]) for film in range(len(aps["callsheet"]))]
    ours = best.count("callsheet")
    others = ", ".join(sorted(set(best) - {"callsheet"})) or "nobody"
    return f"callsheet is best in {ours} of {len(best)} films, {others} in the rest"
