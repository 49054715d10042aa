"""`callsheet evaluate FOLDER...`: how good labels are, measured against the truth."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, escape, print_json, warn


@click.command("evaluate")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...",
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("--truth", "truths", multiple=True, metavar="PATH",
              type=click.Path(exists=True, path_type=Path),
              help="Truth of each film in turn: a CSV, MOT or CVAT file, or a folder with"
                   " truth.parquet  [default: the film folder, or beside its video]")  # fmt: skip
@click.option("--overlap", type=float, default=0.5, show_default=True,
              help="Mean box IoU from which on a track shows a truth track.")  # fmt: skip
@click.option("--draws", type=int, default=1000, show_default=True,
              help="Resamplings for the intervals.")  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, help="Of the resamplings.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    folders: tuple[Path, ...], truths: tuple[Path, ...], overlap: float, draws: int, seed: int,
    as_json: bool,
) -> None:  # fmt: skip
    """Judge the labels of film folders, all films together, with intervals and signatures.

    A library stands for those of its films whose truth lies beside their video, as the theatre
    writes it.

    Example: callsheet evaluate films/.callsheet/casablanca --truth casablanca.xml
    """
    from callsheet.evaluation import EvaluationSettings, evaluate_films
    from callsheet.pipeline.evaluating import with_truths

    if truths and len(truths) != len(folders):
        raise click.UsageError(f"{len(folders)} films need as many --truth, got {len(truths)}")
    settings = EvaluationSettings(overlap=overlap, draws=draws, seed=seed)
    films, known = (folders, truths) if truths else with_truths(folders)
    result = evaluate_films(films, known, settings)
    for warning in result.warnings:
        warn(warning)
    if as_json:
        print_json(result.as_json())
        return
    console().print(escape(result.table()))
    judged = ", ".join(f"{count} tracks for {what}" for what, count in result.tracks.items())
    console().print(f"judged {judged}; {result.missed} truth tracks have no predicted track")
