"""`callsheet experiment NAME`: the paper's tables and figures, and ours."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from callsheet.cli.frame import console, escape, print_json

EXPERIMENTS = {
    "actions": ("actions:run", "Table 4: actions against baselines (simulated)"),
    "alpha": ("sweeps:alpha", "Table 3: background share of names (simulated)"),
    "beta": ("sweeps:beta", "Table 6: background share of actions (simulated)"),
    "episodes": ("episodes:run", "Table 2: names in each film (simulated)"),
    "films": ("actions:films_run", "Figure 5: mAP against the number of films (simulated)"),
    "lost": ("lost:run", "faces of Lost with candidate names (real; needs --data)"),
    "names": ("names:run", "Table 1: names against rivals (simulated)"),
    "paper": ("paper:run", "the authors' released files from bags to actions (needs --data)"),
    "precision-recall": ("actions:precision_recall_run", "Figure 4: SitDown (simulated)"),
    "quality": ("quality:run", "labels against certified gap and seconds (simulated)"),
    "retrieval": ("retrieval:run", "Table 5: clips by sentences (simulated)"),
    "statistics": ("statistics:run", "Table 7: constraints (real with --data, else simulated)"),
    "tv": ("tv:run", "names in television (real tracks and bags, simulated looks; needs --data)"),
}
"""Name -> module and function in `callsheet.experiments`, and what it is."""

NEED_DATA = {"lost", "paper", "tv"}
TAKE_DATA = NEED_DATA | {"statistics"}


@click.command("experiment")
@click.argument("name", type=click.Choice(list(EXPERIMENTS)))
@click.option(
    "--data", type=click.Path(path_type=Path), help="Folder (or file) of the real data it needs."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("experiments-out"),
    show_default=True,
    help="Where the table, CSV and figure go.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(name: str, data: Path | None, out: Path, as_json: bool) -> None:
    """Run one experiment: print its table, write it with its CSV and figure.

    Example: callsheet experiment lost --data data/lost
    """  # fmt: skip
    from callsheet.experiments.filing import write_outcome

    if name in NEED_DATA and data is None:
        raise click.UsageError(f"{name} needs the real data: give its folder with --data")
    if data is not None and name not in TAKE_DATA:
        raise click.UsageError(f"{name} makes its own data and takes no --data")
    module, function = EXPERIMENTS[name][0].split(":")
    run = getattr(import_module(f"callsheet.experiments.{module}"), function)
    outcome = run(data) if data is not None else run()
    if as_json:
        print_json(outcome.as_json())
    else:
        console().print(escape(outcome.text()))
    for path in write_outcome(outcome, out):
        if not as_json:
            console().print(escape(str(path)))
