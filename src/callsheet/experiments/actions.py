"""Table 4, Figures 4 and 5: actions against the paper's baselines (a) to (f).

Judged on the first five films, as in the paper: (a) a random ranking, (b) every track of a bag,
(c) a classifier trained on the truth of four of them, (d) our method trained on the five,
(e) on all films without the names, (f) with everything.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import ACTION_VOCABULARY, ACTIONS
from callsheet.evaluation import label_aps, mean_ap, precision_recall
from callsheet.experiments.outcome import Figure, Line, Outcome
from callsheet.experiments.worlds import (
    ACTIONS_WORLD,
    JUDGED,
    bodies_of,
    settings_of,
    told,
    world,
)
from callsheet.model import ActionSettings, make_actions, make_names
from callsheet.model.crossfitting import solve_ridge, with_constant
from callsheet.store import open_matrix
from callsheet.theatre.world import WorldSettings

Array = NDArray[Any]

PAPER_MAP = {
    "(a) random": 0.005,
    "(b) script only": 0.047,
    "(c) fully supervised": 0.093,
    "(d) few films": 0.124,
    "(e) no joint model": 0.125,
    "(f) full": 0.164,
}


@dataclass(frozen=True, slots=True)
class Variant:
    """Our method with some settings, trained on the first `films` films (None: all)."""

    settings: ActionSettings = field(default_factory=ActionSettings)
    films: int | None = None


VARIANTS = {
    "(d) few films": Variant(films=JUDGED),
    "(e) no joint model": Variant(replace(ActionSettings(), joint=False)),
    "(f) full": Variant(),
}


def run(settings: WorldSettings = ACTIONS_WORLD) -> Outcome:
    """AP of every action for every baseline."""
    with world(settings) as folders:
        scores = {**_baselines(folders), **variant_scores(folders, VARIANTS)}
        truth = judged_truth(folders)
    aps = {name: label_aps(truth, scores[name]) for name in PAPER_MAP}
    rows = [
        {"method": name, **dict(zip(ACTIONS, map(float, ap), strict=True)),
         "mAP": float(np.nanmean(ap)), "paper mAP": PAPER_MAP[name]}
        for name, ap in aps.items()
    ]  # fmt: skip
    return Outcome(
        "actions",
        "Actions against baselines (the paper's Table 4)",
        told(settings) + f"; judged on {JUDGED} films; the paper's numbers are of its films",
        tuple(rows),
        tuple(_orderings({name: float(np.nanmean(ap)) for name, ap in aps.items()})),
        settings=settings_of(settings),
        bars=("mAP", "paper mAP"),
    )


def _orderings(maps: Mapping[str, float]) -> list[str]:
    """Whether the paper's orderings appear."""
    full, supervised = "(f) full", "(c) fully supervised"
    pairs = [(full, "(e) no joint model"), (full, "(d) few films"), (full, supervised),
             (supervised, "(b) script only")]  # fmt: skip
    return [
        f"{a} {'above' if maps[a] > maps[b] else 'NOT above'} {b}: {maps[a]:.3f}, {maps[b]:.3f}"
        for a, b in pairs
    ]


def precision_recall_run(settings: WorldSettings = ACTIONS_WORLD) -> Outcome:
    """Figure 4: precision and recall of SitDown, trained on the judged films and on all."""
    wanted = {"judged films only": VARIANTS["(d) few films"], "all films": VARIANTS["(f) full"]}
    column = ACTION_VOCABULARY.column("SitDown")
    with world(settings) as folders:
        scores, truth = variant_scores(folders, wanted), judged_truth(folders)
    curves = {n: precision_recall(truth == column, s[:, column]) for n, s in scores.items()}
    rows = [{"trained on": name, "AP": curve.area} for name, curve in curves.items()]
    lines = tuple(
        Line(f"{name} (AP {curve.area:.2f})", curve.recall.tolist(), curve.precision.tolist())
        for name, curve in curves.items()
    )
    return Outcome(
        "precision-recall", "Precision and recall of SitDown (the paper's Figure 4)",
        told(settings), tuple(rows), figure=Figure("recall", "precision", lines),
        settings=settings_of(settings),
    )  # fmt: skip


def films_run(settings: WorldSettings = ACTIONS_WORLD) -> Outcome:
    """Figure 5: mAP against the number of films to learn from."""
    counts = [n for n in (5, 8, 12, 16, 24, 40, 66) if n <= settings.films]
    with world(settings) as folders:
        found = mean_aps(folders, {str(n): Variant(films=n) for n in counts})
    rows = [{"films": n, "mAP": found[str(n)]} for n in counts]
    rises = rows[-1]["mAP"] > rows[0]["mAP"]
    line = Line("callsheet, simulated", [r["films"] for r in rows], [r["mAP"] for r in rows])
    return Outcome(
        "films", "mAP against the number of films (the paper's Figure 5)", told(settings),
        tuple(rows),
        (f"more films are {'better' if rises else 'NOT better'} from first to last",),
        Figure("films", "mAP", (line,)), settings_of(settings),
    )  # fmt: skip


def judged_truth(folders: Sequence[Path]) -> Array:
    return np.concatenate([bodies_of(folder)[1] for folder in folders[:JUDGED]])


def mean_aps(folders: Sequence[Path], variants: Mapping[str, Variant]) -> dict[str, float]:
    """mAP of each variant on the judged films."""
    truth = judged_truth(folders)
    return {
        name: mean_ap(truth, scores) for name, scores in variant_scores(folders, variants).items()
    }


def variant_scores(folders: Sequence[Path], variants: Mapping[str, Variant]) -> dict[str, Array]:
    """Scores (tracks of the judged films, actions) of each variant."""
    for folder in folders:
        if not (folder / "names.npy").exists():
            make_names(folder)
    return {name: _learnt(folders, variant) for name, variant in variants.items()}


def _learnt(folders: Sequence[Path], variant: Variant) -> Array:
    with tempfile.TemporaryDirectory() as shared:
        make_actions(folders[: variant.films], Path(shared), variant.settings)
    judged = [np.array(open_matrix(f / "action_scores.npy")) for f in folders[:JUDGED]]
    return np.concatenate(judged)


def _baselines(folders: Sequence[Path]) -> dict[str, Array]:
    films = [bodies_of(folder) for folder in folders[:JUDGED]]
    shapes = [(len(film), len(ACTION_VOCABULARY)) for film, _ in films]
    rng = np.random.default_rng(0)
    script = [np.zeros(shape) for shape in shapes]
    for (film, _), scores in zip(films, script, strict=True):
        for bag in film.bags:
            if bag.action is not None and bag.action in ACTION_VOCABULARY:
                places = film.tracks.places(np.asarray(bag.tracks, np.int64))
                scores[places[places >= 0], ACTION_VOCABULARY.column(bag.action)] = 1.0
    return {
        "(a) random": rng.random((sum(n for n, _ in shapes), shapes[0][1])),
        "(b) script only": np.concatenate(script),
        "(c) fully supervised": np.concatenate(_supervised(films)),
    }


def _supervised(films: Sequence[tuple[Any, Array]], ridge: float = 1e-6) -> list[Array]:
    """A ridge classifier of each film, trained on the truth of the other four."""
    sides = [with_constant(np.asarray(film.descriptors), 10.0) for film, _ in films]
    labels = [np.eye(len(ACTION_VOCABULARY))[truth] for _, truth in films]
    scores = []
    for held in range(len(films)):
        rest = [i for i in range(len(films)) if i != held]
        x = np.concatenate([sides[i] for i in rest]).astype(float)
        y = np.concatenate([labels[i] for i in rest])
        scores.append(sides[held] @ solve_ridge(x.T @ x, x.T @ y, len(x) * ridge))
    return scores
