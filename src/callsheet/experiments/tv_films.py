"""Film folders made of real TV episodes: real face tracks, script, subtitles, cuts and truth.

Of an episode's files we take every face track with its boxes, head turn (pan), mouth motion and
true name, the subtitles, the transcript and the cuts. The script wing aligns the transcript and
makes the evidence; mouths and bags go through the stages a user's film goes through. There are
no pictures, so descriptors are *simulated*: see `simulated_faces`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.bags import make_bags
from callsheet.core import BACKGROUND, Evidence, Vocabulary
from callsheet.errors import InputError
from callsheet.store import SCHEMAS, write_items, write_matrix, write_rows, write_table
from callsheet.text import align, find_cast, find_evidence
from callsheet.text.measures.episodes import Episode, find_episodes, read_cuts, read_episode
from callsheet.video.settings import SpeakingSettings
from callsheet.video.speaking import make_speaking

Array = NDArray[Any]

FRAME = 1 / 25
ALONE = -1  # a track without a thread
HALF_STRENGTH = 0.002
"""Mouth motion that counts as half sure, in the unit of the files: about their median deviation."""


@dataclass(frozen=True, slots=True)
class FaceLook:
    """How the simulated descriptor of a face comes about; noise has unit scale."""

    dimension: int = 128
    separation: float = 11.0  # length of a person's mean
    profile: float = 3.0  # length of what all faces in profile share
    thread_share: float = 0.3  # of the variance: light and camera, shared by a thread of shots
    frontal_noise: float = 0.5  # extra, of one second of a large face seen from the front
    profile_noise: float = 2.0  # the same of one seen from the side
    seed: int = 0


@dataclass(frozen=True, slots=True)
class FaceTrack:
    """One real face track; arrays have one entry a frame."""

    track: int
    person: str
    times: Array
    pan: Array  # degrees, 0: seen from the front
    size: Array  # pixels
    motions: Array  # of the mouth, NaN where it was not measured
    thread: int  # of shots with one camera


def television(folder: Path, made: Path, look: FaceLook | None = None) -> list[Path]:
    """Write a film folder into `made` for each episode in `folder`; return the film folders."""
    look = look or FaceLook()
    return [_make_film(source, made / source.name, look) for source in find_episodes(folder)]


def read_face_tracks(source: Path) -> list[FaceTrack]:
    """Read the face tracks of an episode, in the order of the file."""
    tracks = _content(source, "facetracks", "FaceTracks")
    threads = _content(source, "track_threads", "track_in_thread").astype(int)
    if len(threads) != len(tracks):
        raise InputError(f"{source}: {len(tracks)} face tracks, but threads of {len(threads)}")
    pairs = zip(tracks, threads, strict=True)
    return [_face_track(i, entry, int(thread)) for i, (entry, thread) in enumerate(pairs)]


def simulated_faces(tracks: Sequence[FaceTrack], look: FaceLook) -> Array:
    """Descriptors (tracks, dimension): a person's mean, a shared profile, noise by pose and size.

    A face turned away carries less of its person and more of what all profiles have in common;
    its noise grows with the turn, falls with the root of the seconds seen and the face's size.
    Faces without a name are somebody else in every thread of shots.
    """
    rng = np.random.default_rng(look.seed)
    persons = _rows_of([t.person or f"? {t.thread} {t.track if t.thread < 0 else ''}"
                        for t in tracks])  # fmt: skip
    turn = np.array([np.mean(np.sin(np.radians(np.minimum(np.abs(t.pan), 90)))) for t in tracks])
    side = np.array([int(np.mean(t.pan) > 0) for t in tracks])
    seconds = np.array([max(len(t.times) * FRAME, FRAME) for t in tracks])
    small = np.sqrt(100 / np.array([max(float(np.median(t.size)), 1.0) for t in tracks]))
    means, profiles = _unit(rng, persons.max() + 1, look), _unit(rng, 2, look)
    seen = look.separation * (1 - 0.5 * turn)[:, None] * means[persons]
    seen += look.profile * turn[:, None] * profiles[side]
    seen += np.sqrt(look.thread_share) * _shared(rng, tracks, persons, look.dimension)
    extra = (look.frontal_noise + (look.profile_noise - look.frontal_noise) * turn) * small
    scale = np.sqrt(1 - look.thread_share + extra**2 / seconds)
    seen += scale[:, None] * rng.standard_normal(seen.shape)
    faces: Array = (seen / np.linalg.norm(seen, axis=1, keepdims=True)).astype(np.float32)
    return faces


def _shared(rng: Any, tracks: Sequence[FaceTrack], persons: Array, dimension: int) -> Array:
    """Noise that a person's tracks of one thread share."""
    keys = [f"{t.thread} {p}" if t.thread != ALONE else f"alone {t.track}"
            for t, p in zip(tracks, persons, strict=True)]  # fmt: skip
    rows = _rows_of(keys)
    noise: Array = rng.standard_normal((rows.max() + 1, dimension))[rows]
    return noise


def _unit(rng: Any, count: int, look: FaceLook) -> Array:
    vectors = rng.standard_normal((count, look.dimension))
    unit: Array = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def _rows_of(keys: Sequence[str]) -> Array:
    rows: Array = np.unique(np.array(keys), return_inverse=True)[1]
    return rows


def _face_track(number: int, entry: Any, thread: int) -> FaceTrack:
    name = str(entry.groundTruthIdentity)
    return FaceTrack(
        track=number,
        # A double with the same face ("xander2") is, for faces and script, the same person.
        person="" if name in ("unknown", "IGNORE", "[]") else name.rstrip("0123456789"),
        times=_numbers(entry.timestamps),
        pan=_numbers(entry.pan),
        size=_numbers(entry.w),
        motions=_numbers(entry.lip_diff),
        thread=thread - 1 if thread > 0 else ALONE,
    )


def _numbers(entry: Any) -> Array:
    return np.atleast_1d(entry).astype(float)


def _content(source: Path, kind: str, name: str) -> Any:
    from scipy.io import loadmat

    path = source / f"{source.name}.{kind}.mat"
    if not path.is_file():
        raise InputError(f"{path} is not there; an episode's folder has it")
    return np.atleast_1d(loadmat(path, squeeze_me=True, struct_as_record=False)[name])


def _make_film(source: Path, folder: Path, look: FaceLook) -> Path:
    episode, tracks, cuts = read_episode(source), read_face_tracks(source), read_cuts(source)
    evidence = _evidence(episode, cuts)
    persons = sorted({e.person for e in evidence if e.person})
    write_items(folder / "evidence.parquet", SCHEMAS["evidence"], evidence)
    write_items(folder / "cues.parquet", SCHEMAS["cues"], episode.subtitles.cues)
    _write_tracks(folder, tracks, cuts)
    _write_people(folder, tracks, Vocabulary.of(persons))
    write_matrix(folder / "faces.npy", simulated_faces(tracks, look))
    make_speaking(folder, SpeakingSettings(half_strength=HALF_STRENGTH))
    make_bags(folder)
    return folder


def _evidence(episode: Episode, cuts: list[float]) -> list[Evidence]:
    """Who speaks when, as the script wing finds it, in the names that the truth uses."""
    alignment = align(episode.screenplay, episode.subtitles, cuts=cuts)
    found = find_evidence(episode.screenplay, alignment, find_cast(episode.screenplay))
    named = [(e, episode.cast_name(e.person)) for e in found]
    return [replace(e, person=name) for e, name in named if name is not None]


def _write_tracks(folder: Path, tracks: Sequence[FaceTrack], cuts: list[float]) -> None:
    start = np.array([t.times[0] for t in tracks])
    columns = {
        "track": [t.track for t in tracks],
        "kind": ["face"] * len(tracks),
        "shot": np.searchsorted(np.sort(cuts), start + FRAME / 2),
        "start": start,
        "end": np.array([t.times[-1] + FRAME for t in tracks]),
        "best_time": [float(t.times[np.argmin(np.abs(t.pan))]) for t in tracks],
        "quality": np.ones(len(tracks)),
        "linked": [None] * len(tracks),
        "row": np.arange(len(tracks)),
    }
    write_table(folder / "tracks.parquet", SCHEMAS["tracks"], columns)
    mouths = [
        {"track": t.track, "time": float(time), "motion": abs(float(motion))}
        for t in tracks
        for time, motion in zip(t.times, t.motions, strict=True)
        if np.isfinite(motion)
    ]
    write_rows(folder / "mouths.parquet", SCHEMAS["mouths"], mouths)


def _write_people(folder: Path, tracks: Sequence[FaceTrack], persons: Vocabulary) -> None:
    """The cast that the script names, and the truth; a face it never names is background."""
    cast: list[dict[str, Any]] = [
        {"person": name, "aliases": [], "actor": None, "background": False, "lines": 0,
         "words": 0, "mentions": 0}
        for name in persons.names[1:]
    ]  # fmt: skip
    truth = [
        {"track": t.track, "kind": "face", "start": t.times[0], "end": t.times[-1] + FRAME,
         "person": t.person if t.person in persons else BACKGROUND, "action": BACKGROUND}
        for t in tracks
    ]  # fmt: skip
    write_rows(folder / "cast.parquet", SCHEMAS["cast"], cast)
    write_rows(folder / "truth.parquet", SCHEMAS["truth"], truth)
