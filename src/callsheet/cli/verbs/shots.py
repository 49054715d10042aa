"""`callsheet shots VIDEO`: the runs of frames between cuts."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, print_json, warn
from callsheet.cli.progress import one_bar


@click.command("shots")
@click.argument("video", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path),
              help="Also write DIR/shots.parquet.", metavar="DIR")  # fmt: skip
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
    from callsheet.store import SCHEMAS, write_items
    from callsheet.video.claiming import claim_folder
    from callsheet.video.settings import ShotSettings
    from callsheet.video.shots import find_shots, read_cuts, shots_from_cuts
    from callsheet.video.stream import open_film

    settings = ShotSettings(detector=detector, threshold=threshold)
    film = open_film(video)
    if out:
        claim_folder(out, video)
    with one_bar("shots") as progress:
        shots = (
            shots_from_cuts(film, read_cuts(cuts)) if cuts else find_shots(film, settings, progress)
        )
    if film.warning:
        warn(film.warning)
    if out:
        write_items(out / "shots.parquet", SCHEMAS["shots"], shots)
    rows = [{"shot": s.shot, "start": s.span.start, "end": s.span.end} for s in shots]
    if as_json:
        print_json({"video": str(video), "shots": rows})
        return
    for row in rows:
        console().print(f"{row['shot']:5} {row['start']:10.3f} {row['end']:10.3f}")
