"""`callsheet bench text`: how well the script wing reads, on real data; all figures or some.

Each figure is a command of the group (`PARTS`); without a name all of them run.
"""

from __future__ import annotations

import os
import platform
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import click

from callsheet.cli.frame import console, print_json

PARTS: dict[str, str] = {
    "alignment": "callsheet.cli.verbs.bench_text_alignment",
    "evidence": "callsheet.cli.verbs.bench_text_evidence",
    "screenplays": "callsheet.cli.verbs.bench_text_screenplays",
}
"""Figure -> module with a click command called `command`."""
_LIBRARIES = ("numpy", "scikit-learn", "spacy")


class Parts(click.Group):
    """A group that imports a figure only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(PARTS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in PARTS:
            return None
        found: click.Command = import_module(PARTS[cmd_name]).command
        return found


@click.command("text", cls=Parts, invoke_without_command=True)
@click.option("--data", type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Folder with tv/, screenplays/ and screenplay_lines/, if all figures are asked"
              " for.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a row.")
@click.pass_context
def command(ctx: click.Context, data: Path | None, as_json: bool) -> None:
    """Measure screenplay reading, alignment and evidence; without a name, all of them.

    \b
    Examples:
      callsheet bench text --data films-with-truth/
      callsheet bench text screenplays --data films-with-truth/
    """
    if ctx.invoked_subcommand is not None:
        return
    if data is None:
        raise click.UsageError("give --data, the folder of the data to measure on")
    for name in PARTS:
        part = command.get_command(ctx, name)
        assert part is not None
        takes_data = {"data": data} if any(p.name == "data" for p in part.params) else {}
        ctx.invoke(part, as_json=as_json, **takes_data)


def print_machine(*, as_json: bool) -> None:
    """Where it was measured, before any figure."""
    machine = _machine()
    if as_json:
        print_json({"what": "machine"} | machine)
    else:
        console().print("measured on " + ", ".join(f"{k} {v}" for k, v in machine.items()))


def _machine() -> dict[str, Any]:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {
        "system": f"{platform.system()} {platform.machine()}",
        "cores": cores,
        "python": platform.python_version(),
        **{name: version(name) for name in _LIBRARIES},
    }
