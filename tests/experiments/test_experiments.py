"""Every experiment runs on a small world, says what its data is, and leaves its files."""

from __future__ import annotations

import csv
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from callsheet.cli.verbs.experiment import EXPERIMENTS, NEED_DATA, command
from callsheet.errors import InputError
from callsheet.experiments import actions, episodes, names, quality, retrieval, statistics, sweeps
from callsheet.experiments.filing import write_outcome
from callsheet.experiments.outcome import Figure, Line, Outcome
from callsheet.theatre.world import WorldSettings

FACES = WorldSettings(films=2, tracks=240, dimension=4, face_dimension=16, cast=4,
                      name_separation=8.0)  # fmt: skip
BODIES = WorldSettings(films=8, tracks=1600, dimension=16, face_dimension=8, cast=4,
                       action_separation=8.0, coverage=0.6)  # fmt: skip
SMALL: dict[str, Callable[[], Outcome]] = {
    "names": lambda: names.run(FACES),
    "episodes": lambda: episodes.run(FACES),
    "alpha": lambda: sweeps.alpha(FACES),
    "actions": lambda: actions.run(BODIES),
    "precision-recall": lambda: actions.precision_recall_run(BODIES),
    "films": lambda: actions.films_run(BODIES),
    "beta": lambda: sweeps.beta(BODIES),
    "retrieval": lambda: retrieval.run(train=300, test=100),
    "statistics": statistics.run,
    "quality": lambda: quality.run(WorldSettings(films=2, tracks=400, dimension=8), seconds=1.0),
}


@pytest.mark.parametrize("name", SMALL)
def test_a_small_run_leaves_text_table_and_figure(name: str, tmp_path: Path) -> None:
    outcome = SMALL[name]()
    assert outcome.name == name
    assert "simulated" in outcome.made_of
    files = write_outcome(outcome, tmp_path)
    with (tmp_path / f"{name}.csv").open() as file:
        assert len(list(csv.DictReader(file))) == len(outcome.table) > 1
    assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert outcome.figure is not None or set(outcome.bars) <= set(outcome.table[0])
    text = (tmp_path / f"{name}.txt").read_text()
    assert outcome.made_of in text
    assert all(path.stat().st_size for path in files)


def test_every_experiment_is_a_function_of_this_room() -> None:
    for place, _ in EXPERIMENTS.values():
        module, function = place.split(":")
        assert callable(getattr(import_module(f"callsheet.experiments.{module}"), function))
    assert set(SMALL) == set(EXPERIMENTS) - NEED_DATA


def test_methods_of_a_table_are_judged_on_the_same_tracks() -> None:
    outcome = names.run(FACES)
    found = {row["method"]: row for row in outcome.table}
    assert set(names.PAPER) <= set(found)
    assert found["callsheet"]["paper accuracy"] == 0.83
    assert found["Sivic 2009"]["background AP"] is None  # it knows no background
    assert found["callsheet"]["accuracy"] > 0.6


def test_baselines_are_what_they_say() -> None:
    rows = {row["method"]: row for row in actions.run(BODIES).table}
    assert set(rows) == set(actions.PAPER_MAP)
    assert rows["(a) random"]["mAP"] < 0.1
    assert rows["(f) full"]["mAP"] > 3 * rows["(a) random"]["mAP"]
    assert rows["(c) fully supervised"]["mAP"] > rows["(a) random"]["mAP"]


def test_a_method_is_not_asked_for_a_gap_it_could_not_reach() -> None:
    rows = SMALL["quality"]().table
    for method in quality.METHODS:
        own = [row for row in rows if row["method"] == method]
        assert all(row["certified gap"] <= row["asked gap"] for row in own[:-1])
    assert {row["method"] for row in rows} == set(quality.METHODS)


def test_a_curve_without_points_is_no_crash(tmp_path: Path) -> None:
    figure = Figure("x", "y", (Line("none", [], []), Line("one", [1.0], [0.5])), log_x=True)
    files = write_outcome(
        Outcome("bare", "t", "simulated", ({"a": None},), figure=figure), tmp_path
    )
    assert [path.suffix for path in files] == [".txt", ".csv", ".png"]


@pytest.mark.parametrize("name", sorted(NEED_DATA))
def test_real_data_must_be_given_and_there(name: str, tmp_path: Path) -> None:
    asked = CliRunner().invoke(command, [name])
    assert asked.exit_code == 2
    assert "give its folder with --data" in asked.output
    module, function = EXPERIMENTS[name][0].split(":")
    run = getattr(import_module(f"callsheet.experiments.{module}"), function)
    with pytest.raises(InputError):
        run(tmp_path / "nowhere")


def test_data_is_not_taken_where_none_is_needed(tmp_path: Path) -> None:
    asked = CliRunner().invoke(command, ["alpha", "--data", str(tmp_path)])
    assert asked.exit_code == 2
    assert "takes no --data" in asked.output


def test_the_command_prints_rows_as_json(tmp_path: Path) -> None:
    asked = CliRunner().invoke(command, ["retrieval", "--out", str(tmp_path), "--json"])
    assert asked.exit_code == 0
    assert asked.output.count("\n") == 5
    assert (tmp_path / "retrieval.csv").exists()


def test_retrieval_beats_chance_and_less_noise_is_easier(monkeypatch: pytest.MonkeyPatch) -> None:
    hard = retrieval.run(train=600, test=200).table[1]["median rank"]
    monkeypatch.setattr(retrieval, "NOISE", 1.0)
    easy = retrieval.run(train=600, test=200).table[1]["median rank"]
    assert np.all([easy < hard, easy < 5])
