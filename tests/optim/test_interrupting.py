"""Limits, observers and Ctrl-C come between any two passes: also within a Newton step, and
while the Gram matrix is formed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from callsheet.optim import AtLeast, Block, Envelope, Problem, Status, solve
from callsheet.optim.methods import newton

PASSES = 460
"""So many passes into `wide`, a Newton step of hundreds is under way."""


def wide() -> Problem:
    """As many features as rows: the loss all but vanishes, and Newton steps are needed."""
    rng = np.random.default_rng(0)
    quotas = [AtLeast(range(i, i + 12), 1 + i % 3, 2.0, slack=1e-3) for i in range(0, 100, 9)]
    quotas.append(AtLeast(range(60, 120), 0, 20.0))
    return Problem(rng.normal(size=(120, 100)), 4, [Block(range(120), quotas)], ridge=1e-8,
                   bias=1.0)  # fmt: skip


@pytest.fixture
def searches(monkeypatch):
    """One entry for each product that a search took."""
    seen = []
    curve = newton._curve

    def counting(*arguments):
        seen.append(arguments)
        return curve(*arguments)

    monkeypatch.setattr(newton, "_curve", counting)
    return seen


def test_the_pass_limit_holds_within_a_newton_step(searches):
    solution = solve(wide(), tol=1e-9, max_passes=PASSES)
    assert len(searches) > 50
    assert solution.status is Status.PASS_LIMIT
    assert solution.passes <= PASSES + 5
    assert solution.lower_bound <= solution.objective


def test_an_observer_may_stop_within_a_newton_step_and_changes_nothing_else(searches):
    seen = []
    watched = solve(wide(), tol=1e-4, observers=[lambda now: seen.append(now.passes)])
    assert len(searches) > 50
    assert max(np.diff(seen)) <= 20  # between two of them: at most a certificate in float64
    alone = solve(wide(), tol=1e-4)
    assert np.array_equal(watched.assignment, alone.assignment)
    assert watched.passes == alone.passes
    stopped = solve(wide(), tol=1e-9, observers=[lambda now: now.passes >= PASSES])
    assert stopped.status is Status.INTERRUPTED
    assert stopped.passes <= PASSES + 5


def test_resuming_within_a_newton_step_gives_the_same_bits(searches, tmp_path):
    kept = tmp_path / "solve.npz"
    whole = solve(wide(), tol=1e-4)
    before = len(searches)
    solve(wide(), tol=1e-4, max_passes=whole.passes - 60, checkpoint=kept)
    with np.load(kept) as file:
        assert "state.search.step" in file.files
    assert len(searches) > before
    resumed = solve(wide(), tol=1e-4, resume=kept)
    assert np.array_equal(resumed.assignment, whole.assignment)
    assert np.array_equal(resumed.weights, whole.weights)
    assert [p.passes for p in resumed.trace] == [p.passes for p in whole.trace]


class Pressing:
    """Rows on demand; Ctrl-C is pressed when some of them are read."""

    def __init__(self, rows):
        self.rows, self.shape, self.read = rows, rows.shape, 0

    def __getitem__(self, span):
        self.read += 1
        if self.read == 2:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)  # this thread is none that hears it
        return self.rows[span]


@pytest.mark.parametrize("gram", ["exact", "sketch"])
def test_ctrl_c_while_the_gram_matrix_is_formed_is_a_sentence_and_quick(gram):
    features = Pressing(np.random.default_rng(0).normal(size=(200_000, 2)))
    before, threads = signal.getsignal(signal.SIGINT), threading.active_count()
    with pytest.raises(KeyboardInterrupt, match="interrupted while the Gram matrix was formed"):
        solve(Problem(features, 3), method=Envelope(gram=gram))
    assert features.read <= 25  # of some fifty tiles
    assert signal.getsignal(signal.SIGINT) is before
    assert threading.active_count() == threads


def test_ctrl_c_at_the_gram_matrix_leaves_no_worker_behind():
    program = textwrap.dedent("""
        import multiprocessing, sys
        sys.path.insert(0, {folder!r})
        import numpy as np
        from test_interrupting import Pressing
        from callsheet.optim import Problem, solve
        try:
            solve(Problem(Pressing(np.ones((20_000, 3))), 3), workers=2)
        except KeyboardInterrupt as stop:
            print(stop, multiprocessing.active_children())
    """).format(folder=str(Path(__file__).parent))
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                         check=True)  # fmt: skip
    assert run.stdout.startswith("interrupted while the Gram matrix was formed")
    assert run.stdout.rstrip().endswith("[]")
    assert run.stderr == ""
