"""`callsheet bench text alignment`: who speaks each subtitle line, beside a 2015 system."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callsheet.cli.frame import console, print_json
from callsheet.cli.verbs.bench_text import print_machine

if TYPE_CHECKING:
    from callsheet.text.measures.damage import Damage
    from callsheet.text.measures.episodes import Episode
    from callsheet.text.measures.judged import Judged


@click.command("alignment")
@click.option("--data", required=True,
              type=click.Path(exists=True, file_okay=False, path_type=Path),
              help="Folder with tv/: episodes with transcripts and true speakers.")  # fmt: skip
@click.option("--seed", default=0, show_default=True, help="Of the damaged transcripts.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a row.")
def command(data: Path, seed: int = 0, as_json: bool = False) -> None:
    """Share of subtitle lines given their true speaker, episode by episode.

    Then the same with transcripts that lack utterances, sentences and words; the shares found
    when scripts are aligned to films that are not theirs; and the time a 3-hour film takes.

    Example: callsheet bench text alignment --data films-with-truth/
    """
    from callsheet.text.measures.episodes import find_episodes, read_episode

    print_machine(as_json=as_json)
    episodes = [read_episode(folder) for folder in find_episodes(data / "tv")]
    rows = [*_by_episode(episodes), *_damaged(episodes, seed), _wrong_films(episodes)]
    rows.append(_drifting(data / "tv", episodes))
    rows.append(_long_film(episodes))
    if as_json:
        for row in rows:
            print_json(row)
    else:
        _print(rows, data, seed)


def _by_episode(episodes: list[Episode]) -> Iterator[dict[str, Any]]:
    from callsheet.text.measures.damage import Damage
    from callsheet.text.measures.judged import summarise

    together: list[Judged] = []
    for episode in (e for e in episodes if e.annotated):
        lines = _judge(episode, Damage(), seed=0)
        together += lines
        yield {"what": episode.name} | summarise(lines)
    yield {"what": "together"} | summarise(together)


def _damaged(episodes: list[Episode], seed: int) -> Iterator[dict[str, Any]]:
    from callsheet.text.measures.damage import Damage
    from callsheet.text.measures.judged import summarise

    for name, damage in (
        ("10 % of utterances gone", Damage(utterances=0.1)),
        ("10 % of sentences gone", Damage(sentences=0.1)),
        ("30 % of words replaced", Damage(words=0.3)),
        ("5 %, 5 % and 15 %", Damage(0.05, 0.05, 0.15)),
    ):
        lines = [j for e in episodes if e.annotated for j in _judge(e, damage, seed=seed)]
        yield {"what": name} | summarise(lines) | {"rival": None}


def _judge(episode: Episode, damage: Damage, *, seed: int) -> list[Judged]:
    from callsheet.text import align
    from callsheet.text.measures.damage import damaged
    from callsheet.text.measures.judged import judged_lines

    script = damaged(episode.screenplay, damage, random.Random(seed))
    return judged_lines(episode, align(script, episode.subtitles))


def _wrong_films(episodes: list[Episode]) -> dict[str, Any]:
    """Every transcript against every other episode: the largest share found by chance."""
    from callsheet.text import align

    shares = [
        max((found := align(script.screenplay, film.subtitles)).share, found.heard)
        for script in episodes
        for film in episodes
        if script is not film
    ]
    return {"what": "wrong films", "pairs": len(shares), "largest_share": max(shares)}


def _drifting(folder: Path, episodes: list[Episode]) -> dict[str, Any]:
    """Every episode's subtitles at seven rates and four offsets against its cuts."""
    from callsheet.text.alignment import Drift, find_drift, retimed
    from callsheet.text.alignment.drift import rates
    from callsheet.text.measures.episodes import read_cuts

    right, wrong, silent, apart = 0, 0, 0, [0.0]
    for episode in episodes:
        cuts = read_cuts(folder / episode.name)
        for frames, rate in rates():
            for offset in (0.0, -1.5, -20.0, -60.0):
                off = retimed(episode.subtitles, Drift(1 / rate, -offset / rate, frames, 0.0))
                found = find_drift(off, cuts)
                is_right = found is not None and abs(found.rate - rate) < 1e-9
                right, wrong = right + is_right, wrong + (found is not None and not is_right)
                silent += found is None
                apart += [abs(found.offset - offset)] if found and is_right else []
    return {"what": "drift", "right": right, "wrong": wrong, "silent": silent,
            "largest_error": max(apart)}  # fmt: skip


def _long_film(episodes: list[Episode]) -> dict[str, Any]:
    """All episodes one after the other, twice: words of a film of more than three hours."""
    from callsheet.text import align
    from callsheet.text.measures.episodes import joined

    script, subtitles = joined([*episodes, *episodes])
    align(episodes[0].screenplay, episodes[0].subtitles)  # compiled code is loaded
    start = time.perf_counter()
    align(script, subtitles)
    return {
        "what": "long film",
        "hours": subtitles.cues[-1].span.end / 3600,
        "cues": len(subtitles.cues),
        "seconds": time.perf_counter() - start,
    }


def _print(rows: list[dict[str, Any]], data: Path, seed: int) -> None:
    from rich.table import Table

    table = Table("transcript", "lines", "right", "surest 80 %", "calibration error", "2015 system",
                  title=f"speaker of a subtitle line, {data}/tv, seed {seed}")  # fmt: skip
    for row in rows:
        if "surest_80" in row:
            rival = "" if row["rival"] is None else (
                f"{row['rival']:.4f} (ours: {row['right_where_rival']:.4f})"
            )  # fmt: skip
            table.add_row(row["what"], str(row["lines"]), f"{row['right']:.4f}",
                          f"{row['surest_80']:.4f}", f"{row['calibration_error']:.4f}",
                          rival)  # fmt: skip
    out = console()
    out.print(table)
    wrong, drift, long = rows[-3:]
    out.print(f"{wrong['pairs']} wrong pairs of script and film: at most"
              f" {wrong['largest_share']:.1%} of either is found in the other")  # fmt: skip
    out.print(f"rate of subtitles against the film's cuts: {drift['right']} right,"
              f" {drift['wrong']} wrong, {drift['silent']} not told; offsets within"
              f" {drift['largest_error']:.2f} s")  # fmt: skip
    out.print(f"a film of {long['hours']:.1f} hours, {long['cues']} cues:"
              f" {long['seconds']:.2f} s")  # fmt: skip
