"""The index: one table of who does what over all films, and the query that reads it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

from callsheet.core import BACKGROUND, Progress, Span, StageResult
from callsheet.errors import InputError
from callsheet.pipeline.remains import told
from callsheet.pipeline.stage import FilmWork
from callsheet.store import SCHEMAS, read_rows, read_table, write_rows

INDEX_FILE = "index.parquet"


@dataclass(frozen=True, slots=True)
class Moment:
    """Somebody does something in a film: when, how surely, and where to see it."""

    film: str
    span: Span
    person: str | None
    action: str | None
    score: float
    track: int
    thumbnail: Path | None


def make_index(works: Sequence[FilmWork], folder: Path, progress: Progress) -> StageResult:
    """Gather the labels of all films into one table."""
    rows: list[dict[str, Any]] = []
    warnings: list[str] = []
    for done, work in enumerate(works):
        try:
            rows += list(_film_rows(work, folder))
        except Exception as error:  # noqa: BLE001 — one odd film must not cost all films the index
            warnings.append(f"{work.film.film}: not in the index: {told(error)}")
        progress(done / len(works))
    write_rows(folder / INDEX_FILE, SCHEMAS["index"], rows)
    return StageResult({"tracks": len(rows)}, tuple(warnings))


def _film_rows(work: FilmWork, folder: Path) -> Iterator[dict[str, Any]]:
    if not (work.folder / "labels.parquet").exists():
        return
    labels = {r["track"]: r for r in read_rows(work.folder / "labels.parquet", SCHEMAS["labels"])}
    for track in read_rows(work.folder / "tracks.parquet", SCHEMAS["tracks"]):
        shown_by_body = track["kind"] == "face" and track["linked"] is not None
        if track["track"] in labels and not shown_by_body:
            yield _row(work, track, labels[track["track"]], folder)


def _row(
    work: FilmWork, track: dict[str, Any], label: dict[str, Any], folder: Path
) -> dict[str, Any]:
    thumbnail = work.folder / "thumbnails" / f"{track['track']}.jpg"
    row = {name: track[name] for name in ("track", "start", "end")}
    for what in ("person", "action"):
        named = label[what] not in (None, BACKGROUND)
        row[what] = label[what] if named else None
        row[f"{what}_score"] = label[f"{what}_score"] if named else None
    shown = thumbnail.relative_to(folder).as_posix() if thumbnail.exists() else None
    return {"film": work.film.film, "thumbnail": shown, **row}


def find_moments(
    folder: Path,
    *,
    person: str | None = None,
    action: str | None = None,
    film: str | None = None,
    least_score: float = 0.0,
) -> list[Moment]:
    """Moments of a person and/or action in a library's work folder, the surest first."""
    if not (folder / INDEX_FILE).exists():
        library = folder.parent
        raise InputError(f"{library} is not labelled yet; run: callsheet run {library}")
    table = read_table(folder / INDEX_FILE, SCHEMAS["index"])
    for column, wanted in (("person", person), ("action", action), ("film", film)):
        if wanted is not None:
            table = _only(table, column, wanted)
    asked = [name for name, value in (("person", person), ("action", action)) if value is not None]
    moments = [_moment(row, asked, folder) for row in table.to_pylist()]
    kept = [m for m in moments if m.score >= least_score and (m.person or m.action)]
    return sorted(kept, key=lambda m: (-m.score, m.film, m.span))


def _only(table: Any, column: str, wanted: str) -> Any:
    """Rows whose column says `wanted`, whatever the case; an unknown word lists the choices."""
    values = table.column(column)
    known = sorted({v for v in values.unique().to_pylist() if v is not None})
    if wanted.casefold() not in {v.casefold() for v in known}:
        raise InputError(f"no {column} {wanted!r} in this library; there are {_some(known)}")
    folded = pc.equal(pc.utf8_lower(values), wanted.lower())
    return table.filter(folded)


def _some(names: Sequence[str], most: int = 20) -> str:
    shown = ", ".join(names[:most]) or "none"
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _moment(row: dict[str, Any], asked: Sequence[str], folder: Path) -> Moment:
    scores = [row[f"{name}_score"] or 0.0 for name in asked or ("person", "action")]
    return Moment(
        row["film"],
        Span(row["start"], row["end"]),
        row["person"],
        row["action"],
        score=min(scores) if asked else max(scores),
        track=row["track"],
        thumbnail=folder / row["thumbnail"] if row["thumbnail"] else None,
    )
