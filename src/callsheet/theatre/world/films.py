"""Write a world: one folder a film with the tables of the real wings, descriptors and truth."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import (
    ACTION_VOCABULARY,
    BACKGROUND,
    Progress,
    StageResult,
    no_progress,
)
from callsheet.store import SCHEMAS, write_matrix, write_table
from callsheet.theatre.world.descriptors import (
    BodyMeans,
    body_descriptors,
    body_means,
    face_descriptors,
)
from callsheet.theatre.world.settings import WorldSettings
from callsheet.theatre.world.staging import Staging, stage_film
from callsheet.theatre.world.telling import Claim, tell_film

Array = NDArray[Any]

FIRST = ("ADA", "BEN", "CLARA", "DMITRI", "ELSA", "FELIX", "GRETA", "HUGO", "IDA", "JONAS", "KIRA",
         "LEO", "MARTA", "NILS", "OLGA", "PAUL", "RUTH", "SAM", "TESS", "VIKTOR")  # fmt: skip
LAST = ("BERG", "COLE", "DRAKE", "FROST", "HALE", "KANE", "LINDT", "MOSS", "NASH", "PRICE", "REED",
        "STONE", "VALE", "WOLF")  # fmt: skip
SPEAKS, SILENT = (8.0, 3.0), (2.0, 9.0)  # Beta laws of the mouth's score


def make_world(
    folder: Path, settings: WorldSettings | None = None, progress: Progress = no_progress
) -> StageResult:
    """Write `settings.films` film folders (film-01, film-02, ...) into `folder`."""
    settings = settings or WorldSettings()
    means = body_means(settings)
    counts = dict.fromkeys(("films", "bodies", "faces", "evidence"), 0)
    sizes = _film_sizes(settings)
    for film, (place, bodies) in enumerate(zip(film_folders(folder, settings), sizes, strict=True)):
        rng = np.random.default_rng([settings.seed, film])
        written = _write_film(place, bodies, means, settings, rng)
        counts = {name: counts[name] + written[name] for name in counts}
        progress((film + 1) / settings.films)
    return StageResult(counts)


def film_folders(folder: Path, settings: WorldSettings) -> list[Path]:
    """Where the films of a world lie."""
    digits = max(2, len(str(settings.films)))
    return [folder / f"film-{film + 1:0{digits}d}" for film in range(settings.films)]


def _film_sizes(settings: WorldSettings) -> list[int]:
    """Body tracks a film, uneven like real films, summing to what was asked."""
    rng = np.random.default_rng([settings.seed, 104729])
    shares = rng.lognormal(0, 0.45, settings.films)
    floor = min(20, settings.tracks // settings.films)
    spare = settings.tracks - floor * settings.films
    ends = np.round(np.cumsum(shares) / shares.sum() * spare).astype(int)
    sizes: list[int] = (floor + np.diff(ends, prepend=0)).tolist()
    return sizes


def _write_film(
    folder: Path, bodies: int, means: BodyMeans, settings: WorldSettings, rng: np.random.Generator
) -> dict[str, int]:
    staging = stage_film(bodies, settings, rng)
    claims = tell_film(staging, settings, rng)
    names = _cast_names(settings.cast, rng)
    body_rows, face_rows = np.flatnonzero(staging.has_body), np.flatnonzero(staging.has_face)
    tracks = _tracks(staging, body_rows, face_rows, rng)
    _write(folder, "shots", _shots(staging))
    _write(folder, "tracks", tracks)
    _write(folder, "truth", _truth(staging, tracks, body_rows, face_rows, names))
    _write(folder, "cast", _cast(names, claims))
    _write(folder, "evidence", _evidence(claims, names))
    for name, columns in _speech(staging, tracks, face_rows, claims, settings, rng).items():
        _write(folder, name, columns)
    dtype = np.dtype(settings.dtype)
    faces = face_descriptors(staging, face_rows, settings, rng)
    write_matrix(folder / "faces.npy", faces.astype(dtype, copy=False))
    described = body_descriptors(staging, body_rows, means, settings, rng)
    write_matrix(folder / "bodies.npy", described.astype(dtype, copy=False))
    return {"films": 1, "bodies": bodies, "faces": len(face_rows), "evidence": len(claims)}


def _write(folder: Path, name: str, columns: Mapping[str, Any]) -> None:
    write_table(folder / f"{name}.parquet", SCHEMAS[name], columns)


def _cast_names(cast: int, rng: np.random.Generator) -> list[str]:
    first = rng.permutation(len(FIRST))
    last = rng.permutation(len(LAST))
    return [_cast_name(i, first, last) for i in range(cast)]


def _cast_name(number: int, first: Array, last: Array) -> str:
    """First names only while they last, then with family names, then with numbers."""
    given, turn = FIRST[first[number % len(FIRST)]], number // len(FIRST)
    if turn == 0:
        return given
    family, again = LAST[last[(turn - 1) % len(LAST)]], (turn - 1) // len(LAST)
    return f"{given} {family}" + (f" {again + 1}" if again else "")


def _shots(staging: Staging) -> dict[str, Any]:
    return {
        "shot": np.arange(len(staging.shot_scenes)),
        "start": staging.shot_starts[:-1],
        "end": staging.shot_starts[1:],
    }


def _tracks(
    staging: Staging, body_rows: Array, face_rows: Array, rng: np.random.Generator
) -> dict[str, Any]:
    """Bodies first, then faces; a face spans the middle of its body's track."""
    body_ids = np.full(len(staging.shot), -1)
    face_ids = body_ids.copy()
    body_ids[body_rows] = np.arange(len(body_rows))
    face_ids[face_rows] = len(body_rows) + np.arange(len(face_rows))
    rows = np.concatenate([body_rows, face_rows])
    is_face = np.arange(len(rows)) >= len(body_rows)
    start, end = staging.start[rows], staging.end[rows]
    trim = np.where(is_face, 0.15 * rng.random(len(rows)), 0.0) * (end - start)
    linked = np.where(is_face, body_ids[rows], face_ids[rows])
    return {
        "track": np.arange(len(rows)),
        "kind": np.where(is_face, "face", "body"),
        "shot": staging.shot[rows],
        "start": start + trim,
        "end": end - trim,
        "best_time": 0.5 * (start + end),
        "quality": rng.beta(6, 2, len(rows)),
        "linked": _nullable(linked),
        "row": np.concatenate([np.arange(len(body_rows)), np.arange(len(face_rows))]),
    }


def _nullable(ids: Array) -> list[int | None]:
    return [None if i < 0 else i for i in ids.tolist()]


def _truth(
    staging: Staging,
    tracks: Mapping[str, Any],
    body_rows: Array,
    face_rows: Array,
    names: list[str],
) -> dict[str, Any]:
    rows = np.concatenate([body_rows, face_rows])
    persons = np.array([*names, BACKGROUND], dtype=object)
    actions = np.array(ACTION_VOCABULARY.names, dtype=object)
    columns = {name: tracks[name] for name in ("track", "kind", "start", "end")}
    return columns | {
        "person": persons[np.minimum(staging.person[rows], staging.cast)],
        "action": actions[staging.action[rows]],
    }


def _cast(names: list[str], claims: list[Claim]) -> dict[str, Any]:
    told = {kind: [0] * len(names) for kind in ("line", "mention", "statement")}
    for claim in claims:
        if claim.person is not None:
            told[claim.kind][claim.person] += 1
    return {
        "person": [*names, "PASSER-BY"],
        "aliases": [[]] * (len(names) + 1),
        "actor": [None] * (len(names) + 1),
        "background": [False] * len(names) + [True],
        "lines": [*told["line"], 0],
        "words": [*(8 * n for n in told["line"]), 0],
        "mentions": [*told["mention"], 0],
    }


def _evidence(claims: list[Claim], names: list[str]) -> dict[str, Any]:
    return {
        "evidence": np.arange(len(claims)),
        "kind": [claim.kind for claim in claims],
        "start": [claim.start for claim in claims],
        "end": [claim.end for claim in claims],
        "person": [None if claim.person is None else names[claim.person] for claim in claims],
        "action": [ACTION_VOCABULARY.names[c.action] if c.action else None for c in claims],
        "source_line": 1 + 2 * np.arange(len(claims)),
        "rule": ["world"] * len(claims),
        "confidence": np.ones(len(claims)),
        "text": [_words(claim, names) for claim in claims],
    }


def _words(claim: Claim, names: list[str]) -> str:
    who = "Somebody" if claim.person is None else names[claim.person]
    if claim.kind == "line":
        return f"{who}: ..."
    return (
        f"{who}: {ACTION_VOCABULARY.names[claim.action]}." if claim.action else f"{who} is there."
    )


def _speech(
    staging: Staging,
    tracks: Mapping[str, Any],
    face_rows: Array,
    claims: list[Claim],
    settings: WorldSettings,
    rng: np.random.Generator,
) -> dict[str, dict[str, Any]]:
    """A cue for every line, and how the mouth of each face moves during it.

    During some lines it is another's mouth that moves: a listener laughs, chews or answers.
    """
    (fooling,) = rng.spawn(1)  # beside the film's own numbers, which stay what they were
    lines = [claim for claim in claims if claim.kind == "line"]
    bodies = len(tracks["track"]) - len(face_rows)
    starts, ends = tracks["start"][bodies:], tracks["end"][bodies:]
    cues, faces, scores = [], [], []
    for cue, line in enumerate(lines):
        seen = np.flatnonzero((starts < line.end) & (ends > line.start))
        fooled = int(fooling.choice(seen)) if len(seen) else -1
        wrong = fooling.random() < settings.wrong_mouths
        for face in seen:
            speaks = face == fooled if wrong else staging.person[face_rows[face]] == line.person
            cues.append(cue)
            faces.append(bodies + int(face))
            scores.append(float(rng.beta(*(SPEAKS if speaks else SILENT))))
    return {
        "cues": {
            "cue": np.arange(len(lines)),
            "start": [line.start for line in lines],
            "end": [line.end for line in lines],
            "text": ["..."] * len(lines),
            "speaker": [None] * len(lines),
            "sound": [False] * len(lines),
        },
        "speaking": {"cue": cues, "track": faces, "score": scores},
    }
