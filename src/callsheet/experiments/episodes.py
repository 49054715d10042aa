"""Table 2: AP of names in each film, ours beside Sivic's and Parkhi's."""

from __future__ import annotations

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
        rows = []
        for name, paper in PAPER.items():
            aps = [measured(METHODS[name](film, labels), truth)[1] for film, labels, truth in films]
            rows.append({"method": name} | {f"film {i + 1}": ap for i, ap in enumerate(aps)})
            rows.append(
                {"method": f"  paper, {name}"} | {f"film {i + 1}": p for i, p in enumerate(paper)}
            )
    return Outcome(
        "episodes",
        "AP of names in each film (the paper's Table 2)",
        told(settings) + "; the paper's numbers are of Buffy",
        tuple(rows),
        settings=settings_of(settings),
    )
