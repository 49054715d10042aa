"""`callsheet shots VIDEO`: the runs of frames between cuts."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from callsheet.cli.frame import console, print_json, warn
from callsheet.cli.progress import one_bar


@click.command("shots")
@click.argument("video", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path),
              metavar="DIR", help="Write shots.parquet and stream.parquet here.")  # fmt: skip
@click.option("--detector", type=click.Choice(["adaptive", "content"]), default="adaptive",
              show_default=True, help="adaptive forgives camera motion.")  # fmt: skip
@click.option("--threshold", type=float, default=0.0, help="Of the detector; 0: its default.")
@click.option("--cuts", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              help="Use these cuts instead: a text file, seconds, one a line.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    video: Path, out: Path | None, detector: str, threshold: float, cuts: Path | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Find the shots of VIDEO and print their start and end in seconds.

    Example: callsheet shots film.mp4 --json
    """
    from callsheet.store import SCHEMAS, read_rows
    from callsheet.video import make_shots, open_film
    from callsheet.video.claiming import claim_folder
    from callsheet.video.settings import ShotSettings
    from callsheet.video.shots import read_cuts

    settings = ShotSettings(detector=detector, threshold=threshold)
    given = read_cuts(cuts) if cuts else None
    open_film(video)  # says what is wrong with it before anything is written
    with TemporaryDirectory(prefix="callsheet-shots-") as scratch:
        folder = out or Path(scratch)
        claim_folder(folder, video)
        with one_bar("shots") as progress:
            result = make_shots(video, folder, settings, progress, cuts=given)
        rows = read_rows(folder / "shots.parquet", SCHEMAS["shots"])
    for warning in result.warnings:
        warn(warning)
    if as_json:
        print_json({"video": str(video), "shots": rows})
        return
    for row in rows:
        console().print(f"{row['shot']:5} {row['start']:10.3f} {row['end']:10.3f}")
