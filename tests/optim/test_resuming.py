"""Checkpoints: to the same bits after any break, and never on another statement."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest

from callsheet.errors import EngineError
from callsheet.optim import AtLeast, Block, OracleBlock, Problem, solve

FOLDER = Path(__file__).resolve().parent


def with_prior(dtype: str = "float32", n_rows: int = 9000) -> Problem:
    """Several chunks, features in float32 and opinions from elsewhere."""
    rng = np.random.default_rng(0)
    blocks = [Block(range(start, start + 1500), [
        AtLeast(range(start, start + 20), 1, 2.0, slack=1e-3),
        AtLeast(range(start + 20, start + 1500), 0, 500.0)])
        for start in range(0, n_rows, 1500)]  # fmt: skip
    return Problem(rng.normal(size=(n_rows, 8)).astype(dtype), 3, blocks, ridge=1e-6,
                   prior=0.1 * rng.normal(size=(n_rows, 3)))  # fmt: skip


def same(one, other):
    assert np.array_equal(one.assignment, other.assignment)
    assert np.array_equal(one.weights, other.weights)
    assert [(p.passes, p.lower_bound) for p in one.trace] == [
        (p.passes, p.lower_bound) for p in other.trace]  # fmt: skip


@pytest.mark.parametrize("method", ["envelope", "fw", "bcfw"])
@pytest.mark.parametrize("workers", [None, 2])
def test_resuming_in_float32_with_a_prior_and_workers(method, workers, tmp_path):
    kept = tmp_path / "solve.npz"
    how = {"method": method, "tol": 1e-9, "seed": np.int64(3), "workers": workers}
    whole = solve(with_prior(), **how, max_passes=40)
    solve(with_prior(), **how, max_passes=15, checkpoint=kept)
    same(solve(with_prior(), **how, max_passes=40, resume=kept), whole)


PROGRAM = """
    import os, signal, sys
    sys.path.insert(0, {folder!r})
    from test_resuming import with_prior
    from callsheet.optim import solve
    def kill(now):
        if now.passes >= 12:
            os.kill(os.getpid(), signal.SIGKILL)
    solve(with_prior(), method={method!r}, tol=1e-9, checkpoint={kept!r}, checkpoint_every=1e-9,
          observers=[kill])
"""


@pytest.mark.parametrize("method", ["envelope", "bcfw"])
def test_a_solve_that_was_killed_goes_on_from_its_last_checkpoint(method, tmp_path):
    kept = tmp_path / "solve.npz"
    program = textwrap.dedent(PROGRAM.format(folder=str(FOLDER), method=method, kept=str(kept)))
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert run.returncode == -signal.SIGKILL, run.stderr
    whole = solve(with_prior(), method=method, tol=1e-9, max_passes=30)
    same(solve(with_prior(), method=method, tol=1e-9, max_passes=30, resume=kept), whole)


def test_numbers_of_numpy_are_numbers(tmp_path):
    kept = tmp_path / "solve.npz"
    problem = Problem(np.eye(9), 2, ridge=np.float32(0.5), bias=np.float32(1), prior=np.eye(9, 2))
    numbers = {"tol": np.float32(1e-9), "seed": np.int64(0)}
    solve(problem, **numbers, max_passes=np.int64(2), checkpoint=kept)
    assert solve(problem, **numbers, resume=kept).passes > 2


class Ordered:
    """A custom block of one type and more than one meaning."""

    def __init__(self, rows, label):
        self.rows, self.label = rows, label

    def oracle(self, cost):
        return np.eye(cost.shape[1])[np.full(len(cost), self.label)]

    project = oracle


class Other(Ordered):
    """The same set under another name."""


X = np.random.default_rng(0).normal(size=(12, 2))
LOST = AtLeast([], 1, 2.0, slack=0.5)
PAIRS = {
    "where blocks end": ([Block(range(6)), Block(range(6, 12))], [Block(range(12))]),
    "slack that is lost anyway": ([Block(range(6))], [Block(range(6), [LOST])]),
    "a block's type": ([Ordered(range(6), 1)], [Other(range(6), 1)]),
    "a block's answers": ([Ordered(range(6), 1)], [Ordered(range(6), 2)]),
    "custom or not": ([Ordered(range(6), 1)], [Block(range(6))]),
    "functions": ([OracleBlock(range(6), lambda cost: np.eye(3)[np.argmin(cost, axis=1)])],
                  [OracleBlock(range(6), lambda cost: np.eye(3)[np.argmax(cost, axis=1)])]),
}  # fmt: skip


@pytest.mark.parametrize("case", PAIRS)
def test_a_checkpoint_of_a_statement_that_differs_little_is_refused(case, tmp_path):
    kept = tmp_path / "solve.npz"
    first, second = (Problem(X, 3, blocks, ridge=1e-3) for blocks in PAIRS[case])
    solve(first, method="fw", tol=1e-12, max_passes=2, checkpoint=kept)
    solve(first, method="fw", tol=1e-12, max_passes=4, resume=kept)
    with pytest.raises(EngineError, match="belongs to another problem"):
        solve(second, method="fw", tol=1e-12, resume=kept)


def test_a_checkpoint_of_the_same_numbers_in_another_precision_is_refused(tmp_path):
    kept = tmp_path / "solve.npz"
    features = np.round(X).astype("float32")
    solve(Problem(features, 3), max_passes=2, tol=1e-12, checkpoint=kept)
    with pytest.raises(EngineError, match="belongs to another problem"):
        solve(Problem(features.astype("float64"), 3), tol=1e-12, resume=kept)
