"""Every statement that cannot be solved is refused in a sentence that names the place."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from scipy import sparse

from callsheet.errors import EngineError
from callsheet.optim import (
    AtLeast,
    AtMost,
    Block,
    BlockFrankWolfe,
    Envelope,
    Equal,
    OracleBlock,
    Problem,
    solve,
)

X = np.random.default_rng(0).normal(size=(6, 2))


def problem(*quotas, rows=range(6), **known):
    return Problem(X, 3, [Block(rows, quotas, **known)])


REFUSED = {
    "at least out of reach": (lambda: problem(AtLeast([1, 4], 2, 3.0)),
                              r"AtLeast\(label=2, bound=3, rows 1, 4\) cannot be met.*reach 2"),
    "at least out of reach by a mask": (
        lambda: problem(AtLeast([0, 1], 2, 2.0), pinned={1: 0}), "reach 1 at most"),
    "at most below what is pinned": (
        lambda: problem(AtMost([0, 1], 2, 0.5), pinned={1: 2}), "carry 1 at least"),
    "empty hard bag": (lambda: problem(AtLeast([], 1, 1.0)), "no rows.*cannot be met"),
    "quotas that clash": (
        lambda: problem(AtLeast([0, 1], 1, 1.5), AtLeast([0, 1], 2, 1.0)),
        r"cannot be met together: block 0, quota 0, AtLeast.*rows 0, 1"),
    "two blocks": (lambda: Problem(X, 2, [Block([0, 1]), Block([1, 2])]),
                   "row 1 is in two blocks, 0 and 1"),
    "row out of range": (lambda: problem(rows=[0, 9]), "block 0: row 9 is out of range"),
    "row twice": (lambda: problem(rows=[0, 0]), "row 0 is listed twice"),
    "label out of range": (lambda: problem(AtLeast([0], 3, 1.0, slack=1)),
                           "label 3 is out of range, labels are 0 to 2"),
    "negative label": (lambda: problem(AtLeast([0], -1, 1.0, slack=1)), "label -1"),
    "quota outside its block": (lambda: problem(AtLeast([5], 1, 1.0), rows=range(3)),
                                "rows 5 of AtLeast.* not in the block"),
    "pin outside": (lambda: problem(rows=range(3), pinned={5: 1}), "pinned row 5"),
    "pin not allowed": (
        lambda: problem(allowed=np.tile([True, False, True], (6, 1)), pinned={2: 1}),
        "row 2 is pinned to label 1, which is not allowed"),
    "nothing allowed": (lambda: problem(allowed=np.arange(18).reshape(6, 3) < 15),
                        "no label is allowed for rows 5"),
    "mask shape": (lambda: problem(allowed=np.ones((2, 3), bool)), r"\(6, 3\), got \(2, 3\)"),
    "weights": (lambda: AtLeast([0, 1], 0, 1.0, weights=[1.0]), "one weight a row"),
    "weights in words": (lambda: AtLeast([0], 0, 1.0, weights=["a"]),
                         r"AtLeast: weights must be numbers, got \['a'\]"),
    "no rows at all": (lambda: problem(rows=None), "rows must be a slice, a mask or a list.*None"),
    "one row bare": (lambda: AtLeast(3, 0, 1.0), "label 0: rows must be a slice.*got 3"),
    "negative weights": (lambda: AtLeast([0], 0, 1.0, weights=[-1.0]), "not negative"),
    "slack": (lambda: AtLeast([0], 0, 1.0, slack=0.0), "slack must be positive"),
    "bound": (lambda: Equal([0], 0, float("nan")), "bound must be a finite number"),
    "ridge": (lambda: Problem(X, 2, ridge=0.0), "ridge must be positive, got 0"),
    "labels": (lambda: Problem(X, 0), "n_labels must be"),
    "prior shape": (lambda: Problem(X, 2, prior=np.zeros((2, 2))), "prior must have"),
    "prior in words": (lambda: Problem(X, 2, prior="x"), "prior must be numbers, got 'x'"),
    "prior nan": (lambda: Problem(X, 2, prior=np.full((6, 2), np.nan)), "row 0, label 0"),
    "features shape": (lambda: Problem(X[0], 2), "features must be a matrix"),
    "ragged features": (lambda: Problem([[1.0, 2.0], [3.0]], 2), "rows of several lengths"),
    "features kind": (lambda: Problem(np.array([["a"]]), 2), "real numbers"),
    "method": (lambda: solve(problem(), method="magic"), "choose from 'envelope', 'bcfw', 'fw'"),
    "tol": (lambda: solve(problem(), tol=-1), "tol must be positive, got -1"),
    "workers": (lambda: solve(problem(), workers=0), "workers must be 1 or more"),
    "start": (lambda: solve(problem(), start=np.zeros((1, 1))), "start must have weights of shape"),
    "sampling": (lambda: BlockFrankWolfe(sampling="luck"), "sampling must be"),
    "acceleration": (lambda: Envelope(acceleration="warp"), "acceleration must be one of"),
    "pin of half a label": (lambda: problem(pinned={1: 1.5}), "whole number, got 1.5"),
    "pins in a list": (lambda: problem(pinned=[1]), "pinned must map row numbers to labels"),
    "a quota alone": (lambda: Block(range(6), AtLeast([0], 1, 1.0)), "list of quotas"),
    "a block alone": (lambda: Problem(X, 2, Block(range(6))), "list of blocks, got Block"),
    "bound in words": (lambda: AtLeast([0], 1, "two"), "bound must be a finite number, got two"),
    "ridge in words": (lambda: Problem(X, 2, ridge="small"), "ridge must be positive, got 'small'"),
    "seed": (lambda: solve(problem(), method="bcfw", seed=-1), "seed must be a whole number"),
    "half a worker": (lambda: solve(problem(), workers=1.5), "workers must be 1 or more"),
    "masked features": (lambda: Problem(np.ma.masked_array(X, X > 1), 2), "got a masked array"),
    "overflow": (lambda: solve(Problem(np.full((6, 2), 1e200), 2)), "features are too large"),
    "short rows": (lambda: solve(Problem(Short(X), 2)), r"must be 6 rows of 2.*shape \(5, 2\)"),
    "checkpoint": (lambda: solve(problem(), checkpoint="/nowhere/x.npz"), "folder does not exist"),
    "scores": (lambda: solve(problem()).scores(X[:, :1]), r"must have 2 columns.*\(6, 1\)"),
    "method in a list": (lambda: solve(problem(), method=["envelope"]), "choose from 'envelope'"),
    "passes in words": (lambda: solve(problem(), max_passes="a"), "max_passes must be.*got 'a'"),
    "passes that are none": (lambda: solve(problem(), max_passes=float("nan")), "got nan"),
    "time in words": (lambda: solve(problem(), time_limit="a"), "time_limit must be.*got 'a'"),
    "workers yes": (lambda: solve(problem(), workers=True), "workers must be.*got True"),
    "seed yes": (lambda: solve(problem(), seed=True), "seed must be a whole number.*got True"),
    "checkpoint when": (lambda: solve(problem(), checkpoint_every="x"),
                        "checkpoint_every must be seconds, 0 or more, got 'x'"),
    "checkpoint where": (lambda: solve(problem(), checkpoint=3), "checkpoint must be the path"),
    "checkpoint in a folder": (lambda: solve(problem(), checkpoint="/"), "got the folder /"),
    "resume where": (lambda: solve(problem(), resume=3), "resume must be the path of a file"),
    "a lone observer": (lambda: solve(problem(), observers=print), "observers must be a list"),
    "an observer that is none": (lambda: solve(problem(), observers=[3]), "list of functions"),
    "start in words": (lambda: solve(problem(), start="x"), "start must be a Solution or"),
    "no problem": (lambda: solve(X), "problem must be a Problem, got ndarray"),
    "memory": (lambda: Envelope(memory="x"), "whole numbers of 1 or more, got 'x' and 10"),
    "gram": (lambda: Envelope(gram="guess"), "gram must be one of 'auto', 'exact', 'sketch'"),
    "refresh": (lambda: BlockFrankWolfe(refresh="a"), "refresh must be.*got 'a'"),
    "pin of half a row": (lambda: problem(pinned={1.7: 1}), "row numbers must be.*got 1.7"),
    "pin of a truth": (lambda: problem(pinned={True: 1}), "row numbers must be.*got True"),
    "short mask": (lambda: problem(rows=np.ones(4, bool)),
                   r"block 0: a boolean mask of rows.*problem \(6\), got 4"),
    "long mask": (lambda: problem(rows=np.arange(9) < 6), r"problem \(6\), got 9"),
    "short mask of a quota": (lambda: problem(AtLeast([True, False], 1, 1.0)),
                              r"block 0, quota 0: a boolean mask.*\(6\), got 2"),
    "short mask of a custom block": (
        lambda: Problem(X, 3, [OracleBlock(np.ones(4, bool), lambda cost: cost)]),
        r"block 0: a boolean mask.*\(6\), got 4"),
    "slice down": (lambda: problem(rows=slice(0, 6, -1)), "a slice must run upwards"),
    "slice on the spot": (lambda: problem(rows=slice(0, 6, 0)), "a slice must run upwards"),
    "slice of a quota": (lambda: AtLeast(slice(5, 2), 1, 1.0), "label 1: a slice must run upwards"),
    "slice of halves": (lambda: problem(rows=slice(0.5, 6)), "made of whole numbers"),
    "complex features": (lambda: Problem(X + 1j, 2), "real numbers, got complex128"),
    "complex sparse": (lambda: Problem(sparse.csr_matrix(X + 1j), 2), "numbers, got complex128"),
    "no projection": (
        lambda: solve(Problem(X, 2, [OracleBlock(range(6), lambda cost: cost)])),
        r"has no project\(point\).*use 'bcfw' or 'fw'"),
    "oracle shape": (
        lambda: solve(Problem(X, 2, [OracleBlock(range(6), lambda cost: cost[:2])]), method="fw"),
        r"must return shape \(6, 2\), got \(2, 2\)"),
}  # fmt: skip


class Short:
    """A source that loses its last row."""

    def __init__(self, rows):
        self.rows, self.shape = rows, rows.shape

    def __getitem__(self, span):
        return self.rows[span][:-1]


@pytest.mark.parametrize("case", REFUSED)
def test_refused_with_a_reason(case):
    make, reason = REFUSED[case]
    with pytest.raises(EngineError, match=f"(?s){reason}") as caught:
        make()
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("form", ["array", "float32", "sparse", "mapped", "source"])
def test_first_number_that_is_not_finite_is_named(bad, form, tmp_path):
    features = X.astype(np.float32 if form == "float32" else np.float64)
    features[4, 1] = features[5, 0] = bad
    with pytest.raises(EngineError, match="row 4, column 1") as caught:
        solve(Problem(in_form(features, form, tmp_path), 2))
    assert (caught.value.row, caught.value.column) == (4, 1)


def in_form(features, form, folder):
    if form == "sparse":
        return sparse.csr_matrix(features)
    if form in ("array", "float32"):
        return features
    np.save(folder / "x.npy", features)
    mapped = np.load(folder / "x.npy", mmap_mode="r")
    return mapped if form == "mapped" else Source(mapped)


class Source:
    def __init__(self, rows):
        self.rows = rows
        self.shape = rows.shape

    def __getitem__(self, span):
        return np.array(self.rows[span])


ROWS = [slice(1, 5, 2), slice(np.int64(1), 4, 2), [1, 3], range(3, 0, -2), np.array([1, 3]),
        np.isin(np.arange(6), (1, 3)), [False, True, False, True, False, False]]  # fmt: skip


@pytest.mark.parametrize("rows", ROWS)
def test_rows_may_be_written_in_many_ways(rows):
    known = Problem(X, 2, [Block(rows, [AtLeast(rows, 1, 1.0)])])
    assert sorted(known.blocks[0].rows) == sorted(known.blocks[0].quotas[0].rows) == [1, 3]


def test_an_empty_bag_with_slack_is_reported_and_paid_for():
    known = problem(AtLeast([], 1, 2.0, slack=0.5))
    assert "empty bag" in known.warnings[0]
    solution = solve(known, tol=1e-6)
    assert solution.warnings == known.warnings
    assert solution.objective >= 0.5 * 0.5 * 2.0**2
