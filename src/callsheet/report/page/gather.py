"""What a film's page shows, gathered from its tables into plain values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from callsheet.core import TrackKind
from callsheet.errors import StoreError
from callsheet.report.page.failures import read_failures, script_verdict
from callsheet.report.page.pictures import Pictures
from callsheet.report.page.truth import read_section
from callsheet.report.sheet import Presence, Sheet, SheetTrack, presences, read_sheet
from callsheet.store import SCHEMAS, read_manifest, read_rows

MOST_ACTIONS = 40
"""Rows shown of each action, the surest first."""

MOST_CROPS = 1500
"""Tracks with a picture in the timeline, the longest; with more a page opens too slowly."""


@dataclass(frozen=True, slots=True)
class CastCard:
    """One character: how much they are seen, said and named, how surely (the middle score of
    their tracks), and their best face.
    """

    name: str
    actor: str | None
    background: bool
    seconds: float
    tracks: int
    scenes: int
    lines: int
    mentions: int
    score: float | None
    face: str | None


@dataclass(frozen=True, slots=True)
class ActionRow:
    """One moment of an action."""

    action: str
    track: int
    start: float
    end: float
    person: str | None
    score: float
    picture: str | None
    reasons: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class ScriptRow:
    """One screenplay element beside its time in the film."""

    kind: str
    text: str
    speaker: str | None
    line: int
    start: float | None
    end: float | None
    confidence: float | None


@dataclass(frozen=True, slots=True)
class FilmPage:
    """Everything on a film's page."""

    film: str
    duration: float
    counts: dict[str, Any]
    cast: tuple[CastCard, ...]
    actions: tuple[ActionRow, ...]
    script: tuple[ScriptRow, ...]
    timeline: dict[str, Any]
    warnings: tuple[str, ...] = ()
    truth: dict[str, Any] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        lacks = "not aligned" if self.counts["scripted"] else "no script"
        return script_verdict(self.counts, self.failures) or lacks


def gather(film: str, folder: Path) -> FilmPage:
    """Read what there is of a film; parts that were never computed are left out."""
    sheet = read_sheet(film, folder)
    evidence = {row["evidence"]: row for row in _rows(folder, "evidence")}
    shots = _rows(folder, "shots")
    pictures = Pictures(folder / "thumbnails")
    people = presences(sheet.tracks, "name", gap=0.5)
    truth, damage = _truth(folder)
    return FilmPage(
        film,
        sheet.picture.duration,
        _counts(sheet, folder, shots),
        cast=tuple(_cast(sheet, people, folder, pictures)),
        actions=tuple(_actions(sheet, evidence, pictures)),
        script=tuple(_script(folder)),
        timeline=_timeline(sheet, shots, evidence, pictures),
        warnings=(*_warnings(folder), *damage),
        truth=truth,
        failures=read_failures(folder),
    )


def _truth(folder: Path) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The section against the truth; a damaged one is a warning, the rest of the page is sound."""
    try:
        return read_section(folder), ()
    except StoreError as error:
        return {}, (error.message,)


def _rows(folder: Path, name: str) -> list[dict[str, Any]]:
    path = folder / f"{name}.parquet"
    return read_rows(path, SCHEMAS[name]) if path.exists() else []


def _summaries(folder: Path) -> dict[str, tuple[dict[str, Any], list[str]]]:
    """Stage -> summary and warnings, of the stages that have run."""
    found: dict[str, tuple[dict[str, Any], list[str]]] = {}
    for path in sorted(folder.glob("*.manifest.json")):
        try:
            manifest = read_manifest(path)
        except StoreError:
            continue  # a damaged manifest only means that its stage runs again
        found[manifest.stage] = (manifest.summary, manifest.warnings)
    return found


def _warnings(folder: Path) -> list[str]:
    """Each once, with the stages that gave it: several may meet the same damage."""
    stages: dict[str, list[str]] = {}
    for stage, (_, warnings) in _summaries(folder).items():
        for warning in warnings:
            stages.setdefault(warning, []).append(stage)
    return [f"{', '.join(dict.fromkeys(given))}: {warning}" for warning, given in stages.items()]


def _counts(sheet: Sheet, folder: Path, shots: Sequence[Any]) -> dict[str, Any]:
    people = sheet.people()
    counts: dict[str, Any] = {
        "shots": len(shots),
        "scripted": (folder / "elements.parquet").exists(),
        "face tracks": len(sheet.of_kind(TrackKind.FACE)),
        "body tracks": len(sheet.of_kind(TrackKind.BODY)),
        "named": sum(t.name is not None for t in people) / max(1, len(people)),
        "sureness": _middle_score([t for t in people if t.name]),
        "actions": sum(t.deed is not None for t in people),
    }
    align, _ = _summaries(folder).get("align", ({}, []))
    return counts | {key: align[key] for key in ("verdict", "share") if key in align}


def _middle_score(tracks: Sequence[SheetTrack]) -> float | None:
    return median(t.person_score or 0.0 for t in tracks) if tracks else None


def _cast(
    sheet: Sheet, people: Sequence[Presence], folder: Path, pictures: Pictures
) -> list[CastCard]:
    members = {row["person"]: row for row in _rows(folder, "cast")}
    scenes = _scenes_of(people, folder)
    names = {*members, *(p.name for p in people)}
    cards = [
        _card(name, members.get(name, {}), [p for p in people if p.name == name],
              sheet=sheet, scenes=scenes[name], pictures=pictures)
        for name in names
    ]  # fmt: skip
    return sorted(cards, key=lambda c: (c.background, -c.seconds, -c.lines, c.name))


def _card(
    name: str,
    member: Mapping[str, Any],
    seen: Sequence[Presence],
    *,
    sheet: Sheet,
    scenes: int,
    pictures: Pictures,
) -> CastCard:
    faces = [t for t in sheet.of_kind(TrackKind.FACE) if t.name == name]
    faces.sort(key=lambda t: -(t.person_score or 0.0))
    face = next((p for t in faces if (p := pictures.of(t.track))), None)
    own = [t for t in sheet.people() if t.name == name]
    return CastCard(
        name,
        member.get("actor"),
        bool(member.get("background", False)),
        seconds=sum(p.span.duration for p in seen),
        tracks=len(own),
        scenes=scenes,
        lines=member.get("lines", 0),
        mentions=member.get("mentions", 0),
        score=_middle_score(own),
        face=face,
    )


def _scenes_of(people: Sequence[Presence], folder: Path) -> Counter[str]:
    """In how many script scenes each person is seen."""
    spans = {row["element"]: row for row in _rows(folder, "alignment")}
    bounds: dict[int, tuple[float, float]] = {}
    for element in _rows(folder, "elements"):
        if (span := spans.get(element["element"])) and element["scene"] >= 0:
            start, end = bounds.get(element["scene"], (span["start"], span["end"]))
            bounds[element["scene"]] = (min(start, span["start"]), max(end, span["end"]))
    seen = {
        (p.name, scene)
        for p in people
        for scene, (start, end) in bounds.items()
        if p.span.start < end and start < p.span.end
    }
    return Counter(name for name, _ in seen)


def _actions(
    sheet: Sheet, evidence: Mapping[int, dict[str, Any]], pictures: Pictures
) -> list[ActionRow]:
    done = sorted((t for t in sheet.people() if t.deed), key=lambda t: -(t.action_score or 0.0))
    shown: Counter[str] = Counter()
    rows: list[ActionRow] = []
    for track in done:
        deed = track.deed or ""
        shown[deed] += 1
        if shown[deed] <= MOST_ACTIONS:
            rows.append(_action_row(track, deed, evidence, pictures))
    return sorted(rows, key=lambda r: r.action)


def _action_row(
    track: SheetTrack, deed: str, evidence: Mapping[int, dict[str, Any]], pictures: Pictures
) -> ActionRow:
    return ActionRow(
        deed,
        track.track,
        track.span.start,
        track.span.end,
        person=track.name,
        score=track.action_score or 0.0,
        picture=pictures.of(track.track),
        reasons=tuple(_once(_reason(evidence[i]) for i in track.action_reasons if i in evidence)),
    )


def _once(reasons: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """A line of the script may give several pieces of evidence: tell it once."""
    told: set[tuple[int, str]] = set()
    for reason in reasons:
        if (mark := (reason["line"], reason["text"])) not in told:
            told.add(mark)
            yield reason


def _reason(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"line": row["source_line"], "text": row["text"], "kind": row["kind"]}


def _script(folder: Path) -> list[ScriptRow]:
    spans = {row["element"]: row for row in _rows(folder, "alignment")}
    rows: list[ScriptRow] = []
    for element in _rows(folder, "elements"):
        span = spans.get(element["element"], {})
        rows.append(
            ScriptRow(
                element["kind"],
                element["text"],
                element["speaker"],
                element["first_line"],
                start=span.get("start"),
                end=span.get("end"),
                confidence=span.get("confidence"),
            )
        )
    return rows


def _timeline(
    sheet: Sheet,
    shots: Sequence[Mapping[str, Any]],
    evidence: Mapping[int, dict[str, Any]],
    pictures: Pictures,
) -> dict[str, Any]:
    """What the drawing on the page needs: short keys, since a film has thousands of tracks."""
    people = sheet.people()
    seconds: Counter[str] = Counter()
    for track in people:
        if track.name:
            seconds[track.name] += round(track.span.duration * 1000)
    lanes = [name for name, _ in seconds.most_common()]
    lane_of = {name: lane for lane, name in enumerate(lanes)}
    used = {i for t in people for i in (*t.person_reasons, *t.action_reasons)}
    longest = sorted(people, key=lambda t: -t.span.duration)[:MOST_CROPS]
    shown = {t.track: pictures.of(t.track if t.linked is None else t.linked) for t in longest}
    return {
        "duration": sheet.picture.duration,
        "lanes": lanes,
        "shots": [round(shot["start"], 3) for shot in shots],
        "strip": {str(shot["shot"]): p for shot in shots if (p := pictures.of_shot(shot["shot"]))},
        "tracks": [_mark(track, lane_of, shown.get(track.track)) for track in people],
        "evidence": {str(i): _reason(evidence[i]) for i in used if i in evidence},
    }


def _mark(track: SheetTrack, lane_of: Mapping[str, int], picture: str | None) -> dict[str, Any]:
    return {
        "i": track.track,
        "l": lane_of[track.name] if track.name else -1,
        "s": round(track.span.start, 3),
        "e": round(track.span.end, 3),
        "p": round(track.person_score or 0.0, 3),
        "a": track.deed,
        "q": round(track.action_score or 0.0, 3),
        "c": picture,
        "r": [*track.person_reasons, *track.action_reasons][:6],
    }
