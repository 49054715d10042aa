"""Measure the model's choices on a simulated world: what ranks best, which settings, with a lift?

    python benchmarks/model_choices.py names
    python benchmarks/model_choices.py actions
    python benchmarks/model_choices.py lift
    python benchmarks/model_choices.py abstain

Prints, for each setting, the quality of the assignment, of the cross-fitted classifier and of
their sums; for `abstain`, how often labels are right that claim to be so often. Data:
`callsheet.theatre.world`, 8 films, 16,000 body tracks, seed 5.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from callsheet.bags import make_bags
from callsheet.core import ACTION_VOCABULARY, TrackKind, Vocabulary
from callsheet.evaluation import (
    EvaluationSettings,
    accuracy,
    evaluate_films,
    mean_ap,
    multi_class_ap,
)
from callsheet.model import (
    ActionSettings,
    LabelSettings,
    NameSettings,
    label_actions,
    make_actions,
    make_labels,
    make_names,
    name_film,
    read_film,
    read_persons,
)
from callsheet.model.actions import ActionFilm, read_face_names
from callsheet.store import SCHEMAS, read_rows
from callsheet.theatre.world import WorldSettings, film_folders, make_world

WORLD = WorldSettings(films=8, tracks=16_000, name_separation=7.0, seed=5)
NAMES: tuple[dict[str, Any], ...] = (
    {}, {"annealing_rounds": 0}, {"annealing_rounds": 30}, {"slack": 0.2}, {"bound": 2.0},
    {"ridge": 1e-4}, {"ridge": 1e-3}, {"background": 0.2}, {"background": 0.45},
    {"nobody_twice": False},
)  # fmt: skip
LIFTS: tuple[dict[str, Any], ...] = ({}, {"lift": 256}, {"lift": 1024},
                                     {"lift": 1024, "lift_width": 1.4})  # fmt: skip
ACTIONS: tuple[dict[str, Any], ...] = ({}, {"slack": 1.0}, {"ridge": 1e-4}, {"bound": 1.0},
                                       {"background": 0.0},
                                       {"annealing_rounds": 5})  # fmt: skip
SHARES = (0.0, 0.1, 0.3, 1.0)


def truth_of(film: Path, kind: str, question: str, labels: Vocabulary) -> Any:
    rows = read_rows(film / "truth.parquet", SCHEMAS["truth"])
    said = [row[question] for row in rows if row["kind"] == kind]
    return np.array([labels.column(name) if name in labels else 0 for name in said])


def line(title: str, truth: Any, y: Any, scores: Any, ap: Callable[[Any, Any], float]) -> str:
    """AP and accuracy of Y + share x classifier, and of the classifier alone."""
    rankings = [y + share * scores for share in SHARES] + [scores]
    cells = [f"{ap(truth, r):.3f}/{accuracy(truth, r.argmax(axis=1)):.3f}" for r in rankings]
    return f"{title:38}" + "  ".join(cells)


def names(films: list[Path], grid: tuple[dict[str, Any], ...]) -> None:
    for changes in grid:
        parts = [name_film(film, NameSettings(**changes)) for film in films[:4]]
        for film, found in zip(films, parts, strict=False):
            truth = truth_of(film, "face", "person", read_persons(film))
            title = f"{changes or 'defaults'} {film.name}"
            print(line(title, truth, found.assignment, found.scores, multi_class_ap), flush=True)


def actions(films: list[Path]) -> None:
    for film in films:
        make_names(film)
    read = [read_film(film, TrackKind.BODY) for film in films]
    inputs = [ActionFilm(f, read_face_names(film, f)) for film, f in zip(films, read, strict=True)]
    labels = ACTION_VOCABULARY
    truth = np.concatenate([truth_of(film, "body", "action", labels) for film in films])
    for changes in ACTIONS:
        found = label_actions(inputs, ActionSettings(**changes))
        print(line(str(changes or "defaults"), truth, found.assignment, found.scores, mean_ap),
              flush=True)  # fmt: skip


def abstain(films: list[Path]) -> None:
    """Precision asked for, precision got, and how many labels that leaves."""
    for film in films:
        make_names(film)
    make_actions(films, films[0].parent)
    print("wanted   names: right  named   actions: right  named")
    for wanted in (0.0, 0.8, 0.9, 0.95):
        told = [make_labels(film, LabelSettings(precision=wanted)).summary for film in films]
        judged = evaluate_films(films, films, EvaluationSettings(draws=0))
        cells = [
            f"{judged.value(f'{what} precision'):.3f}  {sum(t[f'{key}_named'] for t in told):5}"
            for what, key in (("name", "person"), ("action", "action"))
        ]
        print(f"{wanted:6.2f}          {cells[0]}           {cells[1]}", flush=True)


def main(what: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        make_world(Path(folder), WORLD)
        films = film_folders(Path(folder), WORLD)
        for film in films:
            make_bags(film)
        if what == "abstain":
            abstain(films)
            return
        print(f"{'AP/accuracy of':38}" + "  ".join(
            [f"Y + {share:g} C  " for share in SHARES] + ["C alone"]))  # fmt: skip
        if what == "actions":
            actions(films)
        else:
            names(films, LIFTS if what == "lift" else NAMES)


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in ("names", "actions", "lift", "abstain"):
        sys.exit("say what to measure: names, actions, lift or abstain")
    main(sys.argv[1])
