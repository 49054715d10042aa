"""Solutions and certificates against a QP solver, over random statements."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from callsheet.optim import AtLeast, AtMost, Block, Envelope, Equal, Problem, Status, solve
from engine_statements import feasibility, objective, random_problem, reference

RIDGES = (1e-8, 1e-6, 1e-3, 1.0)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    ridge=st.sampled_from(RIDGES),
    n_labels=st.integers(2, 5),
    bias=st.sampled_from([0.0, 1.0, 100.0]),
    with_prior=st.booleans(),
)
def test_tight_solution_equals_the_qp_solver(seed, ridge, n_labels, bias, with_prior):
    problem = random_problem(seed, ridge=ridge, n_labels=n_labels, bias=bias, with_prior=with_prior)
    best = reference(problem)
    solution = solve(problem, tol=1e-7)
    scale = abs(best.objective) + 1e-9
    assert abs(solution.objective - best.objective) <= 1e-6 * scale
    assert solution.lower_bound <= best.objective + 1e-6 * scale
    assert abs(objective(problem, solution.assignment) - solution.objective) <= 1e-6 * scale
    assert feasibility(problem, solution.assignment) <= 1e-9


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    shape=st.sampled_from([(1, 2), (1, 4), (2, 2), (2, 3), (5, 3), (24, 4), (60, 2)]),
    ridge=st.sampled_from(RIDGES),
    bias=st.sampled_from([0.0, 1.0, 100.0]),
    method=st.sampled_from(["envelope", "bcfw", "fw"]),
    max_passes=st.integers(1, 12),
)
def test_gap_covers_the_distance_to_the_optimum_wherever_one_stops(
    seed, shape, ridge, bias, method, max_passes
):
    problem = of_any_size(seed, *shape, ridge=ridge, bias=bias)
    solution = solve(problem, method=method, tol=1e-9, max_passes=max_passes)
    best = reference(problem)
    exact = 1e-10 + 1e-7 * abs(best.objective)
    assert solution.objective >= best.lower_bound - exact
    assert solution.lower_bound <= best.objective + exact
    assert objective(problem, solution.assignment) == pytest.approx(
        solution.objective, rel=1e-6, abs=1e-11
    )
    assert feasibility(problem, solution.assignment) <= 1e-9


@pytest.mark.parametrize("seed", range(6))
def test_the_objective_is_that_of_the_assignment_also_where_products_are_float32(seed):
    """After one pass the weights are those of float32 products: once 5e-4 too much was told."""
    rng = np.random.default_rng(seed)
    blocks = [Block(range(2), [AtLeast([0], 1, 0.7), AtLeast([1], 0, 0.2)])]
    problem = Problem(rng.normal(size=(2, 3)).astype(np.float32), 4, blocks, bias=100.0)
    solution = solve(problem, tol=1e-3, max_passes=1)
    exact = objective(problem, solution.assignment)
    assert solution.objective == pytest.approx(exact, rel=1e-6, abs=1e-14)


def of_any_size(seed: int, n_rows: int, n_labels: int, *, ridge: float, bias: float) -> Problem:
    """From one row of two labels up; bags, a hard quota, a mask, and now and then opinions."""
    if n_rows >= 20:
        return random_problem(seed, n_rows=n_rows, n_labels=n_labels, ridge=ridge, bias=bias,
                              with_prior=bool(seed % 2))  # fmt: skip
    rng = np.random.default_rng(seed)
    allowed = rng.random((n_rows, n_labels)) < 0.8
    allowed[:, 0] = True
    quotas = [AtLeast(range(n_rows), 0, 0.3 * n_rows)]
    for kind in (AtLeast, AtMost, Equal):
        rows = rng.choice(n_rows, int(rng.integers(1, n_rows + 1)), replace=False)
        slack = float(10 ** rng.uniform(-3, 0))
        quotas.append(kind(rows, int(rng.integers(n_labels)), float(rng.uniform(0, 2)), slack=slack,
                           weights=rng.random(rows.size)))  # fmt: skip
    prior = rng.normal(size=(n_rows, n_labels)) if seed % 2 else None
    return Problem(rng.normal(size=(n_rows, 3)), n_labels, [Block(range(n_rows), quotas, allowed)],
                   ridge=ridge, bias=bias, prior=prior)  # fmt: skip


def test_one_row_is_put_where_its_quota_says():
    problem = Problem(np.ones((1, 1)), 2, [Block([0], [AtLeast([0], 1, 1.0)])], ridge=0.1)
    assert solve(problem).assignment == pytest.approx(np.array([[0.0, 1.0]]))


def test_blocks_without_quotas_and_rows_without_blocks():
    rng = np.random.default_rng(0)
    problem = Problem(rng.normal(size=(9, 2)), 3, [Block(range(4))], ridge=1e-3)
    solution = solve(problem, tol=1e-6)
    assert solution.objective == pytest.approx(reference(problem).objective, abs=1e-8)


@pytest.mark.parametrize("ridge", RIDGES)
def test_rank_deficient_features_and_duplicate_rows(ridge):
    rng = np.random.default_rng(3)
    narrow = rng.normal(size=(12, 2))
    features = np.repeat(np.hstack([narrow, narrow @ rng.normal(size=(2, 3))]), 2, axis=0)
    blocks = [Block(range(24), [AtLeast(range(6), 1, 2.0, slack=0.1), AtLeast(range(8, 24), 0, 7)])]
    problem = Problem(features, 3, blocks, ridge=ridge, bias=1.0)
    solution = solve(problem, tol=1e-7, max_passes=2000)
    best = reference(problem).objective
    # Where the loss all but vanishes the QP solver is the less exact of the two.
    assert solution.objective <= best * (1 + 1e-6)
    assert solution.gap <= 1e-4
    assert solution.objective >= best - 1e-9


def test_a_bound_out_of_reach_is_paid_for_in_slack():
    features = np.random.default_rng(1).normal(size=(6, 2))
    problem = Problem(features, 2, [Block(range(6), [AtLeast([0, 1], 1, 5.0, slack=1.0)])])
    solution = solve(problem, tol=1e-8)
    assert solution.assignment[:2, 1] == pytest.approx([1.0, 1.0])
    assert solution.objective == pytest.approx(reference(problem).objective, rel=1e-6)


@pytest.mark.parametrize(
    ("acceleration", "seed"), [("anderson", 9), ("anderson", 29), ("anderson", 47), ("lbfgs", 50)]
)
def test_a_solve_whose_objective_rose_for_long_goes_back_and_arrives(acceleration, seed):
    """Anderson mixing once drifted away from its best point and called that rounding; Newton
    steps that had to be cut again and again once went on for ever."""
    problem = rough_problem(seed)
    solution = solve(problem, tol=1e-6, method=Envelope(acceleration=acceleration))
    assert solution.status is Status.TOLERANCE
    assert solution.objective <= reference(problem).objective * (1 + 1e-6)


def rough_problem(seed: int) -> Problem:
    """Few features of any size, many labels, quotas of any price: a bent valley."""
    rng = np.random.default_rng(seed)
    quotas = []
    for _ in range(4):
        rows = rng.choice(40, int(rng.integers(1, 41)), replace=False)
        kind = [AtLeast, AtMost, Equal][rng.integers(3)]
        quotas.append(kind(rows, int(rng.integers(4)), 2.0, slack=float(10 ** rng.uniform(-7, 0)),
                           weights=rng.random(rows.size)))  # fmt: skip
    features = rng.normal(size=(40, 5)) * 10.0 ** rng.integers(-3, 4)
    return Problem(features, 4, [Block(range(40), quotas)], ridge=1e-4, bias=1.0)


@pytest.mark.parametrize("acceleration", ["lbfgs", "anderson"])
def test_acceleration_never_ends_worse_than_plain_alternation(acceleration):
    for seed in range(6):
        problem = random_problem(seed, ridge=1e-6)
        for passes in (4, 8, 16):
            fast, slow = (
                solve(problem, tol=1e-12, max_passes=passes, method=Envelope(acceleration=name))
                for name in (acceleration, "none")
            )
            assert fast.objective <= slow.objective * (1 + 1e-9)


def test_algorithm_1_in_the_authors_slack_form_reaches_the_same_optimum():
    from callsheet.optim import BlockFrankWolfe

    problem = random_problem(5, n_rows=16, n_labels=3, ridge=0.1)
    best = reference(problem).objective
    for form in ("free", "lp"):
        solution = solve(problem, method=BlockFrankWolfe(slack=form), tol=0.05, max_passes=400)
        assert best <= solution.objective + 1e-9
        assert solution.lower_bound <= best + 1e-9
        assert solution.objective <= 1.05 * best


def test_sparse_float32_and_mapped_features_give_the_same(tmp_path):
    rng = np.random.default_rng(0)
    features = rng.normal(size=(40, 6)).astype(np.float32)
    features[np.abs(features) < 0.8] = 0
    np.save(tmp_path / "x.npy", features)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    blocks = [Block(range(20), [AtLeast(range(5), 1, 2.0, slack=0.1), AtLeast(range(5, 20), 0, 6)])]
    forms = [
        features.astype(np.float64),
        features,
        mapped,
        sparse.csr_matrix(features),
        Rows(mapped),
    ]
    found = [
        solve(Problem(form, 3, blocks, ridge=1e-3, bias=1.0), tol=1e-7).objective for form in forms
    ]
    assert found == pytest.approx([found[0]] * len(found), rel=1e-6)


class Rows:
    """A row-range source that knows nothing but slices."""

    def __init__(self, array):
        self._array = array
        self.shape = array.shape

    def __getitem__(self, rows):
        assert isinstance(rows, slice)
        return self._array[rows]


def test_sketched_gram_reaches_the_same_certificate():
    rng = np.random.default_rng(0)
    features = rng.normal(size=(400, 8))
    blocks = [Block(range(200), [AtLeast(range(9), 1, 2.0, slack=0.01),
                                 AtLeast(range(9, 200), 0, 80.0)])]  # fmt: skip
    problem = Problem(features, 3, blocks, ridge=1e-6)
    exact = solve(problem, tol=1e-5, method=Envelope(gram="exact"))
    sketched = solve(problem, tol=1e-5, method=Envelope(gram="sketch"))
    assert sketched.status is exact.status is Status.TOLERANCE
    assert sketched.objective == pytest.approx(exact.objective, rel=1e-5)
    assert sketched.lower_bound <= exact.objective
