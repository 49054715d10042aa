"""`callsheet bench engine`: the solver's methods against each other and against bare products."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from callsheet.cli.frame import console, print_json

if TYPE_CHECKING:
    from callsheet.experiments.engine.benches import Bench


@click.command("engine")
@click.option(
    "--data",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The authors' bags (bags.mat, data_block.mat); without it, made ones.",
)
@click.option(
    "--features",
    default=512,
    show_default=True,
    type=click.IntRange(2),
    help="Columns of the simulated features.",
)
@click.option(
    "--minutes",
    default=2.0,
    show_default=True,
    type=click.FloatRange(0.01),
    help="Time given to Algorithm 1.",
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0))
@click.option("--signal", default=0.3, show_default=True, type=click.FloatRange(0),
              help="How far the planted actions lie apart, the noise being 1.")  # fmt: skip
@click.option("--quick", is_flag=True, help="A small comparison, in seconds.")
@click.option("--per-pass", is_flag=True, help="Seconds a pass against the bare products.")
@click.option("--paper-scale", is_flag=True, help="14,028 features on disk (11 GB in --out).")
@click.option("--two-million", is_flag=True, help="2 million rows on disk (2 GB in --out).")
@click.option(
    "--out",
    default="benchmarks/out",
    show_default=True,
    help="Folder for figures.",
    type=click.Path(file_okay=False, path_type=Path),
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    data: Path | None, features: int, minutes: float, seed: int, signal: float, quick: bool,
    per_pass: bool, paper_scale: bool, two_million: bool, out: Path, as_json: bool,
) -> None:  # fmt: skip
    """Measure the engine: passes and seconds to a certified gap, memory, ratios.

    Example: callsheet bench engine --data miech66/ --minutes 15
    """
    from callsheet.experiments.engine import benches
    from callsheet.experiments.engine.figure import draw

    if quick + per_pass + paper_scale + two_million > 1:
        raise click.UsageError("--quick, --per-pass, --paper-scale, --two-million: choose one")
    out.mkdir(parents=True, exist_ok=True)
    if quick:
        bench = benches.quick(data, seed)
    elif per_pass:
        bench = benches.per_pass(data, n_features=features, seed=seed)
    elif paper_scale:
        bench = benches.paper_scale(data, out, seed=seed)
    elif two_million:
        bench = benches.two_million(out, seed=seed)
    else:
        bench = benches.compare(
            data, n_features=features, seed=seed, minutes=minutes, signal=signal
        )
    picture = out / "engine.png"
    draw(bench.runs, picture, bench.statement)
    (out / "engine.json").write_text(json.dumps(asdict(bench)) + "\n", encoding="utf-8")
    if as_json:
        print_json(bench)
    else:
        _print(bench, picture)


def _print(bench: Bench, picture: Path) -> None:
    from callsheet.experiments.engine.runs import GOALS

    out = console()
    machine = ", ".join(f"{key} {value}" for key, value in bench.machine.items())
    out.print(f"{bench.statement}: {bench.n_rows:,} rows x {bench.n_features:,} features (seed"
              f" {bench.seed}), 14 labels; ridge = slack = 1e-6, alpha 2, beta 0.4")  # fmt: skip
    out.print(f"machine: {machine}")
    out.print("passes / seconds to a certified relative gap")
    heads = ["method", *(f"{goal:g}" for goal in GOALS), "last gap", "s/pass", "least", "prep. s",
             "RssAnon", "mAP"]  # fmt: skip
    out.print(_line(heads))
    for run in bench.runs:
        reached = {r.gap: f"{r.passes:.0f} / {r.seconds:.1f}" for r in run.reached}
        goals = [reached.get(goal, "-") for goal in GOALS]
        out.print(_line([run.name, *goals, f"{run.gap:.2g}", _seconds(run.seconds_per_pass),
                         _seconds(run.least_per_pass),
                         f"{run.preparation:.1f}", f"{run.peak_gib:.2f} GiB",
                         f"{run.mean_average_precision:.3f}"]))  # fmt: skip
    for name, value in bench.notes.items():
        out.print(f"{name}: {value:.3g}" if isinstance(value, float) else f"{name}: {value}")
    race = bench.oracles
    if race is not None:
        out.print(f"oracle on {race.films} whole films: {1e3 * race.ours:.2f} ms, HiGHS"
                  f" {1e3 * race.highs:.0f} ms, {race.ratio:.0f} times faster, values differ by"
                  f" {race.largest_difference:.1e}")  # fmt: skip
    out.print(f"figure: {picture}, numbers: {picture.with_suffix('.json')}")


def _seconds(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _line(cells: list[str]) -> str:
    return f"{cells[0]:22}" + "".join(f"{cell:>12}" for cell in cells[1:])
