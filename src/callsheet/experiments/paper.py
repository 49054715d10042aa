"""The paper's own run: the authors' released files, with their features, from bags to actions.

`callsheet experiment paper --data DIR`. DIR holds `bags.mat`, `data_block.mat`, `track_map.mat`
and the features `X.mat` (or `X.npy`), which were not released; `Z_total.mat` (names) makes
person-action bags weigh their tracks. The settings are the authors': λ = κ = 1e-6, α₂ = 2,
β = 0.4, constant column 100. A `truth.csv` (columns `track`, the row of X from 1, and `action`)
adds the average precision of the tracks it lists, beside the paper's Table 4.
"""

from __future__ import annotations

import csv
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.bags import import_released, read_released
from callsheet.core import ACTION_VOCABULARY, ACTIONS, BACKGROUND, TrackKind
from callsheet.errors import InputError
from callsheet.evaluation import label_aps
from callsheet.experiments.actions import PAPER as TABLE_4
from callsheet.experiments.outcome import Outcome
from callsheet.experiments.statistics import PAPER
from callsheet.model import ActionSettings, FilmInputs, make_actions, read_film
from callsheet.model.demands import bag_places
from callsheet.model.opinions import read_opinion

Array = NDArray[Any]
KAPPA = 1e-6
AUTHORS = replace(ActionSettings(), bias=100.0)
PAPER_AP = dict(zip(ACTIONS, TABLE_4["(f) full"], strict=True))


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found in one film: its bodies and what ranks their actions, (bodies, actions)."""

    film: FilmInputs
    ranking: Array


def run(data: Path) -> Outcome:
    """Learn the actions of the released films; count what the labels say, judge them if we can."""
    if not any((data / name).is_file() for name in ("X.mat", "X.npy")):
        raise InputError(
            f"{data} has neither X.mat nor X.npy, so there is nothing to learn from; `callsheet"
            f" experiment statistics --data {data}` counts its bags"
        )
    with tempfile.TemporaryDirectory(prefix="callsheet-released-") as name:
        began = time.perf_counter()
        imported = import_released(data, Path(name))
        read = time.perf_counter() - began
        folders = sorted(p for p in Path(name).iterdir() if p.is_dir())
        settings = replace(AUTHORS, slack=KAPPA * imported.summary["tracks"])
        learned = make_actions(folders, Path(name), settings)
        taken = time.perf_counter() - began - read
        answers = [_answer(folder) for folder in folders]
    truth = _truth(data / "truth.csv", read_released(data).films)
    rows = [_row(action, answers, truth) for action in ACTIONS]
    return Outcome(
        "paper", "The paper's run on the authors' files", _made_of(data, imported.summary),
        (*rows, _total(rows)),
        (*imported.warnings, *learned.warnings, _told(learned.summary, read, taken)),
        settings={"lambda": settings.ridge, "kappa": KAPPA, "bound": settings.bound,
                  "beta": settings.background, "bias": settings.bias},
        bars=("bags met", "bags"),
    )  # fmt: skip


def _answer(folder: Path) -> Answer:
    film = read_film(folder, TrackKind.BODY)
    ranking = read_opinion(folder, "actions", len(film)).ranking()
    # Descriptors were read to learn from; keeping them would hold every film's file open.
    return Answer(replace(film, descriptors=np.empty((len(film), 0))), ranking)


def _row(action: str, answers: Sequence[Answer], truth: Sequence[Array] | None) -> dict[str, Any]:
    column = ACTION_VOCABULARY.column(action)
    decided = [answer.ranking.argmax(axis=1) for answer in answers]
    bags = [
        bool(np.any(labels[places] == column))
        for answer, labels in zip(answers, decided, strict=True)
        for bag, places in bag_places(answer.film)
        if bag.action == action
    ]
    row = {
        "action": action, "bags": len(bags), "paper": PAPER[action], "bags met": sum(bags),
        "tracks": int(sum((labels == column).sum() for labels in decided)),
    }  # fmt: skip
    return row if truth is None else row | _judged(column, answers, truth)


def _judged(column: int, answers: Sequence[Answer], truth: Sequence[Array]) -> dict[str, Any]:
    true = np.concatenate(truth)
    ranking = np.concatenate([answer.ranking for answer in answers])[true >= 0]
    ap = label_aps(true[true >= 0], ranking)[column - 1]
    return {"AP": float(ap), "paper AP": PAPER_AP[ACTIONS[column - 1]]}


def _total(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    total = {"action": "total"} | {
        name: sum(row[name] for row in rows) for name in ("bags", "paper", "bags met", "tracks")
    }
    if "AP" in rows[0]:
        means = {name: np.array([row[name] for row in rows]) for name in ("AP", "paper AP")}
        total |= {name: float(np.nanmean(values)) for name, values in means.items()}
    return total


def _truth(path: Path, films: Sequence[Array]) -> list[Array] | None:
    """True column of every body of each film, -1 where it is not told; None without the file."""
    if not path.exists():
        return None
    columns = np.full(sum(len(film) for film in films), -1)
    with path.open(newline="", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            track = (row.get("track") or "").strip()
            action = (row.get("action") or "").strip() or BACKGROUND
            if not track.isdigit() or not 1 <= int(track) <= len(columns):
                raise InputError(f"{path}: track is a number from 1 to {len(columns)}, got {row}")
            if action not in ACTION_VOCABULARY:
                known = ", ".join(ACTION_VOCABULARY)
                raise InputError(f"{path}: no action {action!r}; there are {known}")
            columns[int(track) - 1] = ACTION_VOCABULARY.column(action)
    return [columns[film] for film in films]


def _made_of(data: Path, counts: Mapping[str, Any]) -> str:
    return (
        f"files in {data.name}: {counts['films']} films, {counts['tracks']} body tracks;"
        " whether they are real is for whoever made X to say"
    )


def _told(summary: Mapping[str, Any], read: float, taken: float) -> str:
    return (
        f"certified gap {summary['gap']:.2e} after {summary['passes']} passes"
        f" ({summary['status']});"
        f" read in {read:.0f} s, solved and scored in {taken:.0f} s"
    )
