"""The tables of the stage `tracks`, filled shot by shot."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import Span, Track, TrackKind
from callsheet.store import SCHEMAS, write_items, write_rows, write_table
from callsheet.video.detection import LANDMARKS
from callsheet.video.geometry import clipped
from callsheet.video.linking import link_faces
from callsheet.video.together import seen_together
from callsheet.video.tracking.finishing import Finishing, finished
from callsheet.video.tracking.quality import qualities, track_quality
from callsheet.video.tracking.shots import ShotTracklets
from callsheet.video.tracking.tracklet import Tracklet

_DESCRIBED = ("faces.npy", "bodies.npy", "mouths.parquet")
"""What the stages after this one wrote of tracks that are no more."""

Columns = dict[str, list[NDArray[Any]]]


class TrackTables:
    """Collects tracks of one film (displayed `width` x `height`) and writes them at the end."""

    def __init__(self, width: int, height: int) -> None:
        self._size = (width, height)
        self._tracks: list[Track] = []
        self._together: list[dict[str, Any]] = []
        self._boxes: Columns = {c: [] for c in SCHEMAS["boxes"].column_names}
        self._landmarks: Columns = {c: [] for c in SCHEMAS["landmarks"].column_names}

    def add(self, shot: ShotTracklets, finishing: Finishing, *, link_overlap: float) -> None:
        """Finish a shot's tracklets and take in its tracks."""
        found = {
            kind: finished(tracklets, kind, clock=shot.clock, finishing=finishing)
            for kind, tracklets in shot.tracklets.items()
        }
        faces, bodies = found[TrackKind.FACE], found[TrackKind.BODY]
        links = link_faces(faces, bodies, least=link_overlap)
        first_face = len(self._tracks)
        first_body = first_face + len(faces)
        body_of = {first_face + f: first_body + b for f, b in links.items()}
        linked = body_of | {body: face for face, body in body_of.items()}
        for kind, tracks in found.items():
            self._note_together(tracks, shot)
            for track in tracks:
                self._append(track, kind, shot, linked)

    def write(self, folder: Path) -> None:
        """Write the tables; tracks last, so that whoever finds them finds the others too.

        Tracks of an earlier run go first, with all that was described of them: a kill in between
        must not leave them beside boxes that are not theirs.
        """
        _forget_tracks(folder)
        for name, columns in (("boxes", self._boxes), ("landmarks", self._landmarks)):
            whole: dict[str, Any] = {c: np.concatenate(v) if v else [] for c, v in columns.items()}
            write_table(folder / f"{name}.parquet", SCHEMAS[name], whole)
        write_rows(folder / "together.parquet", SCHEMAS["together"], self._together)
        write_items(folder / "tracks.parquet", SCHEMAS["tracks"], self._tracks)

    def summary(self) -> dict[str, int]:
        """Counts for the stage's report."""
        faces = [t for t in self._tracks if t.kind is TrackKind.FACE]
        return {
            "faces": len(faces),
            "bodies": len(self._tracks) - len(faces),
            "linked": sum(t.linked is not None for t in faces),
            "boxes": sum(len(frames) for frames in self._boxes["frame"]),
        }

    def _append(
        self, track: Tracklet, kind: TrackKind, shot: ShotTracklets, linked: dict[int, int]
    ) -> None:
        track = track.with_boxes(clipped(track.boxes, *self._size))
        number = len(self._tracks)
        of_frames = qualities(track, kind)
        span = Span(float(track.times[0]), shot.clock.end_of(int(track.frames[-1])))
        self._tracks.append(
            Track(
                number, kind, shot.shot, span, float(track.times[of_frames.argmax()]),
                track_quality(of_frames), linked.get(number),
            )
        )  # fmt: skip
        self._append_boxes(number, track)
        if kind is TrackKind.FACE:
            self._append_landmarks(number, track.part(track.detected), of_frames[track.detected])

    def _append_boxes(self, number: int, track: Tracklet) -> None:
        rows = {
            "track": np.full(len(track), number),
            "time": track.times,
            "frame": track.frames,
            **dict(zip("xywh", track.boxes.T, strict=True)),
            "confidence": track.confidences,
        }
        _extend(self._boxes, rows)

    def _append_landmarks(self, number: int, seen: Tracklet, quality: NDArray[Any]) -> None:
        names = [f"{point}_{axis}" for point in LANDMARKS for axis in "xy"]
        rows = {
            "track": np.full(len(seen), number),
            "time": seen.times,
            "frame": seen.frames,
            **dict(zip(names, seen.landmarks.reshape(-1, 10).T, strict=True)),
            "confidence": seen.confidences,
            "sharpness": seen.sharpness,
            "quality": quality,
        }
        _extend(self._landmarks, rows)

    def _note_together(self, tracks: list[Tracklet], shot: ShotTracklets) -> None:
        """Pairs of one kind; called before these tracks get their numbers."""
        first = len(self._tracks)
        step = (shot.clock.end - float(shot.clock.times[0])) / len(shot.clock.times)
        self._together += [
            {"first": first + i, "second": first + j, "seconds": frames * step}
            for i, j, frames in seen_together(tracks)
        ]


def _forget_tracks(folder: Path) -> None:
    for name in ("tracks.parquet", *_DESCRIBED):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / "thumbnails", ignore_errors=True)


def _extend(columns: Columns, rows: dict[str, NDArray[Any]]) -> None:
    for name, values in rows.items():
        columns[name].append(values)
