"""Evidence + tracks -> bags.

Evidence that tells a person makes a bag over the *face* tracks of its span; evidence that tells
an action makes one over the *body* tracks (with the person, if told: a person-action bag). A
statement of both makes both. Of a line's faces those are left out whose mouth was measured
and stood still; where that is all of them, somebody unseen speaks and there is no bag.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.bags.settings import BagSettings
from callsheet.bags.tracks import FilmTracks, read_tracks, tracks_in_spans
from callsheet.core import (
    Bag,
    EvidenceKind,
    Progress,
    StageResult,
    TrackKind,
    no_progress,
)
from callsheet.store import SCHEMAS, read_rows, read_table, write_items

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Speech:
    """Faces that speak: cue spans, and (cue, track) pairs with a moving mouth or a still one."""

    cue_start: Array
    cue_end: Array
    cue: Array  # place of the cue, one a measured face and cue
    track: Array
    speaks: Array  # bool


@dataclass(slots=True)
class Tally:
    """What was left out on the way, by reason."""

    left_out: Counter[str] = field(default_factory=Counter)


def make_bags(
    folder: Path, settings: BagSettings | None = None, progress: Progress = no_progress
) -> StageResult:
    """Read evidence, tracks, cast (and speaking) of a film folder; write bags.parquet."""
    settings = settings or BagSettings()
    tracks = read_tracks(folder)
    evidence = read_rows(folder / "evidence.parquet", SCHEMAS["evidence"])
    extras = {m["person"] for m in _cast(folder) if m["background"]}
    tally = Tally()
    rows = _usable(evidence, extras, settings, tally)
    speech = _read_speech(folder, settings) if settings.speakers_only else None
    names = _name_bags(rows, tracks.of_kind(TrackKind.FACE), speech, tally)
    progress(0.5)
    actions = _action_bags(rows, tracks.of_kind(TrackKind.BODY), first=len(names))
    write_items(folder / "bags.parquet", SCHEMAS["bags"], [*names, *actions])
    progress(1.0)
    return StageResult(_summary(names, actions, tally), _warnings(names, rows, tally))


def read_bags(folder: Path) -> list[Bag]:
    """Read bags.parquet of a film folder."""
    return [
        Bag(**{**row, "kind": EvidenceKind(row["kind"]), "tracks": tuple(row["tracks"])})
        for row in read_rows(folder / "bags.parquet", SCHEMAS["bags"])
    ]


def _cast(folder: Path) -> list[dict[str, Any]]:
    return read_rows(folder / "cast.parquet", SCHEMAS["cast"])


def _usable(
    evidence: list[dict[str, Any]], extras: set[str], settings: BagSettings, tally: Tally
) -> list[dict[str, Any]]:
    """Drop unsure evidence; extras and groups count as nobody told, actions may be the user's."""
    rows = []
    for row in evidence:
        if row["confidence"] < settings.least_confidence:
            tally.left_out["unsure"] += 1
            continue
        if row["person"] in extras:
            row = row | {"person": None}
        if row["person"] is None and row["action"] is None:
            tally.left_out["extras"] += 1
            continue
        rows.append(row)
    return rows


def _name_bags(
    rows: list[dict[str, Any]], faces: FilmTracks, speech: Speech | None, tally: Tally
) -> list[Bag]:
    rows = [row for row in rows if row["person"] is not None]
    bags: list[Bag] = []
    for row, places in zip(rows, _members(rows, faces), strict=True):
        ids = faces.track[places]
        if speech is not None and row["kind"] == EvidenceKind.LINE:
            seen, ids = len(ids), _speaking(ids, row, speech)
            if seen and not len(ids):
                tally.left_out["silent"] += 1
                continue
        bags.append(_bag(len(bags), row, ids, action=None))
    return bags


def _action_bags(rows: list[dict[str, Any]], bodies: FilmTracks, *, first: int) -> list[Bag]:
    rows = [row for row in rows if row["action"] is not None]
    members = _members(rows, bodies)
    return [
        _bag(first + number, row, bodies.track[places], action=row["action"])
        for number, (row, places) in enumerate(zip(rows, members, strict=True))
    ]


def _bag(number: int, row: dict[str, Any], ids: Array, *, action: str | None) -> Bag:
    return Bag(
        bag=number,
        evidence=row["evidence"],
        kind=EvidenceKind(row["kind"]),
        person=row["person"],
        action=action,
        tracks=tuple(ids.tolist()),
        confidence=row["confidence"],
    )


def _members(rows: list[dict[str, Any]], tracks: FilmTracks) -> list[Array]:
    starts = np.array([row["start"] for row in rows], float)
    ends = np.array([row["end"] for row in rows], float)
    return list(tracks_in_spans(tracks, starts, ends))


def _read_speech(folder: Path, settings: BagSettings) -> Speech | None:
    """Mouth scores and their cues, or None where they were not measured."""
    if not ((folder / "speaking.parquet").exists() and (folder / "cues.parquet").exists()):
        return None
    cues = read_table(folder / "cues.parquet", SCHEMAS["cues"])
    speaking = read_table(folder / "speaking.parquet", SCHEMAS["speaking"])
    place = {cue: i for i, cue in enumerate(cues.column("cue").to_pylist())}
    cue = np.array([place.get(c, -1) for c in speaking.column("cue").to_pylist()], int)
    known = cue >= 0  # a cue that is gone was measured of other subtitles
    return Speech(
        cue_start=cues.column("start").to_numpy(),
        cue_end=cues.column("end").to_numpy(),
        cue=cue[known],
        track=speaking.column("track").to_numpy()[known],
        speaks=speaking.column("score").to_numpy()[known] >= settings.speaking,
    )


def _speaking(ids: Array, row: dict[str, Any], speech: Speech) -> Array:
    """The faces among `ids` that may speak a line: those that do, and those never measured.

    A face that was not measured in the line's cues may be the one that speaks (turned away, small,
    seen before the first word), so it stays.
    """
    shared = np.minimum(speech.cue_end, row["end"]) - np.maximum(speech.cue_start, row["start"])
    # A cue belongs to the line when at least half of it lies within the line's span.
    cues = shared > 0.5 * (speech.cue_end - speech.cue_start)
    here = cues[speech.cue] & np.isin(speech.track, ids)
    silent = np.setdiff1d(speech.track[here], speech.track[here & speech.speaks])
    return ids[~np.isin(ids, silent)]


def _summary(names: Sequence[Bag], actions: Sequence[Bag], tally: Tally) -> dict[str, Any]:
    return {
        "name_bags": len(names),
        "action_bags": len(actions),
        "empty": sum(not bag.tracks for bag in [*names, *actions]),
        "left_out": dict(tally.left_out),
    }


def _warnings(names: Sequence[Bag], rows: list[dict[str, Any]], tally: Tally) -> tuple[str, ...]:
    warnings = []
    lines = sum(row["kind"] == EvidenceKind.LINE for row in rows)
    if lines and tally.left_out["silent"] > 0.8 * lines:
        warnings.append(
            f"{tally.left_out['silent']} of {lines} lines have no moving mouth in their span and"
            " make no bag; lower bags.speaking or set bags.speakers_only to false"
        )
    if rows and not any(bag.tracks for bag in names):
        warnings.append("no evidence meets a face track: nobody can be named in this film")
    if not rows:
        warnings.append("the script gives no usable evidence: every track stays background")
    return tuple(warnings)
