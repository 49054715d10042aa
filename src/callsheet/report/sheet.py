"""A film's call sheet: its tracks with boxes, names and actions, as exports and pages read it.

Read once from the film's folder; every format and page is written from it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import ACTIONS, BACKGROUND, Span, TrackKind
from callsheet.store import SCHEMAS, read_rows, read_table


@dataclass(frozen=True, slots=True)
class Picture:
    """What the video is: size in pixels, frames a second (exact), frames, seconds."""

    width: int
    height: int
    rate: Fraction
    frames: int
    duration: float


@dataclass(frozen=True, slots=True)
class Boxes:
    """A track's boxes in order of time; columns of equal length. `box` is x, y, w, h."""

    time: NDArray[np.float64]
    frame: NDArray[np.int32]
    box: NDArray[np.float32]
    confidence: NDArray[np.float32]

    def nearest(self, time: float) -> NDArray[np.float32]:
        """The box at the frame nearest to a time."""
        row: NDArray[np.float32] = self.box[int(np.abs(self.time - time).argmin())]
        return row


@dataclass(frozen=True, slots=True)
class SheetTrack:
    """A track with its labels. `person` and `action` None: abstained or not asked."""

    track: int
    kind: TrackKind
    shot: int
    span: Span
    best_time: float
    linked: int | None
    boxes: Boxes
    person: str | None = None
    person_score: float | None = None
    person_margin: float | None = None
    person_reasons: tuple[int, ...] = ()
    action: str | None = None
    action_score: float | None = None
    action_margin: float | None = None
    action_reasons: tuple[int, ...] = ()

    @property
    def name(self) -> str | None:
        """The person, if one of the cast."""
        return None if self.person == BACKGROUND else self.person

    @property
    def deed(self) -> str | None:
        """The action, if one of the vocabulary's."""
        return None if self.action == BACKGROUND else self.action


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything that is known of one film's people. `actions` are those of its library, in an
    order that is the same for all its films.
    """

    film: str
    picture: Picture
    tracks: tuple[SheetTrack, ...]
    actions: tuple[str, ...] = ACTIONS

    def of_kind(self, kind: TrackKind) -> tuple[SheetTrack, ...]:
        return tuple(t for t in self.tracks if t.kind is kind)

    def people(self) -> tuple[SheetTrack, ...]:
        """One track a person and moment: body tracks, and faces that no body shows."""
        return tuple(t for t in self.tracks if t.kind is TrackKind.BODY or t.linked is None)


def read_sheet(film: str, folder: Path, own_actions: Iterable[str] = ()) -> Sheet:
    """Read a film's tracks, boxes and labels; `own_actions` are the library's beside ours."""
    labels = {row["track"]: row for row in read_rows(folder / "labels.parquet", SCHEMAS["labels"])}
    boxes = boxes_by_track(folder)
    tracks = tuple(
        _track(row, boxes[row["track"]], labels.get(row["track"], {}))
        for row in read_rows(folder / "tracks.parquet", SCHEMAS["tracks"])
        if row["track"] in boxes
    )
    others = {*own_actions, *(t.deed for t in tracks if t.deed)} - set(ACTIONS)
    return Sheet(film, read_picture(folder), tracks, (*ACTIONS, *sorted(others)))


def read_picture(folder: Path) -> Picture:
    row = read_rows(folder / "stream.parquet", SCHEMAS["stream"])[0]
    rate = Fraction(row["rate_numerator"], row["rate_denominator"])
    return Picture(row["width"], row["height"], rate, row["frames"], row["duration"])


def boxes_by_track(folder: Path) -> dict[int, Boxes]:
    """Every track's boxes, split out of the table in one sort."""
    table = read_table(folder / "boxes.parquet", SCHEMAS["boxes"])
    columns = {name: table.column(name).to_numpy() for name in table.column_names}
    order = np.lexsort((columns["time"], columns["track"]))
    columns = {name: values[order] for name, values in columns.items()}
    ids, starts = np.unique(columns["track"], return_index=True)
    box = np.stack([columns[side] for side in "xywh"], axis=1)
    pieces = zip(ids, starts, np.append(starts[1:], len(order))[: len(ids)], strict=True)
    return {int(i): _boxes(columns, box, slice(a, b)) for i, a, b in pieces}


def _boxes(columns: dict[str, NDArray[Any]], box: NDArray[Any], rows: slice) -> Boxes:
    return Boxes(
        columns["time"][rows], columns["frame"][rows], box[rows], columns["confidence"][rows]
    )


def _track(row: dict[str, Any], boxes: Boxes, label: dict[str, Any]) -> SheetTrack:
    given = {name: value for name, value in label.items() if name != "track"}
    for reasons in ("person_reasons", "action_reasons"):
        given[reasons] = tuple(given.get(reasons) or ())
    return SheetTrack(
        row["track"],
        TrackKind(row["kind"]),
        row["shot"],
        Span(row["start"], row["end"]),
        row["best_time"],
        row["linked"],
        boxes,
        **given,
    )


@dataclass(frozen=True, slots=True)
class Presence:
    """Somebody is on screen (doing something) during a span."""

    span: Span
    name: str
    score: float
    tracks: tuple[int, ...]


def presences(tracks: Iterable[SheetTrack], what: str, *, gap: float = 0.0) -> list[Presence]:
    """Spans of each person (`what` = "name") or action ("deed"), joined over `gap` seconds."""
    found: dict[str, list[SheetTrack]] = {}
    for track in tracks:
        if (name := getattr(track, what)) is not None:
            found.setdefault(name, []).append(track)
    score = "person_score" if what == "name" else "action_score"
    joined = [p for name, of in found.items() for p in _joined(name, of, score, gap)]
    return sorted(joined, key=lambda p: (p.span, p.name))


def _joined(name: str, tracks: list[SheetTrack], score: str, gap: float) -> list[Presence]:
    result: list[Presence] = []
    for track in sorted(tracks, key=lambda t: t.span):
        value = getattr(track, score) or 0.0
        last = result[-1] if result else None
        if last is not None and track.span.start <= last.span.end + gap:
            both = (*last.tracks, track.track)
            result[-1] = Presence(last.span.hull(track.span), name, max(last.score, value), both)
        else:
            result.append(Presence(track.span, name, value, (track.track,)))
    return result
