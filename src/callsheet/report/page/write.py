"""Write the pages of a library into `<work folder>/report`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from callsheet.core import Progress, StageResult, no_progress
from callsheet.errors import CallsheetError
from callsheet.report.page.failures import read_failures
from callsheet.report.page.gather import ActionRow, FilmPage, gather
from callsheet.report.page.render import film_file, film_html, library_html
from callsheet.store import write_text

SUREST = 6
"""Moments of each action on the library's page."""

HEADS, MOST_HEADS = 5, 500
"""Faces of each film on the library's page, and of all films together."""


def make_report(
    films: Sequence[tuple[str, Path]], folder: Path, progress: Progress = no_progress
) -> StageResult:
    """Write a page a film (id, its folder) and one for the library; films without labels are
    listed there with the reason.
    """
    pages: list[FilmPage] = []
    unlabelled: list[tuple[str, str]] = []
    warnings: list[str] = []
    for done, (film, film_folder) in enumerate(films):
        made = _film_page(film, film_folder)
        if isinstance(made, str):
            unlabelled.append((film, made))
            if (film_folder / "labels.parquet").exists():
                warnings.append(f"{film}: {made}")
        else:
            page, html = made
            write_text(folder / "report" / film_file(film), html)
            pages.append(_in_short(page, heads=HEADS if len(pages) * HEADS < MOST_HEADS else 0))
        progress(done / len(films))
    _remove_others(folder / "report", {film_file(page.film) for page in pages})
    failures = read_failures(films[0][1].parent) if films else {}
    html = library_html(pages, unlabelled, moments=_moments(pages), failures=failures)
    write_text(folder / "report" / "index.html", html)
    return StageResult({"pages": len(pages) + 1}, tuple(warnings))


def _film_page(film: str, folder: Path) -> tuple[FilmPage, str] | str:
    """A film's page and its text, or why there is none."""
    if not (folder / "labels.parquet").exists():
        return f"not labelled: {_why(folder)}"
    try:
        page = gather(film, folder)
        return page, film_html(page, back="index.html")
    except CallsheetError as error:
        return f"no page: {error.message}"
    except Exception as error:  # noqa: BLE001 — one odd film must not cost the others their pages
        return f"no page: unexpected {type(error).__name__}: {error} (a bug)"


def _remove_others(folder: Path, written: set[str]) -> None:
    """Pages of films that are no longer here."""
    for path in folder.glob("film-*.html"):
        if path.name not in written:
            path.unlink()


def _in_short(page: FilmPage, *, heads: int) -> FilmPage:
    """What the library's page needs: hundreds of films must not be held whole in memory."""
    cast = tuple(
        card if place < heads else replace(card, face=None) for place, card in enumerate(page.cast)
    )
    actions = [row for rows in _moments([page]).values() for _, row in rows]
    return replace(page, cast=cast, actions=tuple(actions), script=(), timeline={})


def _why(folder: Path) -> str:
    failures = read_failures(folder)
    told = [f"{stage} failed: {why}" for stage, why in failures.items()]
    return "; ".join(told) or "no video, or not run yet"


def _moments(pages: Sequence[FilmPage]) -> dict[str, list[tuple[str, ActionRow]]]:
    """The surest moments of each action over all films."""
    found: dict[str, list[tuple[str, ActionRow]]] = {}
    for page in pages:
        for row in page.actions:
            found.setdefault(row.action, []).append((page.film, row))
    return {
        action: sorted(rows, key=lambda r: -r[1].score)[:SUREST]
        for action, rows in sorted(found.items())
    }
