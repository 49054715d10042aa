"""`callsheet script FILE`: read one screenplay and show what was understood."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, escape, print_json, warn


@click.command("script")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object an element.")
def command(file: Path, as_json: bool) -> None:
    """Read a screenplay: plain text in any layout, Fountain, FDX, HTML, PDF, or a transcript.

    Prints scenes and speakers; with --json every element with its kind, lines, text, speaker
    and scene (lines count from 1 in the file).

    Example: callsheet script casablanca.txt --json
    """
    from callsheet.text import read_screenplay

    script = read_screenplay(file)
    for warning in script.warnings:
        warn(warning)
    if as_json:
        for element in script.elements:
            print_json(element)
    else:
        _print(script)


def _print(script: object) -> None:
    from collections import Counter

    from callsheet.core import ElementKind
    from callsheet.text import Screenplay

    assert isinstance(script, Screenplay)
    out = console()
    for scene in script.scenes:
        out.print(escape(f"{scene.first_line:>6}  {scene.heading}"))
    kinds = Counter(element.kind.value for element in script.elements)
    out.print("\n" + ", ".join(f"{count} {kind}" for kind, count in kinds.items()))
    speakers = Counter(
        element.speaker for element in script.elements if element.kind is ElementKind.CHARACTER
    )
    for name, lines in speakers.most_common(20):
        out.print(escape(f"{lines:>6}  {name}"))
