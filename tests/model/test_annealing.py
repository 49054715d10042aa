"""Annealing keeps its constraints and its closed forms; candidate sets are disambiguated."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.errors import EngineError, SettingsError
from callsheet.model.annealing import (
    AnnealingSettings,
    BalancedRidge,
    FeatureRidge,
    KernelRidge,
    anneal,
    project_candidates,
)
from callsheet.model.candidates import (
    CandidateSettings,
    company,
    fit_candidates,
    fit_vote,
    rank_settings,
)

seeds = st.integers(0, 2**32 - 1)


@given(seeds)
def test_leave_one_out_is_what_refitting_without_the_row_gives(seed: int) -> None:
    rng = np.random.default_rng(seed)
    features, labels = rng.normal(size=(9, 3)), rng.random((9, 2))
    scores = FeatureRidge(features, 0.3).left_out(labels)
    kernel = KernelRidge(features @ features.T, 0.3).left_out(labels)
    for row in range(9):
        others = np.arange(9) != row
        gram = features[others].T @ features[others] + 0.3 * np.eye(3)
        weights = np.linalg.solve(gram, features[others].T @ labels[others])
        np.testing.assert_allclose(scores[row], features[row] @ weights, atol=1e-8)
    np.testing.assert_allclose(kernel, scores, atol=1e-8)


@given(seeds, st.integers(2, 14))
def test_balanced_scores_leave_the_row_out_of_a_weighted_fit(seed: int, columns: int) -> None:
    """Also with more columns than rows, where the features are turned into fewer."""
    rng = np.random.default_rng(seed)
    features, labels = rng.normal(size=(9, columns)), rng.dirichlet([1.0, 3.0], 9)
    scores = BalancedRidge(features, 0.3).left_out(labels)
    weights = (labels / (labels.mean(axis=0) + 1e-3)).sum(axis=1)
    weights = weights / weights.mean()
    for row in range(9):
        others = np.arange(9) != row
        rest, heavy = features[others], weights[others, None]
        gram = rest.T @ (heavy * rest) + 0.3 * np.eye(columns)
        fitted = np.linalg.solve(gram, rest.T @ (heavy * labels[others]))
        np.testing.assert_allclose(scores[row], features[row] @ fitted, atol=1e-8)


def test_balanced_scores_do_not_favour_the_frequent() -> None:
    """Between two equally wide clouds of 300 and 10 rows the border lies in the middle."""
    rng = np.random.default_rng(0)
    labels = np.eye(2)[np.repeat([0, 1], [300, 10])]
    features = np.c_[2.0 * labels[:, 1] - 1 + rng.normal(size=310), np.ones(310)]
    middle = np.array([[0.3, 1.0]])
    both = np.concatenate([features, middle]), np.concatenate([labels, [[0.5, 0.5]]])
    plain = FeatureRidge(both[0], 0.1).left_out(both[1])[-1]
    balanced = BalancedRidge(both[0], 0.1).left_out(both[1])[-1]
    assert plain[0] > plain[1]
    assert balanced[1] > balanced[0]


@given(seeds)
def test_projection_is_the_nearest_point_of_the_candidate_simplex(seed: int) -> None:
    rng = np.random.default_rng(seed)
    candidates = rng.random((6, 4)) < 0.5
    candidates[np.arange(6), rng.integers(0, 4, 6)] = True
    point = 3 * rng.normal(size=(6, 4))
    nearest = project_candidates(point, candidates)
    assert (nearest >= 0).all()
    assert (nearest[~candidates] == 0).all()
    np.testing.assert_allclose(nearest.sum(axis=1), 1, atol=1e-12)
    # Optimality: no vertex of the row's simplex lies in an improving direction.
    for row in range(6):
        gradient = nearest[row] - point[row]
        for label in np.flatnonzero(candidates[row]):
            assert gradient @ (np.eye(4)[label] - nearest[row]) >= -1e-9


def blobs(seed: int, count: int = 120) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, count)
    centres = 4 * rng.normal(size=(4, 5))
    features = centres[truth] + rng.normal(size=(count, 5))
    candidates = rng.random((count, 4)) < 0.4
    candidates[np.arange(count), truth] = True
    return features, candidates, truth


def test_candidates_are_disambiguated_and_new_rows_named() -> None:
    features, candidates, truth = blobs(0)
    model = fit_candidates(features[:90], candidates[:90])
    decided = model.assignment.argmax(axis=1)
    assert candidates[np.arange(90), decided].all()
    assert np.mean(decided == truth[:90]) > 0.97
    assert np.mean(model.predict(features[90:]) == truth[90:]) > 0.9


def test_annealing_sharpens() -> None:
    features, candidates, _ = blobs(1)
    start = candidates / candidates.sum(axis=1, keepdims=True)
    ridge = FeatureRidge(features, 0.1)
    sharp = anneal(start, ridge, lambda point: project_candidates(point, candidates))
    assert (sharp.max(axis=1) > 0.999).mean() > 0.8
    once = AnnealingSettings(rounds=1, first=1.0, last=1.0)
    soft = anneal(start, ridge, lambda p: project_candidates(p, candidates), settings=once)
    assert soft.max(axis=1).mean() < sharp.max(axis=1).mean()


def test_company_knows_who_stands_beside_whom() -> None:
    # Label 1 is listed with every row of label 0; label 0 never with rows of label 1.
    candidates = np.array([[1, 1, 0]] * 20 + [[0, 1, 0]] * 20 + [[0, 0, 1]] * 20, bool)
    assignment = np.repeat(np.eye(3), 20, axis=0)
    logs = company(candidates, assignment, prior=1.0)
    assert (logs[:20, 0] > logs[:20, 1]).all()


def test_settings_are_ranked_without_the_truth_and_the_best_vote() -> None:
    features, candidates, truth = blobs(2)
    grid = [CandidateSettings(ridge=r) for r in (0.05, 1e4)]
    ranked = rank_settings(features, candidates, grid)
    assert ranked[0][1].ridge == 0.05
    assert ranked[0][0] > ranked[1][0]
    vote = fit_vote(features, candidates, grid, voters=2)
    assert len(vote.models) == 2
    assert np.mean(vote.predict(features) == truth) > 0.9


def test_bad_candidates_are_sentences() -> None:
    features, candidates, _ = blobs(3)
    with pytest.raises(EngineError, match="row 4 has no candidate label"):
        empty = candidates.copy()
        empty[4] = False
        fit_candidates(features, empty)
    with pytest.raises(EngineError, match=r"got nan at \(2, 1\)"):
        broken = features.copy()
        broken[2, 1] = np.nan
        fit_candidates(broken, candidates)
    with pytest.raises(EngineError, match="as many rows"):
        fit_candidates(features[1:], candidates)
    with pytest.raises(SettingsError, match="0 < first <= last"):
        AnnealingSettings(first=2.0, last=1.0)


@pytest.mark.slow
def test_lost_reaches_what_we_publish(shared_data: Path) -> None:
    from callsheet.experiments.lost import run

    (vote, *_) = run(shared_data / "lost").table
    assert vote["transductive"] >= 0.90
    assert vote["test"] >= 0.78
