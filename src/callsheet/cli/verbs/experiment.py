"""`callsheet experiment NAME`: the paper's tables and figures, and ours."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from callsheet.cli.frame import console, escape, print_json

EXPERIMENTS = {
    "lost": ("callsheet.experiments.lost", "faces of Lost with candidate names (real data)"),
}
"""Name -> module with `run`, and what it is."""


@click.command("experiment")
@click.argument("name", type=click.Choice(list(EXPERIMENTS)))
@click.option("--data", type=click.Path(path_type=Path), help="Folder of the real data it needs.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("experiments-out"),
    show_default=True,
    help="Where the table, CSV and figure go.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a row.")
def command(name: str, data: Path | None, out: Path, as_json: bool) -> None:
    """Run one experiment: print its table, write it with its CSV and figure.

    Example: callsheet experiment lost --data data/lost
    """  # fmt: skip
    from callsheet.experiments.outcome import write_outcome

    run = import_module(EXPERIMENTS[name][0]).run
    outcome = run(data) if data is not None else run()
    if as_json:
        for row in outcome.table:
            print_json(dict(row))
    else:
        console().print(escape(outcome.text()))
    for path in write_outcome(outcome, out):
        if not as_json:
            console().print(escape(str(path)))
