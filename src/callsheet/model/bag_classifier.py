"""A scikit-learn estimator for those who have a matrix and bags and nothing else.

    BagClassifier().fit(X, bags=[("kiss", [3, 4, 9]), ("run", [12])]).predict(X_new)

It learns a linear classifier by discriminative clustering: every row has one label, and what
is known of the labels (bags, candidate sets, known labels, a share of background) is demanded
of the relaxed assignment. With all labels known it is ridge classification.

What is demanded must rule out the empty answer, which gives every row the same shares of every
label: any classifier explains that without a glance at the features. One row of n in a bag is
too little for this as soon as n times a label's share is 1, so by default a bag of n rows among K
labels asks for 1 + (n − 1)/K: one more than chance. Same shares cannot meet that for all labels.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from callsheet.errors import InputError, MissingExtraError
from callsheet.optim import AtLeast, Block, Problem, Quota, Solution, Status, solve

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    raise MissingExtraError("BagClassifier needs: pip install 'callsheet[learn]'") from None

Array = NDArray[Any]
Bags = Iterable[tuple[Any, Iterable[int]]]


class BagError(InputError, ValueError):
    """What was given to learn from cannot be used; a ValueError too, as scikit-learn has it."""


UNLABELLED = (-1, "-1")
"""In `y`, where bags or candidates are given too: this row's label is not known. NumPy makes text
of the number in an array of text."""
EVEN = 1e-3
"""Shares that differ less than this from row to row say nothing of any row."""


class BagClassifier(ClassifierMixin, BaseEstimator):
    """Learn from bags, candidate sets and known labels.

    Parameters: `ridge` λ; `bias` value of the constant column; `bound` rows of a bag that carry
    its label (None: one more than chance, 1 + (rows of the bag - 1) / classes);
    `slack` price (a row) of missing that; `background` a label for "none of them",
    with `background_share` of the rows in no bag that must carry it, in each group; `tol`,
    `max_passes` of the solver; `random_state` its seed.

    After `fit`: `classes_`, `coef_` (classes, features), `intercept_`, `assignment_` (rows,
    classes), `labels_` (rows), `gap_`, `n_iter_`.
    """

    def __init__(
        self,
        *,
        ridge: float = 1e-3,
        bias: float = 10.0,
        bound: float | None = None,
        slack: float = 1.0,
        background: Any = None,
        background_share: float = 0.3,
        tol: float = 1e-3,
        max_passes: int = 1000,
        random_state: int | None = 0,
    ) -> None:
        self.ridge = ridge
        self.bias = bias
        self.bound = bound
        self.slack = slack
        self.background = background
        self.background_share = background_share
        self.tol = tol
        self.max_passes = max_passes
        self.random_state = random_state

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def fit(
        self,
        X: Any,
        y: ArrayLike | None = None,
        *,
        bags: Bags = (),
        candidates: Sequence[Iterable[Any]] | None = None,
        groups: ArrayLike | None = None,
    ) -> BagClassifier:
        """Learn from rows X (rows, features).

        `y` gives known labels (with bags or candidates, -1 is "not known"); `bags` are pairs of a
        label and the row numbers one of which carries it; `candidates` the possible labels of
        each row (an empty set: any); `groups` numbers the films that rows belong to.
        """
        self._check_settings()
        told, known = _told(bags), None
        candidates = _candidate_sets(candidates)
        if y is None and not told and candidates is None:
            raise BagError(
                "requires y to be passed, but the target y is None; or give bags or candidates"
            )
        if y is None:
            X = validate_data(self, X, accept_sparse="csr", dtype=(np.float64, np.float32))
        else:
            X, known = validate_data(
                self, X, y, accept_sparse="csr", dtype=(np.float64, np.float32)
            )
            if not (told or candidates):
                check_classification_targets(known)
        pins = _known_rows(known, partial=bool(told or candidates))
        self.classes_ = _classes(pins, told, candidates, self.background)
        blocks = self._blocks(X.shape[0], pins, told, candidates, groups)
        problem = Problem(X, len(self.classes_), blocks, ridge=self.ridge, bias=self.bias)
        solution = solve(problem, tol=self.tol, seed=self.random_state or 0,
                         max_passes=self.max_passes)  # fmt: skip
        _tell_unfinished(solution, self.tol)
        _tell_empty(solution)
        self._keep(solution)
        return self

    def decision_function(self, X: Any) -> Array:
        """Scores (rows, classes); with two classes, (rows,): positive is the second."""
        check_is_fitted(self)
        X = validate_data(self, X, accept_sparse="csr", dtype=(np.float64, np.float32), reset=False)
        scores: Array = np.asarray(X @ self.coef_.T + self.intercept_)
        return scores[:, 1] - scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> Array:
        """Label of each row."""
        scores = self.decision_function(X)
        columns = (scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)
        labels: Array = self.classes_[columns]
        return labels

    def _check_settings(self) -> None:
        """Refuse what the engine would not, or would only name as quotas."""
        if self.bound is not None and not _positive(self.bound):
            raise BagError(
                f"bound must be positive (None: one more than chance), got {self.bound!r}"
            )
        if not _positive(self.slack):
            raise BagError(f"slack must be positive, got {self.slack!r}")
        if self.background is not None and not 0 <= self.background_share <= 1:
            raise BagError(f"background_share must be 0 to 1, got {self.background_share}")

    def _bound(self, inside: Array) -> float:
        """How much of its label a bag must carry."""
        if self.bound is not None:
            return self.bound
        return 1.0 + (len(inside) - 1) / len(self.classes_)

    def _keep(self, solution: Solution) -> None:
        width = self.n_features_in_
        self.coef_ = np.ascontiguousarray(solution.weights[:width].T)
        constant = solution.weights[width:]
        self.intercept_ = self.bias * constant[0] if len(constant) else np.zeros(len(self.classes_))
        self.assignment_ = solution.assignment
        self.labels_ = self.classes_[solution.assignment.argmax(axis=1)]
        self.gap_ = solution.gap
        self.n_iter_ = max(1, int(solution.passes))

    def _blocks(
        self,
        rows: int,
        pins: dict[int, Any],
        bags: list[tuple[Any, Array]],
        candidates: list[set[Any]] | None,
        groups: ArrayLike | None,
    ) -> list[Block]:
        column = {label: k for k, label in enumerate(self.classes_.tolist())}
        allowed = _allowed(candidates, rows, column)
        member = _group_numbers(groups, rows)
        for label, inside in bags:
            _check_bag(label, inside, rows, member)
        quotas: list[list[Quota]] = [[] for _ in range(int(member.max()) + 1)]
        pinned: list[dict[int, int]] = [{} for _ in quotas]
        told = np.zeros(rows, bool)
        for label, inside in bags:
            if len(inside):
                price = self.slack / rows
                quotas[member[inside[0]]].append(
                    AtLeast(inside, column[label], self._bound(inside), price)
                )
                told[inside] = True
        for row, label in pins.items():
            pinned[member[row]][row] = column[label]
            told[row] = True
        own = np.split(np.argsort(member, kind="stable"), np.cumsum(np.bincount(member))[:-1])
        if self.background is not None:
            for mine, demands in zip(own, quotas, strict=True):
                demands += self._background(mine[~told[mine]], column)
        return [
            Block(mine, demands, None if allowed is None else allowed[mine], pins_here)
            for mine, demands, pins_here in zip(own, quotas, pinned, strict=True)
        ]

    def _background(self, free: Array, column: dict[Any, int]) -> list[Quota]:
        """Its share of the rows of a group that nothing is told of."""
        share = self.background_share * len(free)
        return [AtLeast(free, column[self.background], share)] if len(free) else []


def _positive(value: Any) -> bool:
    return isinstance(value, Real) and float(value) > 0


def _known_rows(y: Array | None, *, partial: bool) -> dict[int, Any]:
    """Row -> label, for the rows whose label is known."""
    if y is None:
        return {}
    return {
        row: label for row, label in enumerate(y.tolist()) if not (partial and label in UNLABELLED)
    }


def _told(bags: Bags) -> list[tuple[Any, Array]]:
    """Bags as pairs of a label and row numbers."""
    pairs = [tuple(bag) if isinstance(bag, Iterable) else bag for bag in bags]
    for bag in pairs:
        if not isinstance(bag, tuple) or len(bag) != 2:
            raise BagError(f"bags must be pairs of a label and its row numbers, got {bag!r}")
    return [(_plain(label), _row_numbers(label, rows)) for label, rows in pairs]


def _candidate_sets(candidates: Sequence[Iterable[Any]] | None) -> list[set[Any]] | None:
    """The labels each row may have."""
    if candidates is None:
        return None
    sets = []
    for row, labels in enumerate(candidates):
        if isinstance(labels, str) or not isinstance(labels, Iterable):
            raise BagError(f"candidates of row {row} must be a set of labels, got {labels!r}")
        if isinstance(labels, np.ndarray) and labels.dtype == np.bool_:
            raise BagError(f"candidates of row {row} must be its labels, got a mask of them")
        sets.append({_plain(label) for label in labels})
    return sets


def _plain(label: Any) -> Any:
    """A label as Python has it: NumPy's would look odd in messages."""
    return label.item() if isinstance(label, np.generic) else label


def _classes(
    pins: dict[int, Any],
    bags: list[tuple[Any, Array]],
    candidates: list[set[Any]] | None,
    background: Any,
) -> Array:
    labels = {*pins.values(), *(label for label, _ in bags)}
    labels |= set().union(*candidates or ())
    labels |= set() if background is None else {background}
    if len(labels) < 2:
        raise BagError(f"two classes or more are needed, got {len(labels)} class: {labels}")
    texts = [isinstance(label, str) for label in labels]
    numbers = [isinstance(label, int | float) for label in labels]
    if not all(texts) and not all(numbers):
        raise BagError(f"labels must be all text or all numbers, got {list(labels)[:8]}")
    return np.unique(np.array(list(labels)))


def _allowed(candidates: list[set[Any]] | None, rows: int, column: dict[Any, int]) -> Array | None:
    if candidates is None:
        return None
    if len(candidates) != rows:
        raise BagError(f"candidates must be one set a row ({rows}), got {len(candidates)}")
    allowed = np.zeros((rows, len(column)), bool)
    for row, labels in enumerate(candidates):
        allowed[row, [column[label] for label in labels]] = True
    allowed[~allowed.any(axis=1)] = True
    return allowed


def _group_numbers(groups: ArrayLike | None, rows: int) -> Array:
    if groups is None:
        return np.zeros(rows, int)
    given = np.asarray(groups)
    if given.shape != (rows,):
        raise BagError(f"groups must be one number a row ({rows}), got shape {given.shape}")
    numbers: Array = np.unique(given, return_inverse=True)[1]
    return numbers


def _row_numbers(label: Any, rows: Any) -> Array:
    if isinstance(rows, str) or not isinstance(rows, Iterable):
        raise BagError(f"the bag of {label!r} must list whole row numbers, got {rows!r}")
    given = np.asarray(rows if isinstance(rows, np.ndarray) else list(rows))
    if given.size and not np.issubdtype(given.dtype, np.integer):
        raise BagError(f"the bag of {label!r} must list whole row numbers, got {given.dtype}")
    return given.astype(int)


def _tell_unfinished(solution: Solution, tol: float) -> None:
    if solution.status is not Status.TOLERANCE:
        warnings.warn(
            f"the solve ended ({solution.status}) at a gap of {solution.gap:.2g}, above tol"
            f" {tol:g}; raise max_passes or tol",
            ConvergenceWarning,
            stacklevel=3,
        )


def _tell_empty(solution: Solution) -> None:
    """Tell where every row got the same shares: that says nothing of any of them."""
    rows = solution.assignment
    if len(rows) > 1 and (rows.max(axis=0) - rows.min(axis=0)).max() < EVEN:
        warnings.warn(
            "every row got the same share of every label, which meets what was asked without a"
            " look at the features; raise bound, or name a background",
            stacklevel=3,
        )


def _check_bag(label: Any, inside: Array, rows: int, member: Array) -> None:
    if not len(inside):
        warnings.warn(f"the bag of {label!r} is empty and teaches nothing", stacklevel=4)
    if inside.ndim != 1 or ((inside < 0) | (inside >= rows)).any():
        raise BagError(f"the bag of {label!r} must list row numbers below {rows}, got {inside}")
    if len(inside) and len(np.unique(member[inside])) > 1:
        raise BagError(f"the bag of {label!r} has rows of several groups; split it by group")
