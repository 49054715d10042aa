"""`callsheet bench NAME`: measures, each with its peers and their ratio in the same run."""

from __future__ import annotations

from importlib import import_module

import click

BENCHES: dict[str, str] = {
    "engine": "callsheet.cli.verbs.bench_engine",
    "model": "callsheet.cli.verbs.bench_model",
    "pipeline": "callsheet.cli.verbs.bench_pipeline",
    "text": "callsheet.cli.verbs.bench_text",
    "video": "callsheet.cli.verbs.bench_video",
}
"""Bench -> module with a click command called `command`."""


class Benches(click.Group):
    """A group that imports a bench only when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(BENCHES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in BENCHES:
            return None
        found: click.Command = import_module(BENCHES[cmd_name]).command
        return found


@click.command("bench", cls=Benches, no_args_is_help=True)
def command() -> None:
    """Measure speed, memory and accuracy against peers in the same run.

    Example: callsheet bench engine
    """
