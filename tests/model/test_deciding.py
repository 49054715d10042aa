"""Cross-fitting, rounding, calibration: checked by hand and against their definitions."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from callsheet.core import Vocabulary
from callsheet.errors import InputError
from callsheet.model import crossfitting
from callsheet.model.calibration import choose_beyond_decoys, choose_threshold
from callsheet.model.crossfitting import crossfit_scores, solve_ridge, time_folds, with_constant
from callsheet.model.deciding import Opinion, decide
from callsheet.model.keeping import MetBag, Quotas, keep_quotas
from callsheet.model.rounding import margins, round_labels
from callsheet.model.stacked import StackedMatrices
from callsheet.model.trials import hold_decoys

Array = NDArray[Any]


@given(st.integers(0, 10_000))
def test_crossfitting_is_learning_without_the_fold(seed: int) -> None:
    rng = np.random.default_rng(seed)
    features, labels = rng.normal(size=(30, 4)), np.eye(3)[rng.integers(0, 3, 30)]
    folds = time_folds(rng.random(30), 3)
    scores = crossfit_scores(features, labels, folds, ridge=0.1, bias=2.0)
    rows = with_constant(features, 2.0)
    for fold in folds:
        rest = np.setdiff1d(np.arange(30), fold)
        weights = solve_ridge(rows[rest].T @ rows[rest], rows[rest].T @ labels[rest],
                              0.1 * len(rest))  # fmt: skip
        np.testing.assert_allclose(scores[fold], rows[fold] @ weights, atol=1e-8)


def test_grams_too_large_to_be_held_are_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    features, labels = rng.normal(size=(40, 5)), rng.dirichlet([1.0, 1.0], 40)
    folds = time_folds(rng.random(40), 4)
    held = crossfit_scores(features, labels, folds, ridge=0.1, bias=1.0)
    monkeypatch.setattr(crossfitting, "KEPT", 0)
    made, moments = [], crossfitting._moments
    monkeypatch.setattr(crossfitting, "_moments", lambda *a: made.append(1) or moments(*a))
    again = crossfit_scores(features, labels, folds, ridge=0.1, bias=1.0)
    np.testing.assert_allclose(again, held, rtol=1e-12)
    assert len(made) == 8  # each fold once for the total, once for itself


def test_crossfitting_holds_two_grams_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, width = np.random.default_rng(0), 700
    features = rng.normal(size=(64, width))
    labels = rng.dirichlet([1.0, 1.0], 64)
    monkeypatch.setattr(crossfitting, "KEPT", 0)
    tracemalloc.start()
    crossfit_scores(features, labels, time_folds(np.arange(64.0), 4), ridge=0.1, bias=0.0)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3.5 * 8 * width**2  # total, a fold's, and one product on its way into it


def test_a_rows_own_label_does_not_move_its_score() -> None:
    rng = np.random.default_rng(0)
    features, labels = rng.normal(size=(20, 3)), np.eye(2)[rng.integers(0, 2, 20)]
    folds = time_folds(np.arange(20.0), 4)
    before = crossfit_scores(features, labels, folds, ridge=0.1, bias=1.0)
    labels[0] = labels[0][::-1]
    after = crossfit_scores(features, labels, folds, ridge=0.1, bias=1.0)
    np.testing.assert_allclose(before[0], after[0], atol=1e-9)
    assert np.abs(before[10] - after[10]).max() > 1e-6


def test_the_surer_track_keeps_a_name_two_want() -> None:
    scores = np.array([[0.1, 0.9, 0.2], [0.1, 0.6, 0.5], [0.2, 0.8, 0.1]])
    together = [np.array([0, 1])]
    assert round_labels(scores).tolist() == [1, 1, 1]
    assert round_labels(scores, together=together).tolist() == [1, 2, 1]
    assert round_labels(scores, together=together, pins={1: 1}).tolist() == [2, 1, 1]


@given(st.integers(0, 10_000))
def test_rounding_never_repeats_a_name_in_a_picture(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(8, 4))
    together = [rng.choice(8, size=3, replace=False) for _ in range(3)]
    columns = round_labels(scores, together=together)
    for group in together:
        named = [c for c in columns[group] if c]
        assert len(set(named)) == len(named)


@given(st.integers(0, 10_000))
def test_rounding_keeps_the_background_and_the_bags_that_were_met(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ranking = rng.normal(size=(12, 4))
    together = [rng.choice(12, size=3, replace=False) for _ in range(3)]
    pins = {int(rng.integers(12)): int(rng.integers(4))}
    unseen = np.setdiff1d(rng.choice(12, size=6, replace=False), list(pins))
    bags = tuple(MetBag(rng.choice(12, size=3, replace=False), int(rng.integers(1, 4)))
                 for _ in range(3))  # fmt: skip
    quotas = Quotas(unseen, rng.random() * len(unseen), bags)
    before = round_labels(ranking, together=together, pins=pins)
    after = keep_quotas(before, ranking, quotas, together=together, pinned=pins)
    assert (after[unseen] == 0).sum() >= quotas.least - 1e-9
    assert all(after[row] == column for row, column in pins.items())
    for group in together:
        named = [c for c in after[group] if c]
        assert len(set(named)) == len(named)
    for bag in bags:
        if not np.any(after[bag.places] == bag.column):
            for row in bag.places.tolist():
                assert _breaks(row, bag.column, after, quotas, together, pins)


def _breaks(
    row: int, column: int, columns: Array, quotas: Quotas, together: list[Array], pins: Any
) -> bool:
    """Whether giving a row this label would break something that holds."""
    given = columns.copy()
    given[row] = column
    twice = any((given[group] == column).sum() > 1 for group in together)
    unseen = (given[quotas.background] == 0).sum() < quotas.least - 1e-9
    lost = any(
        np.any(columns[bag.places] == bag.column) and not np.any(given[bag.places] == bag.column)
        for bag in quotas.bags
    )
    return row in pins or twice or unseen or lost


def test_rounding_gives_a_bag_its_best_row_and_the_background_the_cheapest() -> None:
    ranking = np.array([[0.5, 0.4], [0.5, 0.45], [0.1, 0.9], [0.4, 0.5], [0.2, 0.7]])
    columns = round_labels(ranking)
    assert columns.tolist() == [0, 0, 1, 1, 1]
    quotas = Quotas(np.array([2, 3, 4]), 1.5, (MetBag(np.array([0, 1]), 1),))
    assert keep_quotas(columns, ranking, quotas).tolist() == [0, 1, 1, 0, 0]
    assert keep_quotas(columns, ranking, quotas, pinned={1}).tolist() == [1, 0, 1, 0, 0]


def test_labels_that_yielded_are_labels_unless_a_margin_is_asked_for() -> None:
    labels = Vocabulary.of(["RICK"])
    opinion = Opinion(labels, None, np.array([[0.5, 0.4]]))
    given_away = decide(opinion, pins={}, keep=lambda columns, _: columns + 1)
    assert given_away.label(0) == "RICK"
    assert given_away.margin[0] < 0


def test_margins_by_hand() -> None:
    scores = np.array([[1.0, 3.0, 2.5], [0.0, -1.0, 2.0]])
    np.testing.assert_allclose(margins(scores, np.array([1, 0])), [0.5, -2.0])
    assert margins(np.ones((2, 1)), np.array([0, 0])).tolist() == [0, 0]


def _trials(
    rng: np.random.Generator, truth_of_evidence: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Margins, whether the label is right (the more so the larger), whether evidence agrees."""
    margin = rng.random(6000)
    right = rng.random(6000) < 0.4 + 0.6 * margin
    true = rng.random(6000) < truth_of_evidence
    return margin, right, right & true


@pytest.mark.parametrize("truth_of_evidence", [1.0, 0.85])
@pytest.mark.parametrize("wanted", [0.8, 0.9])
def test_the_threshold_gives_the_precision_it_was_asked_for(
    truth_of_evidence: float, wanted: float
) -> None:
    margin, right, agrees = _trials(np.random.default_rng(1), truth_of_evidence)
    found = choose_threshold(margin, agrees.astype(float), wanted)
    assert found.reached
    named = margin >= found.margin
    assert right[named].mean() == pytest.approx(wanted, abs=0.08)
    assert named.mean() > 0.1


def test_a_classifier_that_is_wrong_at_every_margin_is_not_vouched_for() -> None:
    """The surest labels are no surer: their agreement says nothing of how true the evidence is."""
    rng = np.random.default_rng(0)
    margin, agrees = rng.random(4000), (rng.random(4000) < 0.6).astype(float)
    found = choose_threshold(margin, agrees, 0.95)
    assert not found.reached
    assert found.margin == np.inf
    assert found.precision < 0.8
    once = choose_threshold(margin, agrees, 0.55, floor=1.0)
    assert once.reached
    assert once.precision == pytest.approx(0.6, abs=0.02)


def test_bags_of_one_track_that_agree_tell_how_true_the_evidence_is() -> None:
    """Labels right 9 times in 10; evidence that never contradicts itself, or does by a third."""
    rng = np.random.default_rng(0)
    margin = rng.random(4000)
    for truth, wanted, reached in ((1.0, 0.93, False), (0.8, 0.85, True)):
        agrees = (rng.random(4000) < 0.9 * truth).astype(float)
        twice = np.where(rng.random(4000) < 0.5, rng.random(4000) < truth**2, np.nan)
        found = choose_threshold(margin, agrees, wanted, twice=twice, floor=0.5)
        assert found.reached is reached
        assert found.precision == pytest.approx(0.9, abs=0.03)


def test_a_few_lucky_trials_prove_little() -> None:
    margin = np.linspace(0, 1, 25)
    assert not choose_threshold(margin, np.ones(25), 0.99).reached
    many = choose_threshold(np.linspace(0, 1, 2500), np.ones(2500), 0.99)
    assert many.reached
    assert many.least < many.precision == 1.0


def test_a_precision_out_of_reach_withholds_everything() -> None:
    margin = np.linspace(0, 1, 100)
    certain = np.ones(100, bool)
    found = choose_threshold(margin, np.zeros(100), 0.9, certain=certain)
    assert not found.reached
    assert found.margin == np.inf
    assert "out of reach" in found.note()
    few = choose_threshold(margin[:5], np.ones(5), 0.9)
    assert few.margin == np.inf
    assert "5 trials are too few" in few.note()


@given(st.integers(0, 1000))
@settings(max_examples=20, deadline=None)
def test_decoys_tell_how_often_labels_of_bag_tracks_are_right(seed: int) -> None:
    """Tracks of bags do the deed by half, those outside never; a classifier errs at random."""
    rng = np.random.default_rng(seed)
    told = np.zeros((8000, 2), bool)
    told[:1500, 1] = True
    does = told[:, 1] & (rng.random(8000) < 0.5)
    sure = np.where(does, rng.beta(4, 2, 8000), rng.beta(2, 6, 8000)) - 0.3
    decoys = hold_decoys(told, np.stack([np.zeros(8000), sure], axis=1))
    found = choose_beyond_decoys(decoys.margin, decoys.value, decoys.target, 0.9)
    named = told[:, 1] & (sure >= found.margin)
    assert found.reached
    assert does[named].mean() > 0.86  # on the safe side: decoys may do the deed too
    assert named.sum() > 200
    nothing = hold_decoys(told, np.stack([np.zeros(8000), rng.random(8000)], axis=1))
    by_chance = choose_beyond_decoys(nothing.margin, nothing.value, nothing.target, 0.9)
    assert not by_chance.reached


def test_labels_that_no_bag_vouches_for_are_withheld() -> None:
    labels = Vocabulary.of(["Run"])
    opinion = Opinion(labels, None, np.array([[0.0, 1.0], [0.0, 1.0], [1.0, 0.0]]))
    vouched = np.array([[False, True], [False, False], [False, False]])
    decision = decide(opinion, pins={}, vouched=vouched)
    assert [decision.label(row) for row in range(3)] == ["Run", None, "background"]


def test_pins_are_given_whatever_the_threshold() -> None:
    labels = Vocabulary.of(["RICK"])
    opinion = Opinion(labels, None, np.array([[0.4, 0.5], [0.4, 0.5], [0.9, 0.1]]))
    free = decide(opinion, pins={1: "RICK"})
    assert [free.label(row) for row in range(3)] == ["RICK", "RICK", "background"]
    strict = decide(opinion, pins={1: "RICK"}, least_margin=0.3)
    assert [strict.label(row) for row in range(3)] == [None, "RICK", "background"]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=5), st.integers(0, 25), st.integers(0, 25))
def test_stacked_rows_are_those_of_one_matrix(sizes: list[int], start: int, stop: int) -> None:
    parts = [np.full((n, 2), i, np.float32) + np.arange(n)[:, None] for i, n in enumerate(sizes)]
    stacked = StackedMatrices(parts)
    assert np.array_equal(stacked[start:stop], np.concatenate(parts)[start:stop])
    assert stacked.shape == (sum(sizes), 2)


def test_films_of_other_descriptors_do_not_stack() -> None:
    with pytest.raises(InputError, match="same width"):
        StackedMatrices([np.zeros((2, 3)), np.zeros((2, 4))])
