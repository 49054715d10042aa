"""Judge any scores on a film's tracks, ours or a rival's, by the same truth and measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import Vocabulary
from callsheet.evaluation.evaluating import QUESTIONS
from callsheet.evaluation.linking import labels_of, link_tracks
from callsheet.evaluation.scored import FilmAnswer, Scored, score_films
from callsheet.evaluation.settings import EvaluationSettings
from callsheet.evaluation.truth import read_truth


def true_labels(folder: Path, truth: Path, question: str) -> dict[int, str]:
    """Predicted track -> what it truly shows ("person" or "action"), where that is known."""
    read = read_truth(truth)
    links = link_tracks(folder, read, EvaluationSettings())
    return labels_of(read, links, folder, question, QUESTIONS[question])


def answer_of(tracks: Sequence[int], scores: NDArray[Any], vocabulary: Vocabulary) -> FilmAnswer:
    """A score matrix (tracks, labels) as an answer; the best label is the decision."""
    best = scores.argmax(axis=1)
    labels: dict[int, str | None] = {
        t: vocabulary.names[k] for t, k in zip(tracks, best, strict=True)
    }
    rows = {
        t: dict(zip(vocabulary.names, map(float, row), strict=True))
        for t, row in zip(tracks, scores, strict=True)
    }
    return FilmAnswer(labels, rows)


def judged(answers: Sequence[FilmAnswer], truths: Sequence[Mapping[int, str]]) -> Scored:
    """Answers of several films beside their truth."""
    scored, _ = score_films(answers, truths)
    return scored


def confusion(scored: Scored) -> NDArray[Any]:
    """Counts (labels, labels + 1): truth in rows, decisions in columns, abstentions last."""
    size = len(scored.vocabulary)
    counts = np.zeros((size, size + 1), int)
    np.add.at(counts, (scored.truth, np.where(scored.predicted < 0, size, scored.predicted)), 1)
    return counts
