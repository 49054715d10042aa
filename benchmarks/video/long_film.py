"""Memory of the descriptors' last step on a film of three hours, from simulated tables and parts.

    python benchmarks/video/long_film.py [HOURS]

Simulated: two faces and two bodies in every frame, shots of three seconds, a hundred trajectories
a frame. What is real: the plan that is read from the tables, the parts on disk, and the code that
makes faces.npy, bodies.npy, mouths and tracks of them. Pictures take no more memory in a long
film than in a short one (`callsheet bench video` prints how much), so the sum of both is the
film's need.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from callsheet.store import SCHEMAS, write_rows, write_table
from callsheet.video.describing.assembling import (
    write_bodies,
    write_faces,
    write_mouths,
    write_tracks,
)
from callsheet.video.describing.crew import Crew
from callsheet.video.describing.parts import FilmParts
from callsheet.video.describing.plan import Plan, read_plan
from callsheet.video.settings import FeatureSettings
from callsheet.video.shelf import Part, PartShelf

RATE, SHOT_FRAMES, EVERY, TRAJECTORIES = 24, 72, 5, 100
KINDS = ("face", "face", "body", "body")
WIDTHS = {"hof": 512, "mbhx": 512, "mbhy": 512, "appearance": 1280}


def main(hours: float) -> None:
    """Make the tables and parts, assemble them, print the memory on the way."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="callsheet-long-") as scratch:
        folder = Path(scratch)
        _write_tables(folder, round(hours * 3600 * RATE / SHOT_FRAMES))
        plan = read_plan(folder, FeatureSettings())
        for what in (plan.faces, plan.mouths, plan.bodies, plan.looks, plan.thumbnails):
            len(what)
        _tell(f"{hours:g} h planned, {len(plan.boxes)} boxes", start)
        parts = FilmParts(PartShelf(folder / "parts", "simulated"), _parts(hours))
        for part, given in _given(plan, parts):
            parts.shelf.put(part, given)
        _tell(f"{len(parts.parts)} parts written", start)
        crew = Crew((), 128, WIDTHS)
        faces, bodies = (make(folder, plan, crew, parts) for make in (write_faces, write_bodies))
        write_mouths(folder, parts, measured=True)
        write_tracks(folder, plan, faces, bodies)
        trajectories = len(parts.parts) * 60 * RATE * TRAJECTORIES
        _tell(f"assembled, {trajectories} trajectories", start)


def _tell(what: str, start: float) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{what}: {time.perf_counter() - start:.0f} s, {peak:.0f} MiB at most so far")


def _write_tables(folder: Path, shots: int) -> None:
    tracks = [
        {"track": 4 * s + n, "kind": kind, "shot": s, "start": 3.0 * s, "end": 3.0 * s + 3,
         "best_time": 3.0 * s + 1, "quality": 0.5, "linked": None, "row": None}
        for s in range(shots) for n, kind in enumerate(KINDS)
    ]  # fmt: skip
    write_rows(folder / "tracks.parquet", SCHEMAS["tracks"], tracks)
    ids = np.arange(4 * shots)
    _write_frames(folder, "boxes", ids, 1)
    _write_frames(folder, "landmarks", ids[ids % 4 < 2], EVERY)


def _write_frames(folder: Path, name: str, tracks: Any, every: int) -> None:
    """One row a track and every n-th of its frames; places are drawn evenly."""
    rng = np.random.default_rng(0)
    offsets = np.arange(0, SHOT_FRAMES, every)
    frames = (tracks[:, None] // 4 * SHOT_FRAMES + offsets).ravel()
    known = {"track": np.repeat(tracks, len(offsets)), "frame": frames, "time": frames / RATE}
    columns = {
        c: known.get(c, rng.uniform(1, 100, len(frames))) for c in SCHEMAS[name].column_names
    }
    write_table(folder / f"{name}.parquet", SCHEMAS[name], columns)


def _parts(hours: float) -> list[Part]:
    return [Part(n, 60.0 * n, 60.0 * n + 60) for n in range(round(60 * hours))]


def _given(plan: Plan, parts: FilmParts) -> Iterator[tuple[Part, dict[str, Any]]]:
    """What each part would have given."""
    rng = np.random.default_rng(1)
    faces = np.array_split(plan.tracks.ids[plan.tracks.is_face], len(parts.parts))
    bodies = np.array_split(plan.tracks.ids[~plan.tracks.is_face], len(parts.parts))
    count, seen = 60 * RATE * TRAJECTORIES, 2 * 60 * RATE
    for part, its_faces, its_bodies in zip(parts.parts, faces, bodies, strict=True):
        yield (
            part,
            {
                "motion.track": rng.choice(its_bodies, count),
                **{f"motion.{c}": rng.integers(0, 512, count) for c in ("hof", "mbhx", "mbhy")},
                "appearance.track": its_bodies,
                "appearance.sum": rng.random((len(its_bodies), 1280), np.float32),
                "faces.track": np.repeat(its_faces, 5),
                "faces.vector": rng.random((5 * len(its_faces), 128), np.float32),
                "mouths.track": rng.choice(its_faces, seen),
                "mouths.time": part.start + np.arange(seen) / (2 * RATE),
                "mouths.motion": rng.random(seen),
            },
        )


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
