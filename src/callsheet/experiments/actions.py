"""Table 4, Figures 4 and 5: actions against the paper's baselines (a) to (f).

Judged on the first five films, as in the paper: (a) a random ranking, (b) every track of a bag,
(c) a classifier trained on the truth of four of them, (d) our method trained on the five,
(e) on all films without the names, (f) with everything. Tracks are ranked as labels are, by
assignment + classifier; the classifier alone stands beside.
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
from callsheet.evaluation import RankedHits, bootstrap, label_aps, mean_ap, precision_recall
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
from callsheet.model.opinions import read_opinion
from callsheet.theatre.world import WorldSettings

Array = NDArray[Any]

PAPER = {
    "(a) random": (0.009, 0.001, 0.007, 0.001, 0.001, 0.006, 0.002, 0.003, 0.005, 0.002, 0.018,
                   0.008, 0.004),
    "(b) script only": (0.030, 0.043, 0.055, 0.028, 0.047, 0.025, 0.016, 0.113, 0.042, 0.014,
                        0.137, 0.031, 0.030),
    "(c) fully supervised": (0.212, 0.002, 0.222, 0.009, 0.006, 0.073, 0.014, 0.019, 0.045, 0.020,
                             0.332, 0.185, 0.063),
    "(d) few films": (0.226, 0.096, 0.156, 0.081, 0.097, 0.061, 0.010, 0.060, 0.021, 0.042, 0.440,
                      0.162, 0.159),
    "(e) no joint model": (0.107, 0.070, 0.171, 0.073, 0.180, 0.126, 0.020, 0.149, 0.036, 0.058,
                           0.244, 0.142, 0.249),
    "(f) full": (0.270, 0.098, 0.282, 0.067, 0.078, 0.059, 0.010, 0.129, 0.017, 0.057, 0.563,
                 0.213, 0.297),
}  # fmt: skip
"""AP of each action, as the paper's Table 4 prints them."""

PAPER_MAP = {
    "(a) random": 0.005,
    "(b) script only": 0.047,
    "(c) fully supervised": 0.093,
    "(d) few films": 0.124,
    "(e) no joint model": 0.125,
    "(f) full": 0.164,
}
"""Their means, as the paper prints those."""

PAPER_FILMS = {JUDGED: PAPER_MAP["(d) few films"], 66: PAPER_MAP["(f) full"]}
"""Ends of the paper's curve of mAP against films, as far as it prints numbers."""

DRAWS = 200
"""Resamplings of the judged films for an interval."""


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
CURVES = {
    "as Bojanowski 2013, judged films": Variant(
        replace(ActionSettings(), background=0.0, bound=1.0), films=JUDGED
    ),
    "judged films only": VARIANTS["(d) few films"],
    "all films": VARIANTS["(f) full"],
}
"""Models whose curves of SitDown are drawn."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """What ranks the judged tracks: `labels` as labels do, `classifier` its opinion alone.

    Labels rank by assignment + classifier, for the assignment knows what the script says of this
    very track. The classifier has not seen the tracks it scores, like a supervised one.
    """

    labels: Array
    classifier: Array | None = None


def run(settings: WorldSettings = ACTIONS_WORLD) -> Outcome:
    """AP of every action for every baseline."""
    with world(settings) as folders:
        ranked = {**_baselines(folders), **variant_scores(folders, VARIANTS)}
        truth = judged_truth(folders)
    rows = [row for name in PAPER for row in _rows(name, ranked[name], truth)]
    maps = {row["method"]: row["mAP"] for row in rows}
    return Outcome(
        "actions",
        "Actions against baselines (the paper's Table 4)",
        told(settings) + f"; judged on {JUDGED} films; the paper's numbers are of its films",
        tuple(rows),
        tuple(_orderings(maps)),
        settings=settings_of(settings),
        bars=("mAP",),
    )


def _rows(name: str, ranked: Ranked, truth: Array) -> list[dict[str, Any]]:
    """A method's row, and below it the paper's."""
    own = label_aps(truth, ranked.labels)
    alone = None if ranked.classifier is None else mean_ap(truth, ranked.classifier)
    return [
        {"method": name, **_by_action(own), "mAP": float(np.nanmean(own)),
         "classifier alone": alone},
        {"method": f"  paper, {name}", **_by_action(PAPER[name]), "mAP": PAPER_MAP[name],
         "classifier alone": None},
    ]  # fmt: skip


def _by_action(aps: Sequence[float] | Array) -> dict[str, float]:
    return dict(zip(ACTIONS, map(float, aps), strict=True))


def _orderings(maps: Mapping[str, float]) -> list[str]:
    """Whether the dials are as the paper's films, and whether its orderings appear."""
    full, supervised = "(f) full", "(c) fully supervised"
    pairs = [(full, "(e) no joint model"), (full, "(d) few films"), (full, supervised),
             (supervised, "(b) script only")]  # fmt: skip
    dials = f"the dials: {supervised} scores {maps[supervised]:.3f}, {PAPER_MAP[supervised]:.3f}" \
            " in the paper"  # fmt: skip
    return [dials] + [
        f"{a} {'above' if maps[a] > maps[b] else 'NOT above'} {b}: {maps[a]:.3f}, {maps[b]:.3f}"
        f" (paper: {PAPER_MAP[a]:.3f}, {PAPER_MAP[b]:.3f})"
        for a, b in pairs
    ]


def precision_recall_run(settings: WorldSettings = ACTIONS_WORLD) -> Outcome:
    """Figure 4: precision and recall of SitDown, trained on the judged films and on all."""
    column = ACTION_VOCABULARY.column("SitDown")
    with world(settings) as folders:
        ranked, truth = variant_scores(folders, CURVES), judged_truth(folders)
    curves = {n: precision_recall(truth == column, r.labels[:, column]) for n, r in ranked.items()}
    rows = [{"trained on": name, "AP": curve.area} for name, curve in curves.items()]
    lines = tuple(
        Line(f"{name} (AP {curve.area:.2f})", curve.recall.tolist(), curve.precision.tolist())
        for name, curve in curves.items()
    )
    return Outcome(
        "precision-recall", "Precision and recall of SitDown (the paper's Figure 4)",
        told(settings), tuple(rows),
        ("the paper's curve of Bojanowski 2013 is of that paper's own code on Casablanca; here"
         " its model (no background quota, a bound of one) is solved on the judged films",),
        figure=Figure("recall", "precision", lines), settings=settings_of(settings),
    )  # fmt: skip


def films_run(settings: WorldSettings = ACTIONS_WORLD) -> Outcome:
    """Figure 5: mAP against the number of films to learn from."""
    counts = [n for n in (5, 8, 12, 16, 24, 40, 66) if n <= settings.films]
    with world(settings) as folders:
        found = mean_aps(folders, {str(n): Variant(films=n) for n in counts})
    rows = [{"films": n, **found[str(n)], "paper mAP": PAPER_FILMS.get(n)} for n in counts]
    least, most = (found[str(n)]["mAP"] for n in (counts[0], counts[-1]))
    paper = Line("paper, its films", list(PAPER_FILMS), list(PAPER_FILMS.values()))
    return Outcome(
        "films", "mAP against the number of films (the paper's Figure 5)", told(settings),
        tuple(rows),
        (f"more films are {'better' if most > least else 'NOT better'} from first to last:"
         f" {least:.3f}, {most:.3f}; in the paper"
         f" {' to '.join(f'{v:.3f} ({n} films)' for n, v in PAPER_FILMS.items())}",),
        Figure("films", "mAP", (curve("films", rows), paper)), settings_of(settings),
    )  # fmt: skip


def curve(x: str, rows: Sequence[Mapping[str, Any]], y: str = "mAP") -> Line:
    """Our line of a figure with its interval."""
    values = {name: [row[name] for row in rows] for name in (x, y, "low", "high")}
    return Line("callsheet, simulated", values[x], values[y], values["low"], values["high"])


def judged_truth(folders: Sequence[Path]) -> Array:
    return np.concatenate([bodies_of(folder)[1] for folder in folders[:JUDGED]])


def mean_aps(
    folders: Sequence[Path], variants: Mapping[str, Variant]
) -> dict[str, dict[str, float]]:
    """mAP of each variant on the judged films, with its interval."""
    truth = judged_truth(folders)
    sizes = [len(bodies_of(folder)[1]) for folder in folders[:JUDGED]]
    films = np.repeat(np.arange(len(sizes)), sizes)
    return {
        name: _with_interval(truth, ranked.labels, films)
        for name, ranked in variant_scores(folders, variants).items()
    }


def _with_interval(truth: Array, scores: Array, films: Array) -> dict[str, float]:
    """mAP, and where it lies for other draws of the judged films."""
    hits = [RankedHits(truth == k, scores[:, k]) for k in np.unique(truth[truth > 0])]

    def mean(counts: Array) -> float:
        return float(np.nanmean([ranked.average_precision(counts) for ranked in hits]))

    interval = bootstrap(mean, films, draws=DRAWS)
    return {"mAP": mean_ap(truth, scores), "low": interval.low, "high": interval.high}


def variant_scores(folders: Sequence[Path], variants: Mapping[str, Variant]) -> dict[str, Ranked]:
    """What ranks the tracks of the judged films, (tracks, actions), of each variant."""
    for folder in folders:
        if not (folder / "names.npy").exists():
            make_names(folder)
    return {name: _learnt(folders, variant) for name, variant in variants.items()}


def _learnt(folders: Sequence[Path], variant: Variant) -> Ranked:
    with tempfile.TemporaryDirectory() as shared:
        make_actions(folders[: variant.films], Path(shared), variant.settings)
    opinions = [
        read_opinion(folder, "actions", len(bodies_of(folder)[1])) for folder in folders[:JUDGED]
    ]
    return Ranked(
        np.concatenate([opinion.ranking() for opinion in opinions]),
        np.concatenate([opinion.scores for opinion in opinions]),
    )


def _baselines(folders: Sequence[Path]) -> dict[str, Ranked]:
    films = [bodies_of(folder) for folder in folders[:JUDGED]]
    shapes = [(len(film), len(ACTION_VOCABULARY)) for film, _ in films]
    rng = np.random.default_rng(0)
    script = [np.zeros(shape) for shape in shapes]
    for (film, _), scores in zip(films, script, strict=True):
        for bag in film.bags:
            if bag.action is not None and bag.action in ACTION_VOCABULARY:
                places = film.tracks.places(np.asarray(bag.tracks, np.int64))
                scores[places[places >= 0], ACTION_VOCABULARY.column(bag.action)] = 1.0
    supervised = np.concatenate(_supervised(films))
    return {
        "(a) random": Ranked(rng.random((sum(n for n, _ in shapes), shapes[0][1]))),
        "(b) script only": Ranked(np.concatenate(script)),
        "(c) fully supervised": Ranked(supervised, supervised),
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
