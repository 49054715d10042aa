"""Labels beside the truth: the arrays that every measure reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import BACKGROUND, Vocabulary
from callsheet.evaluation.measures import ABSTAINED
from callsheet.store import SCHEMAS, read_table

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Scored:
    """One row a judged track: true and predicted columns, and every label's score."""

    vocabulary: Vocabulary
    truth: Array  # (tracks,) column
    predicted: Array  # (tracks,) column, -1: abstained
    scores: Array  # (tracks, labels)
    films: Array  # (tracks,) which film

    def __len__(self) -> int:
        return len(self.truth)

    def take(self, rows: Array) -> Scored:
        return Scored(
            self.vocabulary, self.truth[rows], self.predicted[rows], self.scores[rows],
            self.films[rows],
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class FilmAnswer:
    """labels.parquet and scores.parquet of one film, for one of the questions."""

    labels: dict[int, str | None]
    scores: dict[int, dict[str, float]]


def read_answer(folder: Path, question: str) -> FilmAnswer:
    """Read what was answered to "person" or "action"."""
    labels = read_table(folder / "labels.parquet", SCHEMAS["labels"])
    said = dict(
        zip(labels.column("track").to_pylist(), labels.column(question).to_pylist(), strict=True)
    )
    table = read_table(folder / "scores.parquet", SCHEMAS["scores"])
    scores: dict[int, dict[str, float]] = {}
    columns = (table.column(name).to_pylist() for name in ("track", "kind", "label", "score"))
    for track, kind, label, score in zip(*columns, strict=True):
        if kind == question:
            scores.setdefault(track, {})[label] = score
    return FilmAnswer(said, scores)


def score_films(
    answers: Sequence[FilmAnswer], truths: Sequence[Mapping[int, str]]
) -> tuple[Scored, int]:
    """Put answers and truth side by side; also count true labels that no answer knows.

    Those are people and actions the labels could not name: they count as background.
    """
    known = {label for answer in answers for row in answer.scores.values() for label in row}
    vocabulary = Vocabulary.of(sorted(known - {BACKGROUND}))
    asked = [[track for track in truth if track in answer.labels]
             for answer, truth in zip(answers, truths, strict=True)]  # fmt: skip
    unknown = 0
    true, said, scores = [], [], []
    for answer, truth, tracks in zip(answers, truths, asked, strict=True):
        unknown += len({truth[t] for t in tracks} - known - {BACKGROUND})
        true += [_column(vocabulary, truth[t]) for t in tracks]
        said += [_predicted(vocabulary, answer.labels[t]) for t in tracks]
        scores += [_row(vocabulary, answer.scores.get(t, {})) for t in tracks]
    films = np.repeat(np.arange(len(asked)), [len(tracks) for tracks in asked])
    matrix = np.array(scores, float).reshape(len(true), len(vocabulary))
    return Scored(vocabulary, np.array(true, int), np.array(said, int), matrix, films), unknown


def _column(vocabulary: Vocabulary, label: str) -> int:
    return vocabulary.column(label) if label in vocabulary else 0


def _predicted(vocabulary: Vocabulary, label: str | None) -> int:
    return ABSTAINED if label is None else _column(vocabulary, label)


def _row(vocabulary: Vocabulary, scores: Mapping[str, float]) -> list[float]:
    """A label that was not scored lies below all that were."""
    return [scores.get(label, -np.inf) for label in vocabulary]
