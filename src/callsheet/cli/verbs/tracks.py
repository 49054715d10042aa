"""`callsheet tracks VIDEO`: the faces and persons of a film, followed through its shots."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from callsheet.cli.frame import console, print_json, warn
from callsheet.cli.progress import one_bar


@click.command("tracks")
@click.argument("video", type=click.Path(path_type=Path))
@click.option("--out", required=True, type=click.Path(file_okay=False, path_type=Path),
              metavar="DIR", help="Where the tables are written.")  # fmt: skip
@click.option("--every", type=int, help="Detect on every n-th frame (default 5).")
@click.option("--height", type=int, help="Shrink pictures to this height (default 360).")
@click.option("--faces/--no-faces", default=True, help="Look for faces.")
@click.option("--bodies/--no-bodies", default=True, help="Look for persons.")
@click.option("--face-model", help="A face detector by name, or a file (default yunet).")
@click.option("--person-model", help="A person detector by name, or a file (default ssd-person).")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    video: Path, out: Path, faces: bool, bodies: bool, as_json: bool, **choices: Any
) -> None:
    """Find and follow the faces and persons of VIDEO.

    Writes shots.parquet, tracks.parquet (one row a track), boxes.parquet (one row a track and
    frame, pixels of the displayed picture), landmarks.parquet and together.parquet into DIR.
    A shots.parquet that lies in DIR already is used. Runs that were stopped go on where they were.

    Example: callsheet tracks film.mp4 --out tables/
    """
    from callsheet.video import TrackSettings, make_tracks, open_film
    from callsheet.video.claiming import claim_folder

    settings = TrackSettings(faces=faces, bodies=bodies)
    settings = replace(settings, **{n: value for n, value in choices.items() if value is not None})
    open_film(video)  # says what is wrong with it before anything is written
    claim_folder(out, video)
    with one_bar("tracks") as progress:
        result = make_tracks(video, out, settings, progress)
    for warning in result.warnings:
        warn(warning)
    if as_json:
        print_json({"video": str(video), "out": str(out), **result.summary})
        return
    counts = ", ".join(f"{count} {name}" for name, count in result.summary.items())
    console().print(f"{counts}; written to {out}")
