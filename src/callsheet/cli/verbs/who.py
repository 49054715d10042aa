"""`callsheet who LIBRARY`: the moments of a person, an action, or both."""

from __future__ import annotations

from pathlib import Path

import click

from callsheet.cli.frame import print_json_lines


@click.command("who")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--person", help="A name of the cast.")
@click.option("--action", help="An action, such as SitDown.")
@click.option("--film", help="Only this film.")
@click.option(
    "--least-score", type=float, default=0.0, show_default=True, help="Leave out unsurer."
)
@click.option("--limit", type=click.IntRange(min=1), help="At most so many moments.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a moment.")
def command(
    folder: Path,
    person: str | None,
    action: str | None,
    film: str | None,
    least_score: float,
    limit: int | None,
    as_json: bool,
) -> None:
    """List the moments where somebody does something, the surest first.

    A person is found by the name in the cast or by another that the script gives them.

    Example: callsheet who films/ --person RICK --action SitDown
    """
    from callsheet.pipeline.index import find_moments
    from callsheet.pipeline.stage import WORK_FOLDER

    moments = find_moments(
        folder / WORK_FOLDER, person=person, action=action, film=film, least_score=least_score,
        limit=limit,
    )  # fmt: skip
    if as_json:
        print_json_lines(moments)
        return
    for m in moments:
        what = f"{m.person or '-'} {m.action or '-'}"
        click.echo(
            f"{m.film:20} {_clock(m.span.start)} {_clock(m.span.end)} {m.score:6.3f} "
            f"{what:30} {m.thumbnail or ''}"
        )


def _clock(seconds: float) -> str:
    minutes, hundredths = divmod(round(seconds * 100), 6000)  # rounded first: no 60.00 seconds
    return f"{minutes // 60}:{minutes % 60:02}:{hundredths / 100:05.2f}"
