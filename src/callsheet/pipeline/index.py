"""The index: one table of who does what over all films, the names of their people, and the query.

A query is quick because it reads these two files alone and stays in Arrow until little is left.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from callsheet.core import BACKGROUND, Progress, Span, StageResult
from callsheet.errors import InputError, StoreError
from callsheet.pipeline.stage import FilmWork
from callsheet.pipeline.telling import told
from callsheet.store import SCHEMAS, read_rows, read_table, write_rows, write_text

INDEX_FILE = "index.parquet"
PEOPLE_FILE = "people.json"
"""Film -> person -> the other names that its script gives them."""

People = Mapping[str, Mapping[str, Sequence[str]]]


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
    """Gather the labels and people of all films."""
    rows: list[dict[str, Any]] = []
    people: dict[str, dict[str, list[str]]] = {}
    warnings: list[str] = []
    for done, work in enumerate(works):
        try:
            people[work.film.film] = _people(work)
            rows += list(_film_rows(work, folder))
        except Exception as error:  # noqa: BLE001 — one odd film must not cost all films the index
            warnings.append(f"{work.film.film}: not in the index: {told(error)}")
        progress(done / len(works))
    write_rows(folder / INDEX_FILE, SCHEMAS["index"], rows)
    write_text(folder / PEOPLE_FILE, json.dumps(people, ensure_ascii=False) + "\n")
    return StageResult({"tracks": len(rows)}, tuple(warnings))


def _people(work: FilmWork) -> dict[str, list[str]]:
    path = work.folder / "cast.parquet"
    if not path.exists():
        return {}
    return {row["person"]: row["aliases"] for row in read_rows(path, SCHEMAS["cast"])}


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
    limit: int | None = None,
) -> list[Moment]:
    """Moments of a person and/or action in a library's work folder, the surest first.

    A person is found by the name in the cast or by another that the script gives them.
    """
    if not (folder / INDEX_FILE).exists():
        library = folder.parent
        if not library.is_dir():
            raise InputError(f"{library} is not a folder; give the folder that holds the films")
        raise InputError(f"{library} is not labelled yet; run: callsheet run {library}")
    table = _read_index(folder / INDEX_FILE)
    if film is not None:
        table = _only(table, "film", film)
    if action is not None:
        table = _only(table, "action", action)
    if person is not None:
        table = _of_person(table, person, _read_people(folder / PEOPLE_FILE))
    asked = [name for name, value in (("person", person), ("action", action)) if value is not None]
    chosen = _surest(table, asked, least_score).slice(0, limit)
    return [_moment(row, folder) for row in chosen.to_pylist()]


def _read_index(path: Path) -> Any:
    """The table; not by `read_table`, whose imports alone would take half of a query's time."""
    schema = SCHEMAS["index"]
    try:
        with pa.OSFile(str(path)) as file:
            table = pq.ParquetFile(file, page_checksum_verification=True).read()
    except (pa.ArrowException, OSError):
        return read_table(path, schema)  # says what is wrong with it
    sound = table.schema.equals(schema.arrow(), check_metadata=True)
    return table if sound else read_table(path, schema)


def _read_people(path: Path) -> People:
    try:
        people: People = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise StoreError(
            f"{path} is damaged ({error}); delete it and run: callsheet run {path.parent.parent}",
            path=str(path),
        ) from error
    return people


def _known(table: Any, column: str) -> list[str]:
    return sorted(v for v in table.column(column).unique().to_pylist() if v is not None)


def _only(table: Any, column: str, wanted: str) -> Any:
    """Rows whose column says `wanted`, whatever the case; an unknown word tells the nearest."""
    known = _known(table, column)
    meant = [name for name in known if name.casefold() == wanted.casefold()]
    if not meant:
        raise _unknown(column, wanted, known)
    return table.filter(_any_of(table.column(column), meant))


def _any_of(column: Any, values: Sequence[str]) -> Any:
    """Rows that say one of a few values. (`pa.array` would load pandas, where it is installed.)"""
    return reduce(pc.or_, [pc.fill_null(pc.equal(column, value), False) for value in values])


def _of_person(table: Any, wanted: str, people: People) -> Any:
    """Rows of everybody who is called so: in each film by that name, else by an alias."""
    films = table.column("film")
    named = table.column("person")
    asked = wanted.casefold()
    exact = [name for name in _known(table, "person") if name.casefold() == asked]
    rows = [_any_of(named, exact)] if exact else []
    by_alias = _by_alias(people, asked)
    for name, where in by_alias.items():
        there = pc.is_in(films, pa.array(where))
        rows.append(pc.and_(there, _any_of(named, [name])))
    cast = {name for persons in people.values() for name in persons}
    if not exact and not by_alias and asked not in {name.casefold() for name in cast}:
        others = {alias for persons in people.values() for a in persons.values() for alias in a}
        raise _unknown("person", wanted, sorted({*_known(table, "person"), *cast}), others)
    return table.filter(reduce(pc.or_, rows)) if rows else table.slice(0, 0)


def _by_alias(people: People, asked: str) -> dict[str, list[str]]:
    """Person -> films in which they bear that other name, and nobody bears it as their own."""
    found: dict[str, list[str]] = {}
    for film, persons in people.items():
        if asked not in {name.casefold() for name in persons}:
            for name, aliases in persons.items():
                if asked in {alias.casefold() for alias in aliases}:
                    found.setdefault(name, []).append(film)
    return found


def _unknown(
    what: str, wanted: str, known: Sequence[str], others: Iterable[str] = ()
) -> InputError:
    by_fold = {name.casefold(): name for name in (*others, *known)}
    asked = wanted.casefold()
    alike = [name for fold, name in by_fold.items() if asked in fold.split()][:3]
    alike += [by_fold[fold] for fold in difflib.get_close_matches(asked, by_fold, n=3)]
    near = ", ".join(dict.fromkeys(alike))
    hint = f"did you mean {near}?" if near else f"there are {_some(known)}"
    return InputError(f"no {what} {wanted!r} in this library; {hint}")


def _some(names: Sequence[str], most: int = 20) -> str:
    shown = ", ".join(names[:most]) or "none"
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _surest(table: Any, asked: Sequence[str], least_score: float) -> Any:
    """Rows that name somebody or something, with their score: of what was asked the lesser."""
    named = pc.or_(pc.is_valid(table.column("person")), pc.is_valid(table.column("action")))
    table = table.filter(named)
    scores = [
        pc.fill_null(pc.cast(table.column(f"{name}_score"), pa.float64()), 0.0)
        for name in asked or ("person", "action")
    ]
    score = pc.min_element_wise(*scores) if asked else pc.max_element_wise(*scores)
    table = table.append_column("score", score)
    table = table.filter(pc.greater_equal(score, least_score))
    order = [("score", "descending")] + [(name, "ascending") for name in ("film", "start", "end")]
    return table.sort_by(order)


def _moment(row: dict[str, Any], folder: Path) -> Moment:
    return Moment(
        row["film"],
        Span(row["start"], row["end"]),
        row["person"],
        row["action"],
        score=row["score"],
        track=row["track"],
        thumbnail=folder / row["thumbnail"] if row["thumbnail"] else None,
    )
