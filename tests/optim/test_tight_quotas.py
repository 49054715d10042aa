"""Quotas that hardly leave a choice: at their limit, redundant, of any weight and price.

These once came back unmet, without a word, from a projection that had not ended.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from callsheet.errors import EngineError
from callsheet.optim import AtLeast, AtMost, Block, Equal, Problem, interior, projection, solve
from callsheet.optim.desk import Desk
from callsheet.optim.nearest import Nearest
from engine_statements import random_problem, tight_problem, violation


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n_quotas=st.sampled_from([2, 5, 30]),
    scale=st.sampled_from([1e-12, 1.0, 1e6, 1e12]),
    ties=st.booleans(),
)
def test_hard_quotas_hold_whatever_their_shape(seed, n_quotas, scale, ties):
    problem = tight_problem(seed, n_quotas=n_quotas)
    points = scale * np.random.default_rng(seed).normal(size=(problem.n_rows, problem.n_labels))
    rows = Nearest(problem)(np.round(points) if ties else points)
    assert violation(problem, rows) <= 1e-9


@pytest.mark.parametrize("method", ["envelope", "fw", "bcfw"])
@pytest.mark.parametrize("seed", [20, 41, 88])
def test_solutions_meet_tight_quotas_with_every_method(method, seed):
    problem = tight_problem(seed, n_quotas=8)
    solution = solve(problem, method=method, tol=1e-3, max_passes=25)
    assert violation(problem, solution.assignment) <= 1e-9
    assert solution.lower_bound <= solution.objective


@pytest.mark.parametrize("workers", [None, 2])
def test_projections_that_took_more_than_the_kernels_are_told(workers):
    problem = tight_problem(1)
    solution = solve(problem, tol=1e-3, max_passes=6, workers=workers)
    assert solution.oracle.endswith(
        "projection by interior point for up to 1 group of joint quotas"
    )
    (told,) = [text for text in solution.warnings if "projected only nearly" in text]
    assert told.startswith("in some passes 1 group of joint quotas")
    plain = solve(random_problem(1), tol=1e-3)
    assert "interior" not in plain.oracle
    assert plain.warnings == ()


def test_a_resumed_solve_still_tells_them(tmp_path):
    """Also those of before the break."""
    kept = tmp_path / "solve.npz"
    first = solve(tight_problem(1), tol=1e-12, max_passes=6, checkpoint=kept)
    resumed = solve(tight_problem(1), tol=1e-12, max_passes=1e-9, resume=kept)
    assert (resumed.oracle, resumed.warnings) == (first.oracle, first.warnings)
    assert resumed.warnings


def test_hard_quotas_that_a_linear_program_mended_are_told(monkeypatch):
    """Should the interior point miss a hard quota; here it is made to."""
    monkeypatch.setattr(projection, "HOLDS", -1.0)
    solution = solve(tight_problem(1), tol=1e-3, max_passes=6)
    assert "(in 1 of them HiGHS mended hard ones)" in solution.warnings[-1]
    assert violation(tight_problem(1), solution.assignment) <= 1e-9


@pytest.mark.parametrize("seed", range(5))
def test_the_interior_point_agrees_with_the_kernel(seed):
    problem = random_problem(seed)
    layout = problem.layout
    points = np.random.default_rng(seed).normal(size=(problem.n_rows, problem.n_labels))
    projected = Nearest(problem)(points)[layout.order]
    table = layout.every
    for component in range(table.component_quota.size - 1):
        quotas = slice(*table.component_quota[component : component + 2])
        places = table.component_rows[slice(*table.component_start[component : component + 2])]
        found = interior.project_component(points[layout.order][places], layout, places, quotas)
        assert found.rows == pytest.approx(projected[places], abs=1e-7)
        assert found.left <= 1e-10


def test_what_a_quota_at_its_limit_decides_is_no_choice_any_more():
    quotas = [AtLeast([0, 1], 1, 2.0), AtMost([2, 3], 1, 0.0), Equal([0, 1, 2, 4], 1, 3.0)]
    problem = Problem(np.eye(5), 2, [Block(range(5), quotas)])
    assert problem.layout.every.kind.size == 0  # all decided: rows 0, 1, 4 and not 2, 3
    assert Nearest(problem)(np.zeros((5, 2)))[:, 1] == pytest.approx([1, 1, 0, 0, 1])


def test_a_chain_of_decisions_that_ends_in_a_contradiction_is_refused():
    quotas = [AtLeast([0, 1], 1, 2.0), AtMost([1, 2], 1, 0.5)]
    with pytest.raises(EngineError, match=r"quota 1: AtMost.*cannot be met, its rows carry 1"):
        Problem(np.eye(3), 2, [Block(range(3), quotas)])


def test_weights_in_millionths_bind_as_exactly_as_others():
    weights = np.full(6, 1e-6)
    quotas = [AtLeast(range(6), 1, 3e-6, weights=weights),
              AtMost(range(3), 1, 1.5e-6, weights=weights[:3])]  # fmt: skip
    problem = Problem(np.eye(6), 3, [Block(range(6), quotas)])
    rows = Nearest(problem)(np.zeros((6, 3)))
    assert rows[:, 1].sum() == pytest.approx(3.0, abs=1e-9)
    assert rows[:3, 1].sum() <= 1.5 + 1e-9


def test_multipliers_stay_usable_for_the_next_projection():
    problem = tight_problem(20)
    desk = Desk.of(problem)
    out = np.empty((problem.n_rows, problem.n_labels))
    for chunk in desk.chunks:
        for segment in chunk:
            desk.project(segment, np.zeros((segment.stop - segment.start, problem.n_labels)),
                         out[segment.places])  # fmt: skip
    assert np.isfinite(desk.multipliers).all()
