"""docs/engine.md and the worked example run, and the example's oracle is right."""

from __future__ import annotations

import importlib.util
import itertools
import re
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import numpy as np
import pytest

from callsheet.optim import BlockFrankWolfe, Envelope, Problem, Solution, Status, solve
from engine_statements import random_problem

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def example():
    path = ROOT / "examples" / "engine_ordered_events.py"
    spec = importlib.util.spec_from_file_location("engine_ordered_events", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def keeps_order(labels, events):
    shown = [label for label, _ in itertools.groupby(labels)]
    return tuple(label for label in shown if label) == events


@pytest.mark.parametrize("seed", range(4))
def test_the_dynamic_program_finds_the_cheapest_order(example, seed):
    cost = np.random.default_rng(seed).normal(size=(6, 4))
    events = (2, 1, 3)[: 2 + seed % 2]
    vertex = example.OrderedEvents(np.arange(6), events).oracle(cost)
    ways = (w for w in itertools.product(range(4), repeat=6) if keeps_order(w, events))
    assert keeps_order(tuple(np.argmax(vertex, axis=1)), events)
    best = min(sum(cost[i, k] for i, k in enumerate(way)) for way in ways)
    assert np.sum(cost * vertex) == pytest.approx(best)


def test_the_example_beats_all_background_with_a_true_certificate(example):
    problem, truth = example.make_clips(n_clips=12)
    solution = solve(problem, method="bcfw", tol=0.5, max_passes=120)
    assert example.right(solution, problem, truth) > np.mean(truth == 0)
    tighter = solve(problem, method=BlockFrankWolfe(), tol=0.2, max_passes=400)
    assert solution.lower_bound <= tighter.objective + 1e-12
    assert solution.oracle == "12 custom"


def test_a_custom_block_with_a_projection_works_with_every_method(example):
    class Simplex:
        """Rows on the simplex: what the engine's own block without quotas is."""

        rows = np.arange(5)

        def oracle(self, cost):
            return np.eye(cost.shape[1])[np.argmin(cost, axis=1)]

        def project(self, point):
            from callsheet.optim.kernels.simplex import project_row

            out = np.empty_like(point)
            allowed = np.ones(point.shape[1], dtype=np.bool_)
            for row, target in zip(point, out, strict=True):
                project_row(row, allowed, target)
            return out

    features = np.random.default_rng(0).normal(size=(9, 2))
    prior = np.random.default_rng(1).normal(size=(9, 3))
    custom = Problem(features, 3, [Simplex()], ridge=0.1, prior=prior)
    plain = Problem(features, 3, ridge=0.1, prior=prior)
    found = [solve(custom, method=m, tol=1e-4).objective for m in ("envelope", "bcfw", "fw")]
    assert found == pytest.approx([solve(plain, tol=1e-8).objective] * 3, rel=2e-4)


@pytest.mark.parametrize("kind", [Solution, Envelope, BlockFrankWolfe, Status])
def test_the_page_tells_of_every_field_and_every_way_to_end(kind):
    page = (ROOT / "docs" / "engine.md").read_text()
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else [*kind]
    public = [name for name in vars(kind) if isinstance(vars(kind)[name], property)]
    assert [name for name in [*names, *public] if not re.search(rf"[`(, ]{name}\b", page)] == []


def test_the_last_point_of_the_trace_is_the_certificate_that_is_returned():
    problem = random_problem(1)
    for method in ("envelope", "bcfw", "fw"):
        for tol in (1e-2, 1e-12):
            solution = solve(problem, method=method, tol=tol, max_passes=30)
            last = solution.trace[-1]
            found = (solution.objective, solution.lower_bound)
            assert (last.objective, last.lower_bound) == found


def test_the_pages_first_program_runs(capsys):
    page = (ROOT / "docs" / "engine.md").read_text()
    program = re.search(r"```python\n(import numpy.*?)```", page, re.DOTALL).group(1)
    exec(compile(program, "docs/engine.md", "exec"), {})
    assert capsys.readouterr().out.startswith("tolerance")
