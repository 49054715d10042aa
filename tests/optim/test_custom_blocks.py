"""A block from outside cannot spoil the certificate: it gets copies, its answers are checked."""

from __future__ import annotations

import numpy as np
import pytest

from callsheet.errors import EngineError
from callsheet.optim import OracleBlock, Problem, solve
from callsheet.optim.kernels.simplex import project_row

X = np.random.default_rng(0).normal(size=(12, 3))


def cheapest(cost):
    return np.eye(cost.shape[1])[np.argmin(cost, axis=1)]


def nearest(point):
    out = np.empty_like(point)
    for row, target in zip(point, out, strict=True):
        project_row(row, np.ones(row.size, dtype=np.bool_), target)
    return out


def wiping(answer):
    """The same answer, and the argument overwritten with it or with nothing."""

    def call(points):
        found = answer(points.copy())
        points[:] = 0.0
        return found

    return call


def statement(*blocks):
    prior = np.random.default_rng(1).normal(size=(12, 3))
    return Problem(X, 3, blocks, ridge=0.1, prior=prior)


@pytest.mark.parametrize("method", ["envelope", "fw", "bcfw"])
def test_a_block_that_writes_into_its_argument_changes_nothing(method):
    clean = statement(OracleBlock(range(8), cheapest, nearest))
    wipes = statement(OracleBlock(range(8), wiping(cheapest), wiping(nearest)))
    first, second = (solve(p, method=method, tol=1e-3, max_passes=200) for p in (clean, wipes))
    assert np.array_equal(first.assignment, second.assignment)
    assert (first.lower_bound, first.gap) == (second.lower_bound, second.gap)
    assert first.lower_bound <= solve(statement(), tol=1e-9).objective


BAD = {
    "negative": (lambda cost: cheapest(cost) * 2 - 1 / 3, "shares of 0 or more, got -0.333333"),
    "short": (lambda cost: cheapest(cost) * (1 - 1e-8), "rows that sum to 1, got 0.99999999 in"),
    "one row": (lambda cost: cheapest(cost) * (1 + np.eye(8)[:, 5:6]), "got 2 in row 5"),
    "nan": (lambda cost: cheapest(cost) * np.nan, "NaN or infinity"),
}


@pytest.mark.parametrize("case", BAD)
@pytest.mark.parametrize("part", ["oracle", "project"])
def test_what_is_no_assignment_is_refused(case, part):
    answer, reason = BAD[case]
    block = OracleBlock(range(8), **{"oracle": cheapest, "project": nearest, part: answer})
    with pytest.raises(EngineError, match=f"{part} of OracleBlock .*{reason}"):
        solve(statement(block), tol=1e-6)
