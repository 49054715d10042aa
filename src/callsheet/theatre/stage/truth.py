"""Gathers what the frames truly show into tracks, and writes the tables of the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from callsheet.core import BACKGROUND, Shot, Span, Track, TrackKind
from callsheet.store import write_items, write_rows
from callsheet.store.schemas import BOXES, SHOTS, TRACKS, TRUTH
from callsheet.theatre.stage.frames import Seen
from callsheet.theatre.stage.plot import Person
from callsheet.theatre.stage.shot import FPS
from callsheet.theatre.stage.shot import Shot as Take

_BRIDGE = 12  # frames out of sight that do not end a track
_SHORTEST = 6  # frames a track must have

Box = tuple[float, float, float, float]


@dataclass(slots=True)
class _True:
    kind: TrackKind
    shot: int
    person: int
    action: str
    boxes: dict[int, Box] = field(default_factory=dict)

    def span(self) -> Span:
        return Span(min(self.boxes) / FPS, (max(self.boxes) + 1) / FPS)


@dataclass(slots=True)
class Truth:
    """Collects the frames of a film in order; `write` makes the tables."""

    shots: list[Span] = field(default_factory=list)
    tracks: list[_True] = field(default_factory=list)
    _open: dict[tuple[TrackKind, int], _True] = field(default_factory=dict)
    _frame: int = 0

    def begin_shot(self, take: Take) -> None:
        self._open.clear()
        self.shots.append(Span(self._frame / FPS, (self._frame + take.frames) / FPS))

    def see(self, take: Take, seen: Sequence[Seen]) -> None:
        """Note what the next frame shows."""
        actions = {player.person: player.action for player in take.players}
        for one in seen:
            for kind, box in ((TrackKind.FACE, one.face), (TrackKind.BODY, one.body)):
                if box is not None:
                    self._track(kind, one.person, actions[one.person]).boxes[self._frame] = box
        self._frame += 1

    def _track(self, kind: TrackKind, person: int, action: str) -> _True:
        track = self._open.get((kind, person))
        if track is None or self._frame - max(track.boxes) > _BRIDGE:
            track = _True(kind, len(self.shots) - 1, person, action)
            self._open[kind, person] = track
            self.tracks.append(track)
        return track

    def write(self, folder: Path, company: Sequence[Person]) -> dict[str, int]:
        """Write shots, tracks, boxes and truth; returns counts."""
        kept = [t for t in self.tracks if len(t.boxes) >= _SHORTEST]
        write_items(folder / "shots.parquet", SHOTS, [Shot(n, s) for n, s in enumerate(self.shots)])
        write_items(
            folder / "tracks.parquet", TRACKS, [_table_track(n, kept) for n in range(len(kept))]
        )
        write_rows(
            folder / "boxes.parquet",
            BOXES,
            [row for n, t in enumerate(kept) for row in _boxes(n, t)],
        )
        write_rows(
            folder / "truth.parquet", TRUTH, [_row(n, t, company) for n, t in enumerate(kept)]
        )
        named = [t for t in kept if company[t.person].name is not None]
        return {
            "shots": len(self.shots),
            "tracks": len(kept),
            "named_tracks": len(named),
            "actions": sum(t.action != BACKGROUND and t.kind is TrackKind.BODY for t in kept),
        }


def _table_track(number: int, tracks: Sequence[_True]) -> Track:
    track = tracks[number]
    others = [
        (track.span().overlap(other.span()), k)
        for k, other in enumerate(tracks)
        if other.kind is not track.kind and (other.shot, other.person) == (track.shot, track.person)
    ]
    linked = max(others)[1] if others else None
    best = max(track.boxes, key=lambda frame: track.boxes[frame][2] * track.boxes[frame][3])
    return Track(number, track.kind, track.shot, track.span(), best / FPS, 1.0, linked, None)


def _boxes(number: int, track: _True) -> list[dict[str, float]]:
    return [
        {"track": number, "time": frame / FPS, "frame": frame, "x": x, "y": y, "w": w, "h": h,
         "confidence": 1.0}
        for frame, (x, y, w, h) in sorted(track.boxes.items())
    ]  # fmt: skip


def _row(number: int, track: _True, company: Sequence[Person]) -> dict[str, object]:
    span = track.span()
    name = company[track.person].name
    return {"track": number, "kind": track.kind.value, "start": span.start, "end": span.end,
            "person": name or BACKGROUND, "action": track.action}  # fmt: skip
