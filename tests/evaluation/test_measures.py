"""Measures against scikit-learn and against cases worked by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, precision_recall_curve

from callsheet.errors import InputError
from callsheet.evaluation import (
    RankedHits,
    accuracy,
    average_precision,
    background_ap,
    bootstrap,
    label_aps,
    mean_ap,
    multi_class_ap,
    named_precision,
    named_share,
    of_rows,
    precision_recall,
    ranks,
    retrieval_score,
)

RANKINGS = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=1, max_size=40).filter(
    lambda pairs: any(hit for hit, _ in pairs)
)


@given(RANKINGS)
def test_average_precision_is_scikit_learns_ties_and_all(pairs: list[tuple[bool, int]]) -> None:
    hits, scores = np.array([h for h, _ in pairs]), np.array([s for _, s in pairs], float)
    wanted = average_precision_score(hits, scores)
    assert average_precision(hits, scores) == pytest.approx(wanted)
    assert RankedHits(hits, scores).average_precision() == pytest.approx(wanted)


@given(RANKINGS)
def test_curve_is_scikit_learns(pairs: list[tuple[bool, int]]) -> None:
    hits, scores = np.array([h for h, _ in pairs]), np.array([s for _, s in pairs], float)
    precision, recall, threshold = precision_recall_curve(hits, scores)
    curve = precision_recall(hits, scores)
    np.testing.assert_allclose(curve.precision, precision[:-1][::-1])
    np.testing.assert_allclose(curve.recall, recall[:-1][::-1])
    np.testing.assert_allclose(curve.threshold, threshold[::-1])


@given(RANKINGS, st.integers(0, 1000))
def test_counts_are_repeated_rows(pairs: list[tuple[bool, int]], seed: int) -> None:
    hits, scores = np.array([h for h, _ in pairs]), np.array([s for _, s in pairs], float)
    counts = np.random.default_rng(seed).integers(0, 3, len(pairs))
    rows = np.repeat(np.arange(len(pairs)), counts)
    weighed = RankedHits(hits, scores).average_precision(counts)
    assert weighed == pytest.approx(average_precision(hits[rows], scores[rows]), nan_ok=True)


def test_multi_class_ap_by_hand() -> None:
    # Tracks truly: A, B, background, A. Surest first: 0 named A (right), 2 named B (wrong: it is
    # background), 1 named A (wrong), 3 named A (right). Precision at the hits: 1/1 and 2/4; three
    # tracks show somebody named, one of them was never named right.
    truth = [1, 2, 0, 1]
    scores = np.array([[0, 9, 1], [0, 5, 4], [0, 1, 8], [3, 2, 1]], float)
    assert multi_class_ap(truth, scores) == pytest.approx((1 + 2 / 4) / 3)


def test_background_ap_and_labels_by_hand() -> None:
    truth = [0, 1, 0]
    scores = np.array([[0.9, 0, 0], [0.5, 0.5, 0.1], [0.1, 0.2, 0.7]])
    assert background_ap(truth, scores) == pytest.approx((1 + 2 / 3) / 2)
    aps = label_aps(truth, scores)
    assert aps[0] == 1.0
    assert np.isnan(aps[1])  # never occurs
    assert mean_ap(truth, scores) == 1.0


def test_accuracy_counts_abstentions_as_wrong_and_precision_does_not() -> None:
    truth, said = [1, 2, 0, 1], [1, -1, 0, 2]
    assert accuracy(truth, said) == 0.5
    assert named_precision(truth, said) == 0.5
    assert named_share(said) == 0.75


def test_tracks_that_were_not_scored_are_never_found() -> None:
    """Their best label would be the first of the vocabulary, which is no answer."""
    truth = [1, 1, 0, 2]
    scores = np.array([[0.1, 0.9, 0], [-np.inf] * 3, [-np.inf] * 3, [0.1, 0.2, 0.8]])
    assert multi_class_ap(truth, scores) == pytest.approx(2 / 3)
    assert label_aps(truth, scores)[0] == pytest.approx(1 / 2)
    assert background_ap(truth, scores) == 0.0
    best = np.array([1, 1, 1, 2])
    hits = RankedHits(best == truth, scores[:, 1:].max(axis=1), np.array(truth) > 0)
    assert hits.average_precision() == pytest.approx(2 / 3)


def test_nothing_relevant_is_not_a_number() -> None:
    assert np.isnan(average_precision([False, False], [1.0, 2.0]))
    assert np.isnan(mean_ap([0, 0], np.zeros((2, 3))))
    with pytest.raises(InputError, match="NaN"):
        average_precision([True], [float("nan")])


def test_retrieval_ranks_by_hand() -> None:
    similarity = np.array([[3, 2, 1], [5, 1, 4], [1, 1, 1]], float)
    assert ranks(similarity).tolist() == [1, 3, 2]
    score = retrieval_score(similarity)
    assert (score.recall_at_1, score.recall_at_5, score.median_rank) == (1 / 3, 1.0, 2.0)
    with pytest.raises(InputError, match="square"):
        ranks(np.zeros((2, 3)))


def _mean(values: np.ndarray[Any, Any]) -> Any:
    return of_rows(lambda rows: float(values[rows].mean()) if len(rows) else float("nan"))


def test_bootstrap_covers_the_mean_as_often_as_it_says() -> None:
    rng, covered = np.random.default_rng(0), 0
    for trial in range(100):
        values = rng.normal(size=60)
        interval = bootstrap(_mean(values), np.zeros(60), draws=200, level=0.9, seed=trial)
        covered += interval.low <= 0 <= interval.high
    assert 80 <= covered <= 98


def test_bootstrap_resamples_whole_films() -> None:
    films = np.repeat([0, 1, 2, 3], 50)
    values = films.astype(float)  # all tracks of a film alike
    by_film = bootstrap(_mean(values), films, draws=300)
    by_track = bootstrap(_mean(values), np.zeros(200), draws=300)
    assert (by_film.units, by_track.units) == ("films", "tracks")
    assert by_film.high - by_film.low > 3 * (by_track.high - by_track.low)
    assert bootstrap(_mean(values), films, draws=300) == by_film


def test_bootstrap_of_nothing_is_not_a_number() -> None:
    assert np.isnan(bootstrap(_mean(np.zeros(0)), []).low)
