"""`callsheet bench video`: frames per second of each stage; the tracker against SORT."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from callsheet.cli.frame import console, print_json

if TYPE_CHECKING:
    from callsheet.video.measures.tracking import Score


class SpeedByDefault(click.Group):
    """A group in which `bench video FILM` means `bench video speed FILM`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            args = ["speed", *args]
        return super().parse_args(ctx, args)


@click.group("video", cls=SpeedByDefault, no_args_is_help=True)
def command() -> None:
    """Measure the picture wing: its speed on a film, its tracker against SORT.

    Example: callsheet bench video film.mp4
    """


@command.command("speed")
@click.argument("video", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--every", default=5, show_default=True, help="Detect on every n-th frame.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a stage.")
def speed(video: Path, every: int, as_json: bool) -> None:
    """Print frames of film per second of each stage on VIDEO.

    Example: callsheet bench video speed film.mp4
    """
    from callsheet.video.measures.speed import measure
    from callsheet.video.settings import TrackSettings
    from callsheet.video.stream import open_film

    film = open_film(video)
    if not as_json:
        console().print(
            f"{video.name}: {film.width} x {film.height}, {float(film.rate):.3f} frames a second,"
            f" detection every {every} frames, {os.cpu_count()} cores"
        )
    for stage in measure(video, TrackSettings(every=every)):
        if as_json:
            print_json({**asdict(stage), "frames_per_second": stage.frames_per_second})
            continue
        times = stage.frames_per_second / float(film.rate)
        busy = 1000 * stage.processor_seconds / max(stage.frames, 1)
        console().print(
            f"{stage.stage:22} {stage.frames_per_second:8.1f} frames/s {times:6.1f} x real time"
            f" {busy:7.2f} processor ms a frame {stage.peak_mib:7.0f} MiB at most so far"
        )


@command.command("tracking")
@click.argument("sequences", nargs=-1, metavar="[FOLDER]...",
                type=click.Path(exists=True, file_okay=False, path_type=Path))  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a tracker.")
def tracking(sequences: tuple[Path, ...], as_json: bool) -> None:
    """Track given MOT detections with our tracker and with SORT, and score both.

    FOLDER holds det/det.txt, gt/gt.txt and perhaps img1/; default: ../shared/data/mot/*.

    Example: callsheet bench video tracking ../shared/data/mot/TUD-Campus
    """
    from callsheet.video.measures.mot import read_sequence
    from callsheet.video.measures.tracking import compare

    folders = sequences or tuple(sorted(Path("../shared/data/mot").glob("*/")))
    if not folders:
        raise click.UsageError("../shared/data/mot is absent; give the folder of a MOT sequence")
    for folder in folders:
        scores = list(compare(read_sequence(folder)))
        for score in scores:
            if as_json:
                print_json(score)
        if not as_json:
            _print(scores)


def _print(scores: list[Score]) -> None:
    out = console()
    out.print(f"{scores[0].sequence}: given detections, IoU 0.5, motmetrics")
    for s in scores:
        out.print(
            f"  {s.tracker:10} IDF1 {s.idf1:.3f}  MOTA {s.mota:.3f}  switches {s.switches:3}"
            f"  false boxes {s.false_boxes:4}  missed boxes {s.missed_boxes:4}"
        )
    ours, rival = scores
    out.print(f"  ratio      IDF1 {ours.idf1 / rival.idf1:.2f}   MOTA {ours.mota / rival.mota:.2f}")
