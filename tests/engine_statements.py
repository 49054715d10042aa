"""Random problem statements, and the same minimised by a general QP solver (Clarabel)."""

from __future__ import annotations

from dataclasses import dataclass

import clarabel
import numpy as np
from scipy import sparse

from callsheet.optim import AtLeast, AtMost, Block, Equal, Problem, Quota


@dataclass(frozen=True)
class Optimum:
    """What the QP solver found: the optimum lies between its dual and its primal value, which
    now and then differ in the eighth digit."""

    objective: float
    lower_bound: float
    assignment: np.ndarray


def random_problem(
    seed: int,
    *,
    n_rows: int = 24,
    n_features: int = 5,
    n_labels: int = 4,
    ridge: float = 1e-3,
    bias: float = 1.0,
    with_prior: bool = False,
    hard_only: bool = False,
) -> Problem:
    """Two blocks with overlapping weighted bags, a background quota, masks and pins, and rows
    that are in no block."""
    rng = np.random.default_rng(seed)
    features = rng.normal(size=(n_rows, n_features))
    half = n_rows // 2
    blocks = [
        _block(rng, np.arange(half), n_labels, hard_only),
        _block(rng, np.arange(half, n_rows - 2), n_labels, hard_only),
    ]
    prior = rng.normal(size=(n_rows, n_labels)) * 0.3 if with_prior else None
    return Problem(features, n_labels, blocks, ridge=ridge, bias=bias, prior=prior)


def _block(rng: np.random.Generator, rows: np.ndarray, n_labels: int, hard_only: bool) -> Block:
    rows = rng.permutation(rows)
    third = rows.size // 3
    bag = rows[:third]
    quotas: list[Quota] = [AtLeast(rows[2 * third :], 0, 0.4 * (rows.size - 2 * third))]
    if not hard_only:
        quotas += [
            AtLeast(bag, 1, 2.0, slack=float(10 ** rng.uniform(-3, 0)),
                    weights=rng.uniform(0, 1, bag.size)),
            AtLeast(rows[1 : third + 2], 1 % n_labels, 9.0, slack=0.05),
            Equal(rows[third - 1 : third + 2], n_labels - 1, 0.7, slack=0.3),
        ]  # fmt: skip
    quotas.append(AtMost(rows[third : third + 3], n_labels - 1, 0.5))
    allowed = rng.random((rows.size, n_labels)) < 0.85
    allowed[:, 0] = True
    return Block(rows, quotas, allowed=allowed, pinned={int(rows[third + 3]): 0})


def quadratic(problem: Problem) -> np.ndarray:
    """The matrix A of f(Y) = ½⟨Y, AY⟩, formed densely."""
    x = dense(problem)
    n = problem.n_rows
    gram = x.T @ x + n * problem.ridge * np.eye(x.shape[1])
    return (np.eye(n) - x @ np.linalg.solve(gram, x.T)) / n


def dense(problem: Problem) -> np.ndarray:
    """Features in float64 with the constant column."""
    x = problem.features
    x = x.toarray() if sparse.issparse(x) else np.asarray(x)
    x = x.astype(np.float64)
    if problem.bias:
        x = np.hstack([x, np.full((len(x), 1), problem.bias)])
    return x


def objective(problem: Problem, assignment: np.ndarray) -> float:
    """The objective from its definition."""
    value = 0.5 * float(np.sum(assignment * (quadratic(problem) @ assignment)))
    for quota in quotas_of(problem):
        if quota.slack is not None:
            value += 0.5 * quota.slack * miss(quota, assignment) ** 2
    if problem.prior is not None:
        value -= float(np.sum(np.asarray(problem.prior) * assignment)) / problem.n_rows
    return value


def quotas_of(problem: Problem) -> list[Quota]:
    return [quota for block in problem.blocks for quota in block.quotas]


def miss(quota: Quota, assignment: np.ndarray) -> float:
    """How far a quota is from holding (0: it holds)."""
    amount = float(quota.weights @ assignment[quota.rows, quota.label])
    if isinstance(quota, AtLeast):
        return max(0.0, quota.bound - amount)
    if isinstance(quota, AtMost):
        return max(0.0, amount - quota.bound)
    return abs(quota.bound - amount)


def feasibility(problem: Problem, assignment: np.ndarray) -> float:
    """Largest violation of row sums, bounds, masks, pins and hard quotas."""
    worst = max(float(np.abs(assignment.sum(axis=1) - 1).max()), float(-assignment.min()))
    for block in problem.blocks:
        if block.allowed is not None:
            worst = max(worst, float(np.max(assignment[block.rows][~np.asarray(block.allowed)],
                                            initial=0.0)))  # fmt: skip
        for row, label in block.pinned.items():
            worst = max(worst, abs(1.0 - float(assignment[row, label])))
    hard = [miss(quota, assignment) for quota in quotas_of(problem) if quota.slack is None]
    return max([worst, *hard])


def reference(problem: Problem) -> Optimum:
    """Minimise with Clarabel, slack variables and all."""
    n, k = problem.n_rows, problem.n_labels
    quotas = quotas_of(problem)
    soft = [quota for quota in quotas if quota.slack is not None]
    size = n * k + len(soft)
    hessian = sparse.block_diag(
        [sparse.kron(sparse.csc_matrix(quadratic(problem)), sparse.eye(k)),
         sparse.diags([quota.slack for quota in soft]) if soft else sparse.csc_matrix((0, 0))],
        format="csc",
    )  # fmt: skip
    linear = np.zeros(size)
    if problem.prior is not None:
        linear[: n * k] = -np.asarray(problem.prior).ravel() / n
    equal, equal_to, below, below_to = _constraints(problem, quotas, soft, size)
    matrix = sparse.csc_matrix(np.array(equal + below))
    cones = [clarabel.ZeroConeT(len(equal)), clarabel.NonnegativeConeT(len(below))]
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = 1e-11
    solver = clarabel.DefaultSolver(
        sparse.triu(hessian, format="csc"), linear, matrix, np.array(equal_to + below_to), cones,
        settings,
    )  # fmt: skip
    answer = solver.solve()
    assignment = np.array(answer.x)[: n * k].reshape(n, k)
    return Optimum(float(answer.obj_val), float(answer.obj_val_dual), assignment)


def _constraints(
    problem: Problem, quotas: list[Quota], soft: list[Quota], size: int
) -> tuple[list[np.ndarray], list[float], list[np.ndarray], list[float]]:
    n, k = problem.n_rows, problem.n_labels
    equal: list[np.ndarray] = []
    equal_to: list[float] = []
    below = [-np.eye(1, size, i)[0] for i in range(n * k)]
    below_to = [0.0] * (n * k)
    for row in range(n):
        sums = np.zeros(size)
        sums[row * k : (row + 1) * k] = 1
        equal.append(sums)
        equal_to.append(1.0)
    for block in problem.blocks:
        closed = np.zeros((len(block.rows), k), bool)
        closed |= False if block.allowed is None else ~np.asarray(block.allowed)
        for row, label in block.pinned.items():
            closed[np.flatnonzero(block.rows == row)[0]] = np.arange(k) != label
        for i, label in np.argwhere(closed):
            equal.append(np.eye(1, size, block.rows[i] * k + label)[0])
            equal_to.append(0.0)
    for quota in quotas:
        demand = np.zeros(size)
        demand[np.asarray(quota.rows) * k + quota.label] = quota.weights
        relief = np.zeros(size)
        if quota.slack is not None:
            relief[n * k + soft.index(quota)] = 1.0
        if isinstance(quota, Equal):
            equal.append(demand + relief)
            equal_to.append(quota.bound)
        elif isinstance(quota, AtLeast):
            below.append(-demand - relief)
            below_to.append(-quota.bound)
        else:
            below.append(demand - relief)
            below_to.append(quota.bound)
    return equal, equal_to, below, below_to


def tight_problem(seed: int, *, n_quotas: int = 30) -> Problem:
    """Quotas of every kind, weight and price around one assignment, which many of the hard ones
    leave no room about; some say the same twice."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(2, 30)), int(rng.integers(2, 7))
    known = np.eye(k)[rng.integers(k, size=n)]
    if seed % 2:
        known = rng.dirichlet(np.ones(k), n)
    quotas = [_tight_quota(rng, known) for _ in range(n_quotas)]
    return Problem(rng.normal(size=(n, 3)), k, [Block(range(n), quotas)], ridge=1e-3)


def _tight_quota(rng: np.random.Generator, known: np.ndarray) -> Quota:
    rows = rng.choice(len(known), int(rng.integers(1, len(known) + 1)), replace=False)
    label = int(rng.integers(known.shape[1]))
    weights = rng.random(rows.size) * rng.choice([1.0, 1e-6, 1e3])
    weights[rng.random(rows.size) < 0.2] = 0.0
    amount = float(weights @ known[rows, label])
    kind = [AtLeast, AtMost, Equal][rng.integers(3)]
    if rng.random() < 0.5:
        bound = float(rng.choice([amount, 0.0, rows.size, -1.0]))
        return kind(rows, label, bound, slack=float(10 ** rng.uniform(-9, 3)), weights=weights)
    room = float(rng.choice([0.0, 0.1])) * amount * (kind is not Equal)
    return kind(rows, label, amount - room if kind is AtLeast else amount + room, weights=weights)


def violation(problem: Problem, assignment: np.ndarray) -> float:
    """As `feasibility`, with hard quotas measured against their size."""
    worst = max(float(np.abs(assignment.sum(axis=1) - 1).max()), float(-assignment.min()))
    hard = [quota for quota in quotas_of(problem) if quota.slack is None]
    return max([worst, *(miss(quota, assignment) / max(abs(quota.bound), float(quota.weights.sum()),
                                                       1e-300) for quota in hard)])  # fmt: skip
