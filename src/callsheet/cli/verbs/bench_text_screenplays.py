"""`callsheet bench text screenplays`: line accuracy per film beside screenplain."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from callsheet.cli.frame import console, print_json
from callsheet.cli.verbs.bench_text import print_machine

if TYPE_CHECKING:
    from callsheet.text.measures.line_tags import FilmScore


@click.command("screenplays")
@click.option(
    "--data",
    required=True,
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with screenplays/ and, line by line, the tags people gave, screenplay_lines/.",
)
@click.option(
    "--held-out/--shipped",
    default=True,
    show_default=True,
    help="Learn the voice anew without the film that is measured, or use the shipped one.",
)
@click.option("--flat", is_flag=True, help="Take all indentation away first.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a film and tag.")
def command(data: Path, held_out: bool = True, flat: bool = False, as_json: bool = False) -> None:
    """Share of screenplay lines with the tag that people gave them, film by film.

    Example: callsheet bench text screenplays --data films-with-truth/
    """
    from callsheet.text.measures.line_tags import (
        callsheet_tagger,
        flattened,
        held_out_voices,
        score,
        screenplain_tagger,
        tagged_films,
    )

    print_machine(as_json=as_json)
    films = tagged_films(data)
    voices = held_out_voices(films) if held_out else {}
    if flat:
        films = [flattened(film) for film in films]
    ours = score(films, lambda film: callsheet_tagger(voices.get(film.film)))
    peer = score(films, lambda _: screenplain_tagger)
    if as_json:
        for row in _rows(ours, peer):
            print_json(row)
        return
    voice = "learnt without the film" if held_out else "as shipped"
    page = ", all indentation taken away" if flat else ""
    console().print(
        f"screenplay lines: {data}/screenplay_lines, {len(films)} films; voice {voice}{page}"
    )
    _print_films(ours, peer)
    _print_tags(ours)


def _rows(ours: Sequence[FilmScore], peer: Sequence[FilmScore]) -> Iterator[dict[str, Any]]:
    from callsheet.text.measures.line_tags import overall, per_tag

    for mine, other in zip(ours, peer, strict=True):
        yield {"what": "film", "film": mine.film, "lines": mine.lines,
               "callsheet": mine.accuracy, "screenplain": other.accuracy}  # fmt: skip
    (all_ours, worst), (all_peer, peer_worst) = overall(ours), overall(peer)
    yield {"what": "all lines", "callsheet": all_ours, "screenplain": all_peer}
    yield {"what": "worst film", "callsheet": worst, "screenplain": peer_worst}
    for tag, (precision, recall, f1, lines) in per_tag(ours).items():
        yield {"what": "tag", "tag": tag, "precision": precision, "recall": recall, "f1": f1,
               "lines": lines}  # fmt: skip


def _print_films(ours: Sequence[FilmScore], peer: Sequence[FilmScore]) -> None:
    from callsheet.text.measures.line_tags import overall

    out = console()
    out.print(f"{'film':34} {'lines':>6} {'callsheet':>10} {'screenplain':>12}")
    for mine, other in zip(ours, peer, strict=True):
        out.print(f"{mine.film:34} {mine.lines:6} {mine.accuracy:10.4f} {other.accuracy:12.4f}")
    (all_ours, worst), (all_peer, peer_worst) = overall(ours), overall(peer)
    lines = sum(film.lines for film in ours)
    out.print(f"{'all lines':34} {lines:6} {all_ours:10.4f} {all_peer:12.4f}")
    out.print(f"{'worst film':34} {'':6} {worst:10.4f} {peer_worst:12.4f}")
    out.print(f"wrong lines, screenplain / callsheet: {(1 - all_peer) / (1 - all_ours):.1f}")


def _print_tags(ours: Sequence[FilmScore]) -> None:
    from callsheet.text.measures.line_tags import per_tag

    out = console()
    out.print(f"{'tag':6} {'precision':>10} {'recall':>8} {'F1':>8} {'lines':>6}")
    for tag, (precision, recall, f1, lines) in per_tag(ours).items():
        out.print(f"{tag:6} {precision:10.4f} {recall:8.4f} {f1:8.4f} {lines:6}")
