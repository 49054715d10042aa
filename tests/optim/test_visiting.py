"""Steps that are lengthened or cut without products end where a visit of that point would."""

from __future__ import annotations

import numpy as np
import pytest

from callsheet.optim import Envelope, Problem, solve
from callsheet.optim.desk import Desk
from callsheet.optim.methods import envelope
from callsheet.optim.methods.visiting import MOST, visit, visit_along
from callsheet.optim.team import Threads
from callsheet.optim.whitening import whiten
from engine_statements import random_problem


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("length", [0.2, 1.0, 20.0])
def test_what_is_told_of_a_point_on_the_line_is_what_a_visit_tells(seed, length):
    problem = random_problem(seed, with_prior=seed % 2 == 0)
    desk = Desk.of(problem, points=True)
    team, whitening = Threads(desk, 1), whiten(desk, 1)
    rng = np.random.default_rng(seed)
    begin = rng.normal(size=(problem.n_weights, problem.n_labels))
    where = {"most": np.inf, "front": 0, "dtype": "float64"}
    first = visit_along(team, whitening, None, begin, slope=None, **where)
    pull = whitening.whiten(first.matrix - problem.n_rows * problem.ridge * first.place.weights)
    end = begin + length * pull
    slope = -length * float(np.sum(pull * pull))
    where["front"] = 1
    found = visit_along(team, whitening, first.place, end, slope=slope, **where)
    there = np.linalg.norm(found.place.point - begin) / np.linalg.norm(end - begin)
    assert there <= MOST + 1e-12
    assert (there > 1) == (length == 0.2) or there == pytest.approx(1.0)
    again = visit(team, whitening, found.place.point, front=1, dtype="float64")
    assert found.energy == pytest.approx(again.energy, rel=1e-12)
    np.testing.assert_allclose(found.place.weights, again.place.weights, atol=1e-10)
    np.testing.assert_allclose(found.matrix, again.matrix, atol=1e-10)


def test_xtr_is_left_out_where_f_is_too_high():
    problem = random_problem(0)
    desk = Desk.of(problem, points=True)
    team, whitening = Threads(desk, 1), whiten(desk, 1)
    point = np.ones((problem.n_weights, problem.n_labels))
    found = visit_along(team, whitening, None, point, slope=None, most=0.0, front=0,
                        dtype="float64")  # fmt: skip
    assert found.matrix is None
    assert team.passes == 0.5


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_second_look_saves_passes_and_changes_no_answer(dtype, monkeypatch):
    base = random_problem(3, n_rows=400, n_features=40, ridge=1e-5)
    features = np.asarray(base.features, dtype)
    problem = Problem(features, base.n_labels, base.blocks, ridge=base.ridge, bias=base.bias)
    twice = solve(problem, method=Envelope(), tol=1e-6)
    monkeypatch.setattr(envelope, "can_look_twice", lambda _: False)
    once = solve(problem, method=Envelope(), tol=1e-6)
    assert twice.gap <= 1e-6
    assert twice.objective == pytest.approx(once.objective, rel=2e-6)
    assert twice.passes < once.passes
