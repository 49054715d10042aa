"""The bench: its films are like the authors', its figures are about what was run."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

from callsheet.errors import InputError
from callsheet.experiments.engine import benches, films, runs
from callsheet.optim import solve


def share_in_no_bag(planted):
    bagged = {int(row) for film in planted.films for _, rows in film.bags for row in rows}
    return 1 - len(bagged) / planted.n_rows


def test_the_authors_bags_are_read_as_the_design_counts_them(shared_data):
    planted = films.authors_films(shared_data / "miech66", seed=0)
    assert (len(planted.films), planted.n_rows) == (66, 201_874)
    assert sum(len(film.bags) for film in planted.films) == 1634
    assert share_in_no_bag(planted) == pytest.approx(0.915, abs=0.001)
    problem = films.statement(planted, np.zeros((planted.n_rows, 1), np.float32) + 1)
    table = problem.layout.every
    bag = table.label > 0
    sizes = np.diff(table.component_quota)[bag[table.component_quota[:-1]]]
    assert sizes.size == 1225
    assert (sizes == 1).sum() == pytest.approx(960, abs=5)


def test_a_folder_without_the_release_or_with_half_of_it_is_a_sentence(tmp_path):
    with pytest.raises(InputError, match=r"does not hold bags.mat.*leave --data out"):
        films.authors_films(tmp_path, seed=0)
    for content in (b"", b"MATLAB 5.0 MAT-file" + bytes(200)):
        (tmp_path / "bags.mat").write_bytes(content)
        with pytest.raises(InputError, match="truncated or no MATLAB file"):
            films.authors_films(tmp_path, seed=0)


def test_made_films_have_the_same_statistics():
    planted = films.made_films(66, seed=3)
    assert planted.n_rows == pytest.approx(201_874, rel=0.15)
    assert sum(len(film.bags) for film in planted.films) == pytest.approx(1634, rel=0.1)
    assert share_in_no_bag(planted) == pytest.approx(0.915, abs=0.03)
    again = films.made_films(66, seed=3)
    assert np.array_equal(planted.truth, again.truth)
    for film in planted.films:
        for action, rows in film.bags:
            assert action in planted.truth[rows] or np.any(planted.truth[rows] > 0)


def test_features_on_disk_are_those_in_memory(tmp_path):
    planted = films.made_films(2, seed=1, tracks=3000)
    held = films.simulated_features(planted, 8, seed=5)
    mapped = films.mapped_features(planted, 8, 5, tmp_path / "x.npy", dtype="float32")
    assert np.array_equal(held, mapped)


def test_a_features_file_cut_short_is_never_taken_for_a_whole_one(tmp_path, monkeypatch):
    planted = films.made_films(1, seed=1, tracks=9000)
    parts = films.feature_parts

    def cut_short(*arguments):
        yield next(parts(*arguments))
        raise KeyboardInterrupt

    path = tmp_path / "x.npy"
    monkeypatch.setattr(films, "feature_parts", cut_short)
    with pytest.raises(KeyboardInterrupt):
        films.mapped_features(planted, 4, 5, path, dtype="float32")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setattr(films, "feature_parts", parts)
    mapped = films.mapped_features(planted, 4, 5, path, dtype="float32")
    assert np.array_equal(mapped, films.simulated_features(planted, 4, seed=5))
    stamp = path.stat().st_mtime_ns
    films.mapped_features(planted, 4, 5, path, dtype="float32")
    assert path.stat().st_mtime_ns == stamp


def test_features_of_other_films_have_other_files(tmp_path):
    made = films.made_films(2, seed=1, tracks=300)
    authors = films.Planted(made.films, made.truth, "miech66 (2 films)")
    names = {benches._features_file(tmp_path, "paper-scale", planted, 4, 0).name
             for planted in (made, authors)}  # fmt: skip
    assert names == {f"paper-scale-{source}-{made.n_rows}x4-0.npy"
                     for source in ("made-2-films", "miech66-2-films")}  # fmt: skip


@pytest.mark.parametrize("method", ["envelope", "bcfw", "fw"])
def test_a_run_without_a_single_step_is_measured_too(method, tmp_path):
    """Done before the first step (a loose tolerance), or out of time while it was prepared."""
    from callsheet.experiments.engine.figure import draw

    planted = films.made_films(1, seed=1, tracks=300)
    problem = films.statement(planted, films.simulated_features(planted, 4, 0))
    for tol, limit in ((1e9, None), (1e-9, 1e-9)):
        run = runs.run_method("one", problem, planted, method=method, tol=tol, time_limit=limit)
        assert run.least_per_pass is None or run.least_per_pass > 0
        assert 0 < run.preparation <= run.seconds
    draw([run], tmp_path / "engine.png", "one point")
    assert runs._pace([], 3.0) == (None, 3.0)


def test_the_race_gives_both_oracles_the_same_costs_and_finds_the_same_value():
    planted = films.made_films(2, seed=1, tracks=300)
    problem = films.statement(planted, films.simulated_features(planted, 4, 0))
    race = runs.race_oracles(problem, 5)
    assert race.films == 2
    assert race.largest_difference <= 1e-6


def test_mean_average_precision_of_perfect_and_of_worst_scores():
    planted = films.made_films(2, seed=1, tracks=300)
    scores = np.eye(14)[planted.truth]
    assert films.mean_average_precision(planted, scores) == 1.0
    assert films.mean_average_precision(planted, -scores) < 0.2


def test_float16_and_float32_files_agree_closely(tmp_path):
    planted = films.made_films(2, seed=1, tracks=800)
    found = []
    for dtype in ("float32", "float16"):
        features = films.mapped_features(planted, 8, 5, tmp_path / f"{dtype}.npy", dtype=dtype)
        found.append(solve(films.statement(planted, features, ridge=1e-3), tol=1e-3).objective)
    assert found[1] == pytest.approx(found[0], rel=2e-2)


@pytest.mark.slow
def test_quick_bench_prints_one_json_object_and_a_picture(tmp_path):
    from callsheet.cli.verbs.bench_engine import command

    answer = CliRunner().invoke(command, ["--quick", "--json", "--out", str(tmp_path)])
    assert answer.exit_code == 0, answer.output
    found = json.loads(answer.output)
    assert found["runs"][0]["name"] == "envelope"
    assert found["runs"][0]["gap"] <= 1e-4
    assert found["oracles"]["largest_difference"] <= 1e-6
    assert (tmp_path / "engine.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_compare_measures_every_method():
    bench = benches.compare(None, n_features=64, seed=0, minutes=0.01, n_films=1)
    assert [run.name.split()[0] for run in bench.runs] == [
        "envelope", "envelope", "envelope,", "bcfw", "fw"]  # fmt: skip
    assert bench.runs[1].gap <= 1e-2
    assert bench.oracles.ratio > 1


def test_the_engine_loads_no_lp_solver_before_it_needs_one():
    program = "import sys, callsheet.optim; print('scipy.optimize' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                            check=True)  # fmt: skip
    assert answer.stdout.strip() == "False"


def test_a_second_run_compiles_nothing():
    program = (
        "import numpy as np\n"
        "from callsheet.optim import AtLeast, Block, Problem, solve\n"
        "quotas = [AtLeast([0, 1], 1, 1.0), AtLeast([1, 2], 2, 1.0, slack=1.0)]\n"
        "problem = Problem(np.eye(9), 3, [Block(range(9), quotas)])\n"
        "for method in ('envelope', 'bcfw', 'fw'):\n"
        "    solve(problem, method=method, tol=1e-2, max_passes=9)\n"
    )
    environment = {**os.environ, "NUMBA_DEBUG_CACHE": "1"}
    first, second = (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                       check=True, env=environment).stdout for _ in range(2)
    )  # fmt: skip
    assert "data loaded" in second
    assert "data saved" not in second, first
