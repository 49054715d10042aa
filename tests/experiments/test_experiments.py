"""Every experiment runs on a small world, says what its data is, and leaves its files."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from callsheet.cli.verbs.experiment import EXPERIMENTS, NEED_DATA, command
from callsheet.errors import InputError
from callsheet.evaluation.scored import read_answer
from callsheet.experiments import actions, episodes, names, quality, retrieval, statistics, sweeps
from callsheet.experiments.filing import write_outcome
from callsheet.experiments.outcome import Figure, Line, Outcome
from callsheet.experiments.worlds import world
from callsheet.model import make_labels
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


@cache
def small(name: str) -> Outcome:
    """Of several tests: one run is enough."""
    return SMALL[name]()


@pytest.mark.parametrize("name", SMALL)
def test_a_small_run_leaves_text_table_and_figure(name: str, tmp_path: Path) -> None:
    outcome = small(name)
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


def test_every_experiment_is_told_of_in_the_docs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "experiments.md").read_text(encoding="utf-8")
    for name in EXPERIMENTS:
        assert f"| `{name}` |" in page, name
        assert f"callsheet experiment {name}" in page, name
    for name in NEED_DATA:
        assert f"callsheet experiment {name} --data" in page, name


def test_methods_of_a_table_are_judged_on_the_same_tracks() -> None:
    outcome = small("names")
    found = {row["method"]: row for row in outcome.table}
    assert set(names.PAPER) <= set(found)
    assert found["callsheet"]["paper accuracy"] == 0.83
    assert found["Sivic 2009"]["background AP"] is None  # it knows no background
    assert found["callsheet"]["accuracy"] > 0.6


def test_baselines_are_what_they_say() -> None:
    rows = {row["method"]: row for row in small("actions").table}
    assert set(rows) == {name for own in actions.PAPER for name in (own, f"  paper, {own}")}
    assert rows["(a) random"]["mAP"] < 0.1
    assert rows["(f) full"]["mAP"] > 3 * rows["(a) random"]["mAP"]
    assert rows["(c) fully supervised"]["mAP"] > rows["(a) random"]["mAP"]


def test_the_papers_numbers_stand_below_and_add_up() -> None:
    rows = {row["method"]: row for row in small("actions").table}
    for name, printed in actions.PAPER_MAP.items():
        paper = rows[f"  paper, {name}"]
        assert paper["mAP"] == printed == pytest.approx(np.mean(actions.PAPER[name]), abs=1e-3)
    found = {row["films"]: row["paper mAP"] for row in small("films").table}
    assert found[5] == 0.124
    with_truth = {row["action"]: row["paper ground truth"] for row in small("statistics").table}
    assert with_truth["total"] == 15_593 - 14_532


def test_rankings_are_those_that_labels_have(tmp_path: Path) -> None:
    """Labels rank by assignment + classifier; the experiments must not judge half of that."""
    with world(BODIES) as folders:
        ranked = actions.variant_scores(folders, {"full": actions.Variant()})["full"]
        make_labels(folders[0])
        scores = read_answer(folders[0], "action").scores
    assert ranked.classifier is not None
    first = np.array([list(row.values()) for row in scores.values()])
    np.testing.assert_allclose(ranked.labels[: len(first)], first, atol=1e-6)
    assert np.abs(ranked.labels - ranked.classifier).max() > 0.01


def test_curves_have_intervals_and_quality_two_panels() -> None:
    figure = small("films").figure
    assert figure is not None
    ours = figure.lines[0]
    assert all(low <= y <= high for low, y, high in zip(ours.low, ours.y, ours.high, strict=True))
    assert len(ours.low) > 1
    both = small("quality").figure
    assert both is not None
    assert both.beside is not None
    assert both.beside.x_label == "seconds"


def test_a_method_is_not_asked_for_a_gap_it_could_not_reach() -> None:
    rows = small("quality").table
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


def test_the_command_prints_one_json_object(tmp_path: Path) -> None:
    asked = CliRunner().invoke(command, ["retrieval", "--out", str(tmp_path), "--json"])
    assert asked.exit_code == 0
    told = json.loads(asked.output)
    assert len(told["table"]) == 5
    assert "simulated" in told["made_of"]
    assert told["settings"]["rank"] == 30
    assert told["findings"] == []
    assert (tmp_path / "retrieval.csv").exists()


def test_retrieval_beats_chance_and_less_noise_is_easier(monkeypatch: pytest.MonkeyPatch) -> None:
    hard = retrieval.run(train=600, test=200).table[1]["median rank"]
    monkeypatch.setattr(retrieval, "NOISE", 1.0)
    easy = retrieval.run(train=600, test=200).table[1]["median rank"]
    assert np.all([easy < hard, easy < 5])
