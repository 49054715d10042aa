"""`callsheet bench text`: how well the script wing reads, on real data; all figures or some.

Each figure is a command of the group (`PARTS`); without a name all of them run.
"""

from __future__ import annotations

from importlib import import_module

import click

PARTS: dict[str, str] = {
    "alignment": "callsheet.cli.verbs.bench_text_alignment",
    "evidence": "callsheet.cli.verbs.bench_text_evidence",
    "screenplays": "callsheet.cli.verbs.bench_text_screenplays",
}
"""Figure -> module with a click command called `command` that takes `--data`."""


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
@click.pass_context
def command(ctx: click.Context) -> None:
    """Measure screenplay reading, alignment and evidence; without a name, all of them.

    Example: callsheet bench text screenplays
    """
    if ctx.invoked_subcommand is None:
        for name in PARTS:
            part = command.get_command(ctx, name)
            assert part is not None
            ctx.invoke(part)
