"""`callsheet align SCRIPT SUBTITLES`: when everything in a script happens, and who speaks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callsheet.cli.frame import console, escape, print_json, warn
from callsheet.cli.progress import one_bar
from callsheet.text.settings import AlignmentSettings, SubtitleSettings

if TYPE_CHECKING:
    from callsheet.text import Alignment, Screenplay

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
refuse_below = click.option(
    "--refuse-below", type=click.FloatRange(0, 1), default=AlignmentSettings().refuse_below,
    show_default=True, help="Refuse a script of whose words, and of the film's, less is found.",
)  # fmt: skip
frame_rate = click.option(
    "--frame-rate", type=click.FloatRange(1, 1000), default=SubtitleSettings().frame_rate,
    show_default=True, help="Of MicroDVD subtitles that do not say theirs.",
)  # fmt: skip


@click.command("align")
@click.argument("script", type=_FILE)
@click.argument("subtitles", type=_FILE)
@click.option(
    "--reference", type=_FILE, help="Other subtitles of the film that keep its time, to find drift."
)
@click.option("--film", type=_FILE, help="The film itself: its cuts show drift.")
@click.option("--cuts", type=_FILE, help="Its cuts instead: a text file, seconds, one a line.")
@refuse_below
@frame_rate
@click.option("--json", "as_json", is_flag=True,
              help="Print one JSON object a subtitle line, then one for the film.")  # fmt: skip
def command(
    script: Path,
    subtitles: Path,
    reference: Path | None,
    film: Path | None,
    cuts: Path | None,
    refuse_below: float,
    frame_rate: float,
    as_json: bool,
) -> None:
    """Align a screenplay (or a `speaker words` transcript) to the subtitles of its film.

    With --json: who speaks each subtitle line, and last how well the script fits the film. A
    script of another film leaves with 1. With --reference, --film or --cuts, subtitles of
    another frame rate, or that are early or late, are found, reported (drift) and mended; where
    nothing could be told, drift is null.

    Example: callsheet align casablanca.txt casablanca.srt --json
    """
    from callsheet.errors import InputError
    from callsheet.text import Verdict, align, read_screenplay, read_subtitles
    from callsheet.text.alignment import refusal

    timing = SubtitleSettings(frame_rate=frame_rate)
    screenplay, spoken = read_screenplay(script), read_subtitles(subtitles, timing)
    alignment = align(
        screenplay,
        spoken,
        AlignmentSettings(refuse_below=refuse_below),
        cuts=_cuts(film, cuts),
        reference=read_subtitles(reference, timing) if reference else None,
    )
    for warning in (*screenplay.warnings, *spoken.warnings):
        warn(warning)
    if as_json:
        _print_json(alignment)
    if alignment.verdict is Verdict.REFUSED:
        raise InputError(refusal(alignment))
    for warning in alignment.warnings:
        warn(warning)
    if not as_json:
        _print(alignment, screenplay)


def _cuts(film: Path | None, listed: Path | None) -> list[float] | None:
    """The film's cuts in seconds: listed, or found in the video."""
    if film is None and listed is None:
        return None
    from callsheet.video.settings import ShotSettings
    from callsheet.video.shots import find_shots, read_cuts
    from callsheet.video.stream import open_film

    if film is None:
        assert listed is not None
        return list(read_cuts(listed))
    with one_bar("cuts") as progress:
        return [s.span.start for s in find_shots(open_film(film), ShotSettings(), progress)[1:]]


def _print_json(alignment: Alignment) -> None:
    for line in alignment.lines:
        print_json({
            "start": line.span.start, "end": line.span.end, "text": line.text,
            "speaker": line.speaker, "confidence": round(line.confidence, 4),
        })  # fmt: skip
    print_json(_film(alignment))


def _film(alignment: Alignment) -> dict[str, Any]:
    return {
        "score": round(max(alignment.share, alignment.heard), 4),
        "share": round(alignment.share, 4),
        "heard": round(alignment.heard, 4),
        "verdict": alignment.verdict.value,
        "rate": alignment.rate,
        "offset": alignment.offset,
        "drift": _drift(alignment),
        "warnings": list(alignment.warnings),
    }


def _drift(alignment: Alignment) -> dict[str, float] | None:
    """None: nothing told, or nobody asked, whether the subtitles keep the film's time."""
    if not alignment.drift_told:
        return None
    return {"rate": alignment.rate, "offset": alignment.offset}


def _print(alignment: Alignment, screenplay: Screenplay) -> None:
    out = console()
    for scene in alignment.scenes:
        heading = screenplay.scenes[scene.element].heading
        sure = f"{scene.confidence:4.0%}"
        out.print(escape(f"{_clock(scene.span.start)} {_clock(scene.span.end)} {sure}  {heading}"))
    known = sum(line.speaker is not None for line in alignment.lines)
    out.print(
        f"{alignment.verdict.value}: {alignment.share:.1%} of the script's dialogue is said,"
        f" {alignment.heard:.1%} of the film's words stand in it;"
        f" {known} of {len(alignment.lines)} subtitle lines have a speaker"
    )


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}"
