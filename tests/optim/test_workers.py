"""Worker processes: they end with the solve, whatever ends it, and what kills one is told."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from callsheet.errors import EngineError
from callsheet.optim import OracleBlock, Problem, solve

FEATURES = np.random.default_rng(0).normal(size=(9000, 4))


def children() -> set[int]:
    path = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    if not path.exists():
        pytest.skip("needs /proc")
    return {int(number) for number in path.read_text().split()}


def test_workers_are_gone_when_the_solve_is_over():
    before = children()
    seen = []
    solve(Problem(FEATURES, 3), workers=3, tol=1e-3,
          observers=[lambda now: seen.append(len(children() - before))])  # fmt: skip
    assert max(seen) == 3
    assert children() == before


def test_a_killed_worker_is_told_and_the_others_end():
    before = children()

    def kill_one(_now):
        os.kill(min(children() - before), signal.SIGKILL)

    with pytest.raises(EngineError, match=r"a worker process died.*fewer workers"):
        solve(Problem(FEATURES, 3), workers=2, tol=1e-12, observers=[kill_one])
    assert children() == before


class PickyError(Exception):
    """Cannot be pickled and put together again."""

    def __init__(self, one, two):
        super().__init__(f"{one} {two}")


def test_an_error_of_a_custom_block_that_does_not_pickle_is_told_too():
    def oracle(cost):
        raise PickyError("no", "answer")

    problem = Problem(FEATURES, 3, [OracleBlock(range(5000, 9000), oracle)])
    with pytest.raises(EngineError, match="a worker process failed with PickyError: no answer"):
        solve(problem, method="fw", workers=2)


PROGRAM = """
    import numpy as np
    from callsheet.optim import Problem, solve
    def tell(now):
        print("step", flush=True)
    x = np.random.default_rng(0).normal(size=(9000, 30))
    prior = np.random.default_rng(1).normal(size=(9000, 5))
    solution = solve(Problem(x, 5, ridge=1e-8, prior=prior), method="fw", tol=1e-14,
                     max_passes=1e6, observers=[tell], workers={workers})
    print(solution.status, solution.lower_bound < solution.objective)
"""


@pytest.mark.parametrize("workers", [None, 2])
def test_ctrl_c_at_a_terminal_reaches_all_and_ends_well(workers):
    """A terminal sends the signal to the whole group: workers must outlive it."""
    program = textwrap.dedent(PROGRAM.format(workers=workers))
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as run:
        for _ in range(3):
            assert run.stdout.readline() == "step\n"
        os.killpg(run.pid, signal.SIGINT)
        out, errors = run.communicate(timeout=60)
    assert out.splitlines()[-1] == "interrupted True"
    assert errors == ""
    with pytest.raises(ProcessLookupError):
        _await_end_of_group(run.pid)


def _await_end_of_group(group: int) -> None:
    for _ in range(50):
        os.killpg(group, 0)
        time.sleep(0.1)
