"""Ours: does the certificate matter? Label quality against the certified gap and the seconds.

The joint action problem of a simulated world, solved by each method to ever tighter gaps; at
each the planted actions are judged by mAP.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import ACTION_VOCABULARY, Bag
from callsheet.evaluation import mean_ap
from callsheet.experiments.outcome import Figure, Line, Outcome
from callsheet.experiments.worlds import bodies_of, settings_of, told, world
from callsheet.model import ActionSettings
from callsheet.model.demands import film_block
from callsheet.optim import Problem, solve
from callsheet.theatre.world import WorldSettings

Array = NDArray[Any]
WORLD = WorldSettings(films=8, tracks=8000)
GAPS = (0.5, 0.2, 0.1, 1e-2, 1e-3, 1e-4)
MAP = "mAP of the planted actions"
METHODS = ("envelope", "bcfw", "fw")


def run(settings: WorldSettings = WORLD, *, seconds: float = 30.0) -> Outcome:
    """Solve to each gap (or for `seconds` at most) with each method."""
    with world(settings) as folders:
        problem, truth = joint_problem(folders)
    rows = [row for method in METHODS for row in _rows(problem, truth, method, seconds)]
    return Outcome(
        "quality", "Label quality against certified gap and seconds", told(settings),
        tuple(rows), figure=_figure(rows), settings=settings_of(settings),
    )  # fmt: skip


def joint_problem(folders: list[Path]) -> tuple[Problem, Array]:
    """The actions of all films as one problem, and the truth of its rows."""
    films = [bodies_of(folder) for folder in folders]
    chosen, total = ActionSettings(), sum(len(film) for film, _ in films)
    blocks, first = [], 0
    for film, _ in films:
        blocks.append(
            film_block(film, ACTION_VOCABULARY, _action, bound=chosen.bound,
                       price=chosen.slack / total, background=chosen.background,
                       crowd=chosen.crowd, first=first)
        )  # fmt: skip
        first += len(film)
    features = np.concatenate([np.asarray(film.descriptors, np.float32) for film, _ in films])
    truth = np.concatenate([truth for _, truth in films])
    problem = Problem(
        features, len(ACTION_VOCABULARY), blocks, ridge=chosen.ridge, bias=chosen.bias
    )
    return problem, truth


def _rows(problem: Problem, truth: Array, method: str, seconds: float) -> list[dict[str, Any]]:
    rows = []
    for gap in GAPS:
        solution = solve(problem, method=method, tol=gap, time_limit=seconds, max_passes=100_000)
        rows.append({
            "method": method, "asked gap": gap, "certified gap": float(solution.gap),
            "seconds": float(solution.seconds), "passes": float(solution.passes),
            "mAP": mean_ap(truth, np.asarray(solution.assignment)),
        })  # fmt: skip
        if solution.gap > gap:
            break  # the next one would only wait as long again
    return rows


def _figure(rows: list[dict[str, Any]]) -> Figure:
    """mAP against the gap, and beside it against the seconds."""
    seconds = Figure("seconds", MAP, _lines(rows, "seconds"), log_x=True)
    gaps = _lines(rows, "certified gap")
    return Figure("certified relative gap", MAP, gaps, log_x=True, beside=seconds)


def _lines(rows: list[dict[str, Any]], x: str) -> tuple[Line, ...]:
    lines = []
    for method in METHODS:
        own = [row for row in rows if row["method"] == method]
        lines.append(Line(method, [r[x] for r in own], [r["mAP"] for r in own]))
    return tuple(lines)


def _action(bag: Bag) -> str | None:
    return bag.action
