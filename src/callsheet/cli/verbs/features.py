"""`callsheet features VIDEO`: descriptors of a film's faces and bodies."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import console, print_json, warn
from callsheet.cli.progress import one_bar


@click.command("features")
@click.argument("videos", nargs=-1, required=True, metavar="VIDEO...",
                type=click.Path(path_type=Path))  # fmt: skip
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR",
              help="Where the tracks lie and the descriptors go.")  # fmt: skip
@click.option("--channels", default="hof,mbhx,mbhy,appearance", show_default=True,
              help="Of the body descriptor (also: clip); empty: no bodies.")  # fmt: skip
@click.option("--face-model", default="sface", show_default=True, help="A model or .onnx file.")
@click.option("--appearance-model", default="efficientnet-lite2", show_default=True,
              help="A model or .onnx file.")  # fmt: skip
@click.option("--clip-model", default="i3d", show_default=True,
              help="For the channel clip: a model or .onnx file.")  # fmt: skip
@click.option("--motion-words", default="default", show_default=True,
              help="The shipped words, or a file of --train-words.")  # fmt: skip
@click.option("--train-words", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="Learn motion words from the VIDEOs instead, and write them.")  # fmt: skip
@click.option("--words", default=4000, show_default=True, help="How many to learn a channel.")
@click.option("--seed", default=0, show_default=True, help="Of the learning of words.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    videos: tuple[Path, ...], out: Path | None, train_words: Path | None, words: int, seed: int,
    as_json: bool, **choices: str,
) -> None:  # fmt: skip
    """Describe the faces and bodies that `callsheet tracks` found in VIDEO.

    Writes faces.npy, bodies.npy, mouths.parquet and thumbnails/ into DIR and fills in the column
    `row` of tracks.parquet. Tracks are made first where DIR holds none. Runs that were stopped
    go on where they were.

    Example: callsheet features film.mp4 --out tables/
    """
    if train_words is not None:
        result = _learn(videos, train_words, words, seed)
    elif len(videos) != 1 or out is None:
        raise click.UsageError("give one VIDEO and --out DIR (or --train-words FILE)")
    else:
        result = _describe(videos[0], out, choices)
    if as_json:
        print_json(result)
        return
    console().print(", ".join(f"{name}: {value}" for name, value in result.items()))


def _describe(video: Path, out: Path, choices: dict[str, str]) -> dict[str, object]:
    from callsheet.video import FeatureSettings, make_features, make_tracks, open_film
    from callsheet.video.claiming import claim_folder

    channels = tuple(c.strip() for c in choices["channels"].split(",") if c.strip())
    settings = FeatureSettings(
        channels=channels,
        face_model=choices["face_model"],
        appearance_model=choices["appearance_model"],
        clip_model=choices["clip_model"],
        motion_words=choices["motion_words"],
    )
    open_film(video)  # says what is wrong with it before anything is written
    claim_folder(out, video)
    warnings: tuple[str, ...] = ()
    if not (out / "tracks.parquet").exists():
        with one_bar("tracks") as progress:
            warnings = make_tracks(video, out, progress=progress).warnings
    with one_bar("features") as progress:
        result = make_features(video, out, settings, progress)
    for warning in dict.fromkeys((*warnings, *result.warnings)):
        warn(warning)
    return {"video": str(video), "out": str(out), **result.summary}


def _learn(videos: tuple[Path, ...], file: Path, words: int, seed: int) -> dict[str, object]:
    from callsheet.video.trajectories.learning import learn_words
    from callsheet.video.trajectories.words import save_words

    with one_bar("motion words") as progress:
        learnt = learn_words(videos, words, progress=progress, seed=seed)
    save_words(file, learnt)
    return {"films": len(videos), "words a channel": words, "written": str(file)}
