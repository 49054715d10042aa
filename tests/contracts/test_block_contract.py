"""The contract of every oracle and projection, the general LP oracle and a QP solver beside them.

Oracle: feasible, and ⟨cost, vertex⟩ equals the optimum of HiGHS, to which the program is given as
the statement has it: nothing of ours stands between. Projection: feasible, at peace
with itself (projecting again changes nothing), and nearest: ⟨point − Y, S − Y⟩ <= 0 for the
vertex S that is farthest out in that direction, slack included.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.optimize import linprog

from callsheet.optim import AtLeast, AtMost, Block, Equal, Problem
from callsheet.optim.desk import Desk
from engine_statements import feasibility, quotas_of, random_problem

Array = np.ndarray


def at_most_one_groups(seed: int) -> Problem:
    """Nobody is twice in one picture: at most one of each name among rows seen together."""
    rng = np.random.default_rng(seed)
    groups = [np.array([0, 1, 2]), np.array([2, 3]), np.array([4, 5, 6, 7])]
    quotas = [AtMost(group, label, 1.0) for group in groups for label in (1, 2)]
    quotas += [AtLeast([1, 4, 5], 1, 1.0), AtLeast([0, 3, 6], 2, 1.0, slack=0.2)]
    quotas.append(AtLeast(range(8, 12), 0, 2.0))
    return Problem(rng.normal(size=(12, 3)), 3, [Block(range(12), quotas)], ridge=1e-3)


def weighted_single_quotas(seed: int) -> Problem:
    """One hard quota of each kind, weighted, alone on its rows: the closed forms."""
    rng = np.random.default_rng(seed)
    quotas = [AtLeast(range(5), 1, 1.5, weights=rng.uniform(0.3, 1, 5)),
              AtMost(range(5, 9), 0, 0.7, weights=rng.uniform(0, 1, 4)),
              Equal(range(9, 14), 2, 1.3, weights=rng.uniform(0.3, 1, 5))]  # fmt: skip
    return Problem(rng.normal(size=(15, 3)), 4, [Block(range(14), quotas)], ridge=1e-3)


FAMILIES = {
    "random": random_problem,
    "hard only": lambda seed: random_problem(seed, hard_only=True),
    "groups": at_most_one_groups,
    "single": weighted_single_quotas,
}


def visit(problem: Problem, turn: str, points: Array) -> Array:
    """Run a desk's oracle or projection over all rows (in the problem's order)."""
    desk = Desk.of(problem)
    out = np.empty_like(points)
    order = problem.layout.order
    for chunk in desk.chunks:
        for segment in chunk:
            rows = order[segment.places]
            inside = np.ascontiguousarray(points[rows])
            if turn == "oracle":
                out[rows] = desk.vertex(segment, inside)
            else:
                answer = np.empty_like(inside)
                assert desk.project(segment, inside, answer).inexact == 0
                out[rows] = answer
    return out


def highs(problem: Problem, cost: Array) -> Array:
    """The same linear minimum by HiGHS, written down from the statement alone."""
    n, k = cost.shape
    sums = sparse.kron(sparse.eye(n), np.ones((1, k)))
    most = np.ones((n, k))
    for block in problem.blocks:
        if block.allowed is not None:
            most[block.rows] *= np.asarray(block.allowed)
        for row, label in block.pinned.items():
            most[row] *= np.arange(k) == label
    equal, below = [(sums, np.ones(n))], []
    for quota in quotas_of(problem):
        if quota.slack is None:
            columns = np.asarray(quota.rows) * k + quota.label
            demand = sparse.csr_matrix(
                (quota.weights, (np.zeros(columns.size, int), columns)), shape=(1, n * k)
            )
            sign = -1.0 if isinstance(quota, AtLeast) else 1.0
            into = equal if isinstance(quota, Equal) else below
            into.append((sign * demand, np.array([sign * quota.bound])))
    matrices, bounds = zip(*equal, strict=True)
    answer = linprog(
        cost.ravel(), A_eq=sparse.vstack(matrices), b_eq=np.concatenate(bounds),
        A_ub=sparse.vstack([matrix for matrix, _ in below]) if below else None,
        b_ub=np.concatenate([bound for _, bound in below]) if below else None,
        bounds=np.stack([np.zeros(n * k), most.ravel()], axis=1), method="highs",
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )  # fmt: skip
    assert answer.success, answer.message
    return answer.x.reshape(n, k)


def slack_gradient(problem: Problem, rows: Array) -> Array:
    """Gradient of N Σ slack/2 ξ², from the statement."""
    gradient = np.zeros_like(rows)
    for quota in quotas_of(problem):
        if quota.slack is None:
            continue
        short = quota.bound - float(quota.weights @ rows[quota.rows, quota.label])
        short = max(short, 0) if isinstance(quota, AtLeast) else short
        short = min(short, 0) if isinstance(quota, AtMost) else short
        gradient[quota.rows, quota.label] -= problem.n_rows * quota.slack * short * quota.weights
    return gradient


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), ties=st.booleans())
def test_vertex_is_feasible_and_as_cheap_as_the_linear_program(family, seed, ties):
    problem = FAMILIES[family](seed % 50)
    cost = np.random.default_rng(seed).normal(size=(problem.n_rows, problem.n_labels))
    cost = np.round(cost) if ties else cost
    vertex = visit(problem, "oracle", cost)
    assert feasibility(problem, vertex) <= 1e-9
    assert np.sum(cost * vertex) == pytest.approx(np.sum(cost * highs(problem, cost)), abs=1e-8)


@pytest.mark.parametrize("family", FAMILIES)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000), scale=st.sampled_from([0.1, 1.0, 30.0]))
def test_projection_is_feasible_and_nearest(family, seed, scale):
    problem = FAMILIES[family](seed % 50)
    point = scale * np.random.default_rng(seed).normal(size=(problem.n_rows, problem.n_labels))
    nearest = visit(problem, "project", point)
    assert feasibility(problem, nearest) <= 1e-9
    slope = nearest - point + slack_gradient(problem, nearest)
    assert np.sum(slope * (nearest - highs(problem, slope))) <= 1e-7 * (1 + scale)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10_000))
def test_projecting_a_feasible_point_changes_nothing(seed):
    problem = random_problem(seed % 50, hard_only=True)
    shape = (problem.n_rows, problem.n_labels)
    once = visit(problem, "project", np.random.default_rng(seed).normal(size=shape))
    assert visit(problem, "project", once) == pytest.approx(once, abs=1e-9)


def test_rows_in_forty_overlapping_quotas_are_projected_exactly():
    rng = np.random.default_rng(0)
    rows = range(60)
    quotas = [AtLeast(rng.choice(60, 6, replace=False), int(rng.integers(1, 5)), 2.0, slack=0.1)
              for _ in range(40)]  # fmt: skip
    quotas.append(AtLeast(rows, 0, 20.0))
    problem = Problem(rng.normal(size=(60, 3)), 5, [Block(rows, quotas)], ridge=1e-3)
    point = rng.normal(size=(60, 5))
    nearest = visit(problem, "project", point)
    slope = nearest - point + slack_gradient(problem, nearest)
    assert feasibility(problem, nearest) <= 1e-9
    assert np.sum(slope * (nearest - highs(problem, slope))) <= 1e-8
