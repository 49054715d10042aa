"""The scikit-learn estimator: its checks, and learning from bags and candidate sets."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import RidgeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import callsheet
from callsheet.errors import EngineError, InputError
from callsheet.model.bag_classifier import BagClassifier


@parametrize_with_checks([BagClassifier()])  # type: ignore[untyped-decorator]
def test_scikit_learn_takes_it_for_its_own(estimator: Any, check: Any) -> None:
    check(estimator)


def blobs(seed: int = 0, rows: int = 120) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 3, rows)
    return 3.0 * np.eye(3)[labels] + 0.3 * rng.normal(size=(rows, 3)), np.array(list("abc"))[labels]


def test_it_is_callsheets() -> None:
    assert callsheet.BagClassifier is BagClassifier


def test_with_all_labels_it_is_ridge_classification() -> None:
    features, labels = blobs()
    ours = BagClassifier(ridge=0.01, bias=1e3).fit(features, labels)
    theirs = RidgeClassifier(alpha=0.01 * len(labels)).fit(features, labels)
    # theirs codes classes as -1 and 1, ours as 0 and 1
    np.testing.assert_allclose(2 * ours.coef_, theirs.coef_, atol=1e-3)
    assert (ours.predict(features) == theirs.predict(features)).all()
    assert ours.score(features, labels) > 0.98


def test_bags_teach_labels() -> None:
    features, labels = blobs()
    rng = np.random.default_rng(1)
    bags = [(labels[row], [row, *rng.choice(120, 2, replace=False)]) for row in range(0, 120, 2)]
    bags = [(label, sorted(set(map(int, members)))) for label, members in bags]
    model = BagClassifier(slack=1.0).fit(features, bags=bags)
    assert model.score(*blobs(seed=5)) > 0.9
    assert model.assignment_.shape == (120, 3)


def test_candidates_teach_labels_and_are_kept() -> None:
    features, labels = blobs()
    rng = np.random.default_rng(2)
    candidates = [{label, rng.choice(list("abc"))} for label in labels]
    model = BagClassifier().fit(features, candidates=candidates)
    assert all(said in row for said, row in zip(model.labels_, candidates, strict=True))
    assert model.score(*blobs(seed=5)) > 0.95


@pytest.mark.parametrize("classes", [2, 3, 5])
@pytest.mark.parametrize("size", [1, 2, 5])
def test_bags_teach_labels_however_large_they_are(classes: int, size: int) -> None:
    """To ask for one row of five is to ask for nothing: same shares for all would meet it."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, classes, 300)
    features = 3.0 * np.eye(classes)[codes] + 0.5 * rng.normal(size=(300, classes))
    first = rng.integers(0, 300, 100)
    bags = [(int(codes[row]), {int(row), *rng.choice(300, size - 1).tolist()}) for row in first]
    assert BagClassifier().fit(features, bags=bags).score(features, codes) > 0.95


def test_an_answer_that_says_nothing_is_told() -> None:
    features, labels = blobs()
    bags = [(label, [row, (row + 1) % 120, (row + 5) % 120]) for row, label in enumerate(labels)]
    with pytest.warns(UserWarning, match="every row got the same share of every label"):
        BagClassifier(bound=1).fit(features, bags=bags)


def test_known_text_labels_and_bags_together() -> None:
    """NumPy turns the -1 of rows that are not known into text, or keeps it among objects."""
    features, labels = blobs()
    texts = np.array([*labels[:30], *[-1] * 90])
    objects = np.array([*labels[:30], *[-1] * 90], dtype=object)
    for known in (texts, objects):
        model = BagClassifier().fit(features, known, bags=[("c", [int(np.argmax(labels == "c"))])])
        assert model.classes_.tolist() == ["a", "b", "c"]
        assert (model.labels_[:30] == labels[:30]).all()


def test_candidates_may_come_in_any_sequence() -> None:
    pandas = pytest.importorskip("pandas")
    features, labels = blobs()
    sets = [[label, "abc"[row % 3]] for row, label in enumerate(labels)]
    plain = BagClassifier().fit(features, candidates=sets)
    for form in (iter(sets), pandas.Series(sets, index=range(9, 129))):
        again = BagClassifier().fit(features, candidates=form)
        assert np.array_equal(again.coef_, plain.coef_)


def test_known_labels_and_bags_together() -> None:
    features, labels = blobs()
    codes = np.array([{"a": 0, "b": 1, "c": 2}[label] for label in labels])
    partly = np.where(np.arange(120) < 30, codes, -1)
    model = BagClassifier().fit(features, partly, bags=[(2, [int(np.argmax(codes == 2))])])
    assert model.classes_.tolist() == [0, 1, 2]
    assert (model.labels_[:30] == codes[:30]).all()


def test_background_takes_its_share_of_each_group() -> None:
    features, _ = blobs()
    groups = np.repeat([0, 1], 60)
    model = BagClassifier(background="none", background_share=0.5).fit(
        features, bags=[("a", [0]), ("b", [60])], groups=groups
    )
    column = model.classes_.tolist().index("none")
    for group, told in ((0, 0), (1, 60)):
        free = np.setdiff1d(np.flatnonzero(groups == group), [told])
        assert model.assignment_[free, column].sum() >= 0.5 * len(free) - 1e-9


def test_an_empty_bag_is_told() -> None:
    features, _ = blobs()
    with pytest.warns(UserWarning, match="the bag of 'c' is empty and teaches nothing"):
        BagClassifier().fit(features, bags=[("a", [0]), ("b", [1]), ("c", [])])


def test_a_solve_that_did_not_arrive_is_told() -> None:
    features, labels = blobs()
    bags = [(label, [row, (row + 7) % 120]) for row, label in enumerate(labels)]
    with pytest.warns(ConvergenceWarning, match=r"ended \(pass_limit\) at a gap of .* above tol"):
        BagClassifier(tol=1e-9, max_passes=1).fit(features, bags=bags)


def test_groups_hold_their_own_bags_labels_and_background() -> None:
    """However the groups are numbered and mixed, each is a block of its own."""
    features, _ = blobs(rows=30)
    groups = np.array([7, 3, 5] * 10)
    codes = np.full(30, -1)
    codes[[0, 1]] = 1, 2
    model = BagClassifier(background=0, background_share=0.5).fit(
        features, codes, bags=[(1, [3, 6]), (2, [4]), (2, [5, 8])], groups=groups
    )
    assert model.labels_[[0, 1]].tolist() == [1, 2]
    free = [np.setdiff1d(np.flatnonzero(groups == g), [0, 1, 3, 4, 5, 6, 8]) for g in (3, 5, 7)]
    for rows in free:
        assert model.assignment_[rows, 0].sum() >= 0.5 * len(rows) - 1e-9


def test_known_labels_are_looked_through_once_however_many_groups_there_are() -> None:
    looks = 0

    class Counted(dict[int, int]):
        def __iter__(self) -> Any:
            nonlocal looks
            looks += 1
            return super().__iter__()

        def items(self) -> Any:
            nonlocal looks
            looks += 1
            return super().items()

    model = BagClassifier(background=0)
    model.classes_ = np.arange(2)
    blocks = model._blocks(60, Counted({3: 1}), [(1, np.array([5]))], None, np.arange(60))
    assert len(blocks) == 60
    assert looks == 1


def test_wrong_use_is_one_sentence() -> None:
    features, labels = blobs()
    with pytest.raises(InputError, match="several groups"):
        BagClassifier().fit(features, bags=[("a", [0, 1]), ("b", [2])], groups=np.arange(120))
    with pytest.raises(InputError, match="row numbers"):
        BagClassifier().fit(features, bags=[("a", [500]), ("b", [2])])
    with pytest.raises(InputError, match="whole row numbers"):
        BagClassifier().fit(features, bags=[("a", [0.5]), ("b", [2])])
    with pytest.raises(ValueError, match="all text or all numbers"):
        BagClassifier().fit(features, bags=[("a", [0]), (2, [2])])
    with pytest.raises(ValueError, match="below 120") as caught:
        BagClassifier().fit(features, bags=[("a", [500]), ("b", [2])])
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(InputError, match="one set a row"):
        BagClassifier().fit(features, candidates=[{"a", "b"}])
    with pytest.raises(InputError, match="candidates of row 0 must be a set of labels, got 'anna'"):
        BagClassifier().fit(features, candidates=["anna"] * 120)
    with pytest.raises(InputError, match="row 0 must be its labels, got a mask"):
        BagClassifier().fit(features, candidates=np.ones((120, 3), bool))
    with pytest.raises(InputError, match="pairs of a label and its row numbers, got"):
        BagClassifier().fit(features, bags=[[1, 2, 3]])
    with pytest.raises(InputError, match="the bag of 'a' must list whole row numbers, got 3"):
        BagClassifier().fit(features, bags=[("a", 3), ("b", [2])])
    with pytest.raises(InputError, match=r"bound must be positive .*, got 0"):
        BagClassifier(bound=0).fit(features, labels)
    with pytest.raises(InputError, match="slack must be positive, got None"):
        BagClassifier(slack=None).fit(features, labels)
    with pytest.raises(InputError, match="background_share must be 0 to 1, got 3"):
        BagClassifier(background="a", background_share=3).fit(features, labels)
    with pytest.raises(EngineError, match="ridge"):
        BagClassifier(ridge=-1).fit(features, labels)
