"""Real television: real face tracks and bags, names against the rivals in every episode.

The tracks, transcripts, subtitles, mouth motions and true names are real; the bags are those of
our script wing. There are no pictures, so the descriptors are simulated (`tv_films`), with a
dial set so that a classifier trained on the truth scores about what face networks do on such
series. That classifier stands in the table; it is no rival, for it has seen the truth.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import Vocabulary
from callsheet.experiments.episodes import PAPER
from callsheet.experiments.names import Scores, measured, ours, rival
from callsheet.experiments.outcome import Outcome
from callsheet.experiments.tv_films import FaceLook, television
from callsheet.experiments.worlds import faces_of
from callsheet.model import FilmInputs, NameSettings
from callsheet.model.crossfitting import crossfit_scores, time_folds
from callsheet.model.demands import bag_places
from callsheet.model.rivals import RIVALS

Array = NDArray[Any]
Film = tuple[FilmInputs, Vocabulary, Array]

FEW_EXTRAS = NameSettings(background=0.05)
"""What a user who knows the series would ask: hardly anybody on screen is nameless."""

METHODS: dict[str, Scores] = {
    **{name: rival(name) for name in RIVALS},
    "callsheet": ours,
    "callsheet, few extras": partial(ours, settings=FEW_EXTRAS),
}
SUPERVISED = "classifier of the truth"

BUFFY = {f"buffy_s05e{number:02d}": number for number in range(1, 6)}
"""Episode -> its number in the paper's Table 2."""

PAPER_TOLD = (
    "the paper's rows are of the same episodes of Buffy with its own tracks and its networks'"
    " descriptors; ours are simulated, so compare methods within a column, not with the paper"
)


def run(data: Path, *, look: FaceLook | None = None) -> Outcome:
    """Accuracy and AP of every method in every episode under `data`."""
    look = look or FaceLook()
    with tempfile.TemporaryDirectory(prefix="callsheet-tv-") as made:
        folders = television(data, Path(made), look)
        films = {folder.name: faces_of(folder) for folder in folders}
        ours = [_row(name, film_scores(name, films), films) for name in (*METHODS, SUPERVISED)]
        rows = [*ours, *_paper_rows(ours[0], films)]
        findings = [_bags_told(name, film) for name, film in films.items()]
    return Outcome(
        "tv",
        "Names in real television episodes",
        "real tracks, real bags, simulated descriptors: " + ", ".join(films),
        tuple(rows),
        (*findings, _best(ours), *([PAPER_TOLD] if len(rows) > len(ours) else [])),
        settings={"separation": look.separation, "seed": look.seed,
                  "few extras": FEW_EXTRAS.background},
        bars=("mean accuracy", "mean AP"),
    )  # fmt: skip


def _paper_rows(like: Mapping[str, Any], films: Mapping[str, Film]) -> list[dict[str, Any]]:
    """What the paper prints of those episodes of Buffy that are here."""
    printed = {name: BUFFY.get(name) for name in films}
    if not any(printed.values()):
        return []
    rows = []
    for method, aps in PAPER.items():
        row: dict[str, Any] = dict.fromkeys(like) | {"method": f"  paper, {method}"}
        row |= {f"{film} AP": aps[n - 1] for film, n in printed.items() if n is not None}
        rows.append(row)
    return rows


def film_scores(name: str, films: Mapping[str, Film]) -> list[Array]:
    """Scores (tracks, persons) of a method in each film."""
    if name == SUPERVISED:
        return [_supervised(*film) for film in films.values()]
    return [METHODS[name](film, labels) for film, labels, _ in films.values()]


def share_true(film: FilmInputs, labels: Vocabulary, truth: Array) -> tuple[int, float]:
    """How many bags hold a track, and in what share of them a track shows the person told."""
    told = [
        bool(np.any(truth[places] == labels.column(bag.person)))
        for bag, places in bag_places(film)
        if len(places) and bag.person is not None and bag.person in labels
    ]
    return len(told), float(np.mean(told)) if told else float("nan")


def _row(name: str, scores: list[Array], films: Mapping[str, Film]) -> dict[str, Any]:
    numbers = [
        measured(s, truth)[:2] for s, (*_, truth) in zip(scores, films.values(), strict=True)
    ]
    row: dict[str, Any] = {"method": name}
    for column, word in enumerate(("accuracy", "AP")):
        values = [float(pair[column]) for pair in numbers]
        row |= {f"{film} {word}": value for film, value in zip(films, values, strict=True)}
        row[f"mean {word}"] = float(np.mean(values))
    return row


def _supervised(film: FilmInputs, labels: Vocabulary, truth: Array) -> Array:
    """Scores of a ridge classifier that saw the truth of the other fifths of the episode."""
    folds = time_folds(film.tracks.start, 5)
    return crossfit_scores(
        np.asarray(film.descriptors, float), np.eye(len(labels))[truth], folds,
        ridge=NameSettings().ridge, bias=NameSettings().bias,
    )  # fmt: skip


def _bags_told(name: str, film: Film) -> str:
    count, share = share_true(*film)
    nameless = float(np.mean(film[2] == 0))
    return (
        f"{name}: {len(film[0])} face tracks, {count} bags, {share:.3f} of them true;"
        f" {nameless:.3f} of the tracks show nobody of the cast"
    )


def _best(rows: list[dict[str, Any]]) -> str:
    judged = [row for row in rows if row["method"] != SUPERVISED]
    best = max(judged, key=lambda row: row["mean AP"])
    return f"highest mean AP: {best['method']} ({best['mean AP']:.3f})"
