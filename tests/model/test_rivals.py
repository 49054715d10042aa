"""Each rival against a reference: another solver, a known special case, or a made scene."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import check_grad

from callsheet.errors import EngineError
from callsheet.model.rivals import RIVALS, NamesTask, TaskBag, bojanowski
from callsheet.model.rivals.cour import fit_partial_labels, loss_and_gradient
from callsheet.model.rivals.diffrac import cluster, cost_matrix, relax
from callsheet.model.rivals.retrieval import correlate
from callsheet.model.rivals.sivic import exemplars
from callsheet.model.rivals.svm import mi_svm, mil_svm
from callsheet.optim import solve


def scene(seed: int = 0, persons: int = 3, each: int = 25) -> tuple[NamesTask, np.ndarray]:
    """Separable faces; bags of three, one of which is right; a fifth unexplained background."""
    rng = np.random.default_rng(seed)
    truth = np.repeat(np.arange(persons + 1), each)
    features = 3 * np.eye(persons + 1, 8)[truth] + 0.3 * rng.normal(size=(len(truth), 8))
    bags = []
    for turn, row in enumerate(np.flatnonzero(truth > 0)[::2]):
        others = rng.choice(np.flatnonzero(truth > 0), 2, replace=False)
        bags.append(TaskBag(np.unique([row, *others]), int(truth[row]), False))
        if turn % 2 == 0:
            bags.append(TaskBag(np.array([row]), int(truth[row]), True))
    return NamesTask(features, tuple(bags), persons + 1), truth


@pytest.mark.parametrize("name", RIVALS)
def test_an_easy_scene_is_named(name: str) -> None:
    task, truth = scene()
    scores = RIVALS[name].score(task)
    assert scores.shape == (len(truth), 4)
    assert np.isfinite(scores).all()
    judged = truth > 0
    if RIVALS[name].background and name not in ("Bojanowski 2013", "mi-SVM"):
        judged = truth >= 0
    assert np.mean(scores.argmax(axis=1)[judged] == truth[judged]) > 0.9


@pytest.mark.parametrize("name", RIVALS)
def test_same_seed_same_scores(name: str) -> None:
    task, _ = scene(1)
    np.testing.assert_array_equal(RIVALS[name].score(task), RIVALS[name].score(task))


def test_partial_labels_have_the_right_gradient() -> None:
    rng = np.random.default_rng(0)
    features, candidates = rng.normal(size=(20, 3)), rng.random((20, 4)) < 0.5
    candidates[:, 0] |= ~candidates.any(axis=1)

    def at(part: int) -> Callable[[Any], Any]:
        return lambda w: np.ravel(
            loss_and_gradient(w.reshape(3, 4), features, candidates, 0.1)[part]
        )[0 if part == 0 else slice(None)]

    assert check_grad(at(0), at(1), rng.normal(size=12)) < 1e-4


def test_with_one_candidate_each_partial_labels_are_one_against_rest() -> None:
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(1)
    truth = rng.integers(0, 3, 80)
    features = np.eye(3)[truth] + 0.5 * rng.normal(size=(80, 3))
    weights = fit_partial_labels(features, np.eye(3, dtype=bool)[truth], ridge=0.5)
    for column in range(3):
        machine = LinearSVC(C=1.0, loss="squared_hinge", fit_intercept=False, dual=False, tol=1e-9)
        machine.fit(features, truth == column)
        # ours: loss + ½·‖w‖²; theirs: ½‖w‖² + C·loss
        np.testing.assert_allclose(weights[:, column], machine.coef_[0], atol=2e-3)


def test_exemplars_are_faces_that_speak_alone() -> None:
    bags = (
        TaskBag(np.array([3]), 1, True),
        TaskBag(np.array([4, 5]), 2, True),
        TaskBag(np.array([6]), 2, False),
        TaskBag(np.array([7]), 1, True),
        TaskBag(np.array([7]), 2, True),
    )
    rows, columns = exemplars(NamesTask(np.zeros((8, 2)), bags, 3))
    assert rows.tolist() == [3]
    assert columns.tolist() == [1]


@pytest.mark.parametrize("fit", [mil_svm, mi_svm])
def test_multiple_instance_machines_find_the_positive_of_each_bag(fit: Any) -> None:
    task, truth = scene(2)
    bags = task.bags_of(1)
    rest = np.flatnonzero(~task.candidates[:, 1])
    scores = fit(task, bags, rest, 1.0, 0)
    picked = [bag[scores[bag].argmax()] for bag in bags]
    assert np.mean(truth[picked] == 1) > 0.9


@pytest.mark.parametrize("fit", [mil_svm, mi_svm])
def test_bags_of_one_row_are_plain_machines(fit: Any) -> None:
    """Nothing is left to choose, so both are one support vector machine."""
    from sklearn.svm import LinearSVC

    task, truth = scene(3)
    positive, rest = np.flatnonzero(truth == 1), np.flatnonzero(truth == 2)
    scores = fit(task, [np.array([row]) for row in positive], rest, 0.5, 0)
    machine = LinearSVC(C=0.5, class_weight="balanced", random_state=0, max_iter=5000)
    both = np.concatenate([positive, rest])
    machine.fit(task.features[both], truth[both] == 1)
    np.testing.assert_allclose(scores, machine.decision_function(task.features), atol=1e-4)


def test_parkhis_background_is_a_machine_of_the_unexplained_faces() -> None:
    from sklearn.svm import LinearSVC

    task, truth = scene(4)
    scores = RIVALS["Parkhi 2015"].score(task)
    machine = LinearSVC(C=0.01, class_weight="balanced", random_state=0, max_iter=5000)
    order = np.concatenate([np.flatnonzero(task.uncovered), np.flatnonzero(~task.uncovered)])
    machine.fit(task.features[order], task.uncovered[order])
    np.testing.assert_allclose(scores[:, 0], machine.decision_function(task.features), atol=1e-4)
    assert scores[truth == 0, 0].min() > scores[~task.uncovered, 0].max()


def test_bojanowski_by_frank_wolfe_is_our_envelope_without_a_background_quota() -> None:
    problem = bojanowski.statement(scene(5, persons=2, each=8)[0])
    theirs = solve(problem, method="fw", tol=1e-2, max_passes=6000)
    ours = solve(problem, method="envelope", tol=1e-6, max_passes=2000)
    assert theirs.gap <= 0.2  # it converges like one over the passes
    assert ours.objective <= theirs.objective * (1 + 1e-9)
    assert theirs.objective - ours.objective <= theirs.gap * theirs.objective + 1e-12
    assert theirs.lower_bound <= ours.objective + 1e-12


def test_diffrac_relaxation_is_feasible_and_finds_the_clusters() -> None:
    rng = np.random.default_rng(0)
    truth = np.repeat([0, 1, 2], 15)
    features = 3 * np.eye(3, 5)[truth] + 0.3 * rng.normal(size=(45, 5))
    cost = cost_matrix(features, 1e-3)
    np.testing.assert_allclose(cost @ np.ones(45), 0, atol=1e-9)  # the bias explains constants
    relation = relax(cost, n_max=20)
    assert relation.min() >= 0
    np.testing.assert_allclose(np.diag(relation), 1)
    assert relation.sum(axis=1).max() <= 20 * 1.05
    assert np.linalg.eigvalsh(relation).min() > -0.1
    exact = (truth[:, None] == truth).astype(float)
    assert np.sum(cost * relation) <= np.sum(cost * exact) + 0.05
    found = cluster(features, 3, ridge=1e-3, largest=0.45)
    assert all(len(set(found[truth == k])) == 1 for k in range(3))
    assert len(set(found)) == 3


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("name", RIVALS)
def test_a_film_with_fewer_faces_than_persons_is_scored(name: str, rows: int) -> None:
    bags = tuple(TaskBag(np.array([row]), 1 + row % 2, True) for row in range(min(rows, 2)))
    task = NamesTask(np.eye(rows, 8), bags, 6)
    scores = RIVALS[name].score(task)
    assert scores.shape == (rows, 6)
    assert np.isfinite(scores).all()


def test_diffrac_says_when_there_are_too_many_rows() -> None:
    with pytest.raises(EngineError, match="up to 2000 rows, got 2001"):
        cluster(np.zeros((2001, 2)), 2, ridge=1.0, largest=0.5)


def test_correlations_are_the_canonical_ones() -> None:
    rng = np.random.default_rng(0)
    shared = rng.normal(size=(500, 2))
    clips = np.c_[shared, rng.normal(size=(500, 3))] @ rng.normal(size=(5, 5))
    noise = 0.5 * rng.normal(size=(500, 2))
    sentences = np.c_[shared + noise, rng.normal(size=(500, 2))] @ rng.normal(size=(4, 4))
    found = correlate(clips, sentences, ridge=0.0, rank=4)
    # Reference: principal angles between the column spaces of the centred sides.
    qx, _ = np.linalg.qr(clips - clips.mean(axis=0))
    qy, _ = np.linalg.qr(sentences - sentences.mean(axis=0))
    np.testing.assert_allclose(
        found.correlations, np.linalg.svd(qx.T @ qy, compute_uv=False)[:4], atol=1e-8
    )
    similar = found.similarity(sentences, clips)
    ranks = (similar > np.diag(similar)[:, None]).sum(axis=1)
    assert np.median(ranks) < 80  # by chance: 250
    with pytest.raises(EngineError, match="need pairs"):
        correlate(clips, sentences[1:], ridge=0.0, rank=2)
