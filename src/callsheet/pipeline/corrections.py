"""Corrections by a person come back as pins: these tracks are Rick.

From a CSV with the columns `track` and `person` and/or `action` (and `film`, where it covers
several), or from a CVAT for video file that `callsheet export cvat` wrote. A file that we
exported holds machine labels too: of it, only what was changed becomes a pin. It bears marks of
those labels, since those of the library may be others by now. The word "-" takes a pin back.
"""

from __future__ import annotations

import csv
import difflib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from callsheet.core import ACTIONS, BACKGROUND, TrackKind
from callsheet.errors import InputError, StoreError
from callsheet.model.classifiers import read_notes
from callsheet.pipeline.library import Library
from callsheet.pipeline.lock import holding
from callsheet.pipeline.stage import FilmWork
from callsheet.report.exports.rows import mark
from callsheet.store import SCHEMAS, read_rows, write_rows

WITHDRAWN = "-"
"""Instead of a name or an action: what was said of this track before no longer counts."""

MACHINE_COLUMNS = {"person_score", "action_score", "exported"}


@dataclass(frozen=True, slots=True)
class Correction:
    """What a person says of a track; None: nothing said. `where` is for errors.

    `exported`: the marks of what we said of the track when the file was written, if it tells.
    """

    film: str | None
    track: int
    person: str | None
    action: str | None
    where: str
    exported: str


def read_corrections(path: Path) -> tuple[list[Correction], bool]:
    """Corrections of a file, and whether it also holds machine labels."""
    if not path.is_file():
        raise InputError(f"{path} is not a file; give a CSV or a CVAT XML")
    if path.suffix.lower() == ".xml":
        return _from_cvat(path), True
    return _from_csv(path)


def _from_csv(path: Path) -> tuple[list[Correction], bool]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            reader = csv.DictReader(file, delimiter=_delimiter(file))
            columns = set(reader.fieldnames or ())
            _check_columns(path, reader.fieldnames or ())
            rows = [_from_row(path, row, number) for number, row in enumerate(reader, start=2)]
        except (csv.Error, UnicodeDecodeError) as error:
            raise InputError(f"{path} is not a UTF-8 CSV: {error}") from error
    return rows, bool(columns & MACHINE_COLUMNS)


def _delimiter(file: TextIO) -> str:
    """What stands between the columns: many spreadsheets write semicolons where commas are ours."""
    head = file.readline()
    file.seek(0)
    return max(",;\t", key=head.count)


def _check_columns(path: Path, columns: Sequence[str]) -> None:
    if "track" not in columns or not {"person", "action"} & set(columns):
        raise InputError(
            f"{path} needs the columns track and person or action, got {', '.join(columns) or '-'}"
        )


def _from_row(path: Path, row: Mapping[str, Any], line: int) -> Correction:
    try:
        track = int(row["track"])
    except (KeyError, TypeError, ValueError):
        got = row.get("track")
        raise InputError(f"{path}, line {line}: track must be a number, got {got!r}") from None
    person, action = ((row.get(c) or "").strip() or None for c in ("person", "action"))
    where = f"{path}, line {line}"
    marks = row.get("exported") or ""
    return Correction(row.get("film") or None, track, person, action, where, marks)


def _from_cvat(path: Path) -> list[Correction]:
    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import ParseError, parse

    try:
        root = parse(path).getroot()
    except (ParseError, DefusedXmlException) as error:
        raise InputError(f"{path} is not a sound CVAT XML: {error}") from error
    film = root.findtext("meta/task/name") or root.findtext("meta/job/name")
    found: list[Correction] = []
    for number, element in enumerate(root.findall("track"), start=1):
        box = element.find("box")
        said = {} if box is None else {a.get("name"): (a.text or "").strip() for a in box}
        if (said.get("track") or "").isdigit():
            person, action = said.get("person") or None, said.get("action") or None
            where, marks = f"{path}, track {number}", said.get("exported") or ""
            found.append(Correction(film, int(said["track"]), person, action, where, marks))
    if not found:
        raise InputError(f"{path} holds no track of ours (no attribute `track` in its boxes)")
    return found


def _pins_after(
    work: FilmWork, corrections: Iterable[Correction], *, changed_only: bool
) -> list[dict[str, Any]]:
    """A film's pins with its corrections added."""
    tracks = {r["track"]: r for r in read_rows(work.folder / "tracks.parquet", SCHEMAS["tracks"])}
    labels = _labels(work) if changed_only else {}
    people, actions = _people(work), _actions(work)
    pins = {p["track"]: p for p in _read_pins(work)}
    for correction in corrections:
        _check(work, correction, tracks, people=people, actions=actions)
        said = _said(correction, labels.get(correction.track, {}), changed_only=changed_only)
        for track in _same_person(tracks, correction.track):
            _merge(pins, track, said, tracks[track]["kind"])
    rows = [p for p in pins.values() if p["person"] or p["action"]]
    return sorted(rows, key=lambda row: row["track"])


def _write_pins(work: FilmWork, rows: Sequence[dict[str, Any]]) -> None:
    path = work.folder / "pins.parquet"
    if rows:
        write_rows(path, SCHEMAS["pins"], rows)
    else:
        path.unlink(missing_ok=True)


def _labels(work: FilmWork) -> dict[int, dict[str, Any]]:
    path = work.folder / "labels.parquet"
    if not path.exists():
        return {}
    return {row["track"]: row for row in read_rows(path, SCHEMAS["labels"])}


def _people(work: FilmWork) -> set[str]:
    path = work.folder / "cast.parquet"
    rows = read_rows(path, SCHEMAS["cast"]) if path.exists() else []
    return {row["person"] for row in rows} | {BACKGROUND}


def _actions(work: FilmWork) -> set[str]:
    """Ours, and the user's own that this library was labelled with."""
    known = {*ACTIONS, BACKGROUND}
    with suppress(StoreError):
        known |= set(read_notes(work.folder, "actions")["labels"])
    return known


def _read_pins(work: FilmWork) -> list[dict[str, Any]]:
    path = work.folder / "pins.parquet"
    return read_rows(path, SCHEMAS["pins"]) if path.exists() else []


def _check(
    work: FilmWork,
    correction: Correction,
    tracks: Mapping[int, Any],
    *,
    people: set[str],
    actions: set[str],
) -> None:
    where = correction.where
    if correction.track not in tracks:
        raise InputError(f"{where}: {work.film.film} has no track {correction.track}")
    for value, choices, what in (
        (correction.person, people, "person in the cast"),
        (correction.action, actions, "action"),
    ):
        if value not in (None, WITHDRAWN) and value not in choices:
            near = difflib.get_close_matches(value, choices, n=1)
            hint = (
                f"did you mean {near[0]!r}?" if near else f"choices: {', '.join(sorted(choices))}"
            )
            raise InputError(f"{where}: no {what} {value!r} in {work.film.film}; {hint}")


def _said(
    correction: Correction, label: Mapping[str, Any], *, changed_only: bool
) -> dict[str, str | None]:
    """What the correction says that the machine did not, when it was exported; where the file does
    not tell that, what the machine does not say today.
    """
    said = {"person": correction.person, "action": correction.action}
    if not changed_only:
        return said
    marks = dict(zip(said, correction.exported.split(), strict=False))
    same = {
        what: marks[what] == mark(value) if what in marks else value == label.get(what)
        for what, value in said.items()
    }
    return {what: None if same[what] else value for what, value in said.items()}


def _same_person(tracks: Mapping[int, Any], track: int) -> list[int]:
    linked = tracks[track]["linked"]
    return [track] if linked is None else [track, linked]


def _merge(
    pins: dict[int, dict[str, Any]], track: int, said: Mapping[str, str | None], kind: str
) -> None:
    row = pins.setdefault(track, {"track": track, "person": None, "action": None})
    row["person"] = _after(said["person"], row["person"])
    if kind == TrackKind.BODY:  # actions are labels of bodies
        row["action"] = _after(said["action"], row["action"])


def _after(said: str | None, pinned: str | None) -> str | None:
    return None if said == WITHDRAWN else said or pinned


def import_corrections(library: Library, path: Path, *, film: str | None) -> dict[str, int]:
    """Pin what a file says, all of it or (where something is wrong) nothing; return the number of
    pinned tracks a film.

    Of a CVAT file, which is about one film, `film` has the last word: its task may have any name.
    Of a CSV only the rows of that film are taken.
    """
    corrections, exported = read_corrections(path)
    by_film = _by_film(library, path, corrections, film)
    with holding(library.work_folder):
        pins = {
            name: _pins_after(library.work(name), said, changed_only=exported)
            for name, said in sorted(by_film.items())
        }
        for name, rows in pins.items():
            _write_pins(library.work(name), rows)
    return {name: len(rows) for name, rows in pins.items()}


def _by_film(
    library: Library, path: Path, corrections: Sequence[Correction], film: str | None
) -> dict[str, list[Correction]]:
    only = library.films[0].film if len(library.films) == 1 else None
    # The task of a CVAT file is called as somebody liked; a row of a CSV says what it is about.
    renamed = film is not None and path.suffix.lower() == ".xml"
    found: dict[str, list[Correction]] = {}
    for correction in corrections:
        about = (None if renamed else correction.film) or film or only
        if about is None:
            raise InputError(f"{path} does not say which film it is about; name it with --film")
        if film in (None, about):
            found.setdefault(about, []).append(correction)
    _check_films(library, path, found, corrections, film)
    return found


def _check_films(
    library: Library,
    path: Path,
    found: Mapping[str, Any],
    corrections: Sequence[Correction],
    film: str | None,
) -> None:
    """Rows that are about no film of the library pin nothing: say so instead."""
    known = [f.film for f in library.films]
    choices = f"the films are {', '.join(known)}"
    if film is not None and film not in known:
        raise InputError(f"no film {film!r}; {choices}")
    if not found:
        said = ", ".join(sorted({str(c.film) for c in corrections})) or "no track at all"
        raise InputError(
            f"{path} pins nothing: none of its rows is about {film or 'a film'}; it tells of {said}"
        )
    if unknown := sorted(set(found) - set(known)):
        raise InputError(
            f"{path} is about {', '.join(unknown)}, which is no film here ({choices}); name the"
            " film with --film"
        )
