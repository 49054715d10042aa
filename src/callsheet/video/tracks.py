"""The stage `tracks`: a video in, the tables tracks, boxes, landmarks and together out.

The film is decoded once. Pieces of shots are followed (`tracking.pieces`) and kept on the way in
a partial folder; at the end the tracklets of each shot become tracks (`tracking.finishing`),
faces are linked to bodies, and the tables are written.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from fractions import Fraction
from itertools import groupby
from pathlib import Path

from callsheet.core import Progress, Shot, Span, StageResult, TrackKind, no_progress
from callsheet.errors import SettingsError
from callsheet.store import SCHEMAS, file_fingerprint, read_rows, value_fingerprint
from callsheet.video.detection import detector_files, face_detector, person_detector
from callsheet.video.models import file_sha256
from callsheet.video.settings import ShotSettings, TrackSettings
from callsheet.video.shots import make_shots
from callsheet.video.stream import FilmStream, Frame, open_film
from callsheet.video.track_tables import TrackTables
from callsheet.video.tracking.chunks import Chunks
from callsheet.video.tracking.finishing import Finishing
from callsheet.video.tracking.pieces import Followed, Follower, Piece, Sight, pieces_of
from callsheet.video.tracking.shots import shots_of
from callsheet.video.tracking.tracker import Following

_WAY = 1
"""Raise when the following changes, so that half-done work of another way is not gone on with."""
_KEEP_EVERY = 30.0
"""Seconds of film after which finished pieces are written."""
_PROGRESS_EVERY = 50
_SHOTS_SHARE = 0.1
"""Of the whole work, where the shots are looked for first."""
_JUST_AFTER = Fraction(1, 1_000_000)
_PATIENCE_SECONDS = 0.2
_PATIENCE_LOOKS = 2.5
"""A target may be missed for this long, or for two looks of the detector, before it ends."""


def make_tracks(
    video: Path,
    folder: Path,
    settings: TrackSettings | None = None,
    progress: Progress = no_progress,
) -> StageResult:
    """Write tracks, boxes, landmarks and together; `shots.parquet` too where it is missing."""
    settings = settings or TrackSettings()
    if not (settings.faces or settings.bodies):
        raise SettingsError("faces and bodies are both off: there is nothing to look for")
    film = open_film(video)
    warnings: dict[str, None] = {}
    if not (folder / "shots.parquet").exists():
        made = make_shots(video, folder, ShotSettings(), partly(progress, 0.0, _SHOTS_SHARE))
        warnings |= dict.fromkeys(made.warnings)
        progress = partly(progress, _SHOTS_SHARE, 1.0)
    shots = _read_shots(folder)
    chunks = Chunks(folder / "tracks.partial", tuple(pieces_of(shots)))
    done = chunks.open(_mark(video, settings, chunks.pieces))
    film.go_on_from(chunks.damage())
    if done < len(chunks.pieces):
        _follow_all(film, chunks, done, settings, progress)
    tables = _finish_all(film, chunks, shots, settings)
    tables.write(folder)
    chunks.remove()
    progress(1.0)
    if film.warning:
        warnings[film.warning] = None  # said once, though both readings found it
    return StageResult(tables.summary(), tuple(warnings))


def _mark(video: Path, settings: TrackSettings, pieces: tuple[Piece, ...]) -> str:
    """Names the work: this film, these pieces, settings and networks, in this way."""
    networks = [file_sha256(path) for path in detector_files(settings)]
    named = {"way": _WAY, "video": file_fingerprint(video), "settings": asdict(settings),
             "networks": networks, "pieces": [asdict(piece) for piece in pieces]}  # fmt: skip
    return value_fingerprint(named)


def sights_of(settings: TrackSettings, rate: Fraction) -> list[Sight]:
    """What to look for, with which detector and patience."""
    sights = []
    if settings.faces:
        following_faces = following_of(settings, settings.face_confidence, rate)
        # A look at faces costs little, and faces move quickly for their size.
        sights.append(Sight(TrackKind.FACE, face_detector(settings), following_faces, eager=True))
    if settings.bodies:
        following_bodies = following_of(settings, settings.person_confidence, rate)
        sights.append(Sight(TrackKind.BODY, person_detector(settings), following_bodies))
    return sights


def following_of(settings: TrackSettings, confidence: float, rate: Fraction | float) -> Following:
    """How detections of a kind that starts at this confidence are followed."""
    patience = max(_PATIENCE_SECONDS, _PATIENCE_LOOKS * settings.every / float(rate))
    keep = confidence * settings.low_confidence
    return Following(confidence, keep, settings.overlap, patience)


def finishing_of(settings: TrackSettings) -> Finishing:
    """How tracklets become tracks."""
    # Half way between the confidence that starts a track and the one that continues it.
    share = (1 + settings.low_confidence) / 2
    sure = {
        TrackKind.FACE: settings.face_confidence * share,
        TrackKind.BODY: settings.person_confidence * share,
    }
    return Finishing(
        settings.bridge_seconds, settings.min_seconds, settings.min_detections,
        settings.smooth_seconds, sure,
    )  # fmt: skip


def partly(progress: Progress, low: float, high: float) -> Progress:
    """Tell a share of a part of the work as a share of the whole."""
    return lambda share: progress(low + (high - low) * share)


def _read_shots(folder: Path) -> list[Shot]:
    rows = read_rows(folder / "shots.parquet", SCHEMAS["shots"])
    return [Shot(row["shot"], Span(row["start"], row["end"])) for row in rows]


def _follow_all(
    film: FilmStream, chunks: Chunks, done: int, settings: TrackSettings, progress: Progress
) -> None:
    """Follow the pieces that are not done, keeping them every half minute of film."""
    frames = _watched(_frames_after(film, chunks), film.seconds, progress)
    sights = sights_of(settings, film.rate)
    pending: list[Followed] = []
    with Follower(sights, every=settings.every, height=settings.height) as follower:
        for piece, its_frames in _by_piece(frames, chunks.pieces, done):
            pending.append(follower.follow(piece, its_frames))
            if sum(p.piece.end - p.piece.start for p in pending) >= _KEEP_EVERY:
                chunks.write(done, pending, film.damage)
                done += len(pending)
                pending = []
    if pending:
        chunks.write(done, pending, film.damage)


def _frames_after(film: FilmStream, chunks: Chunks) -> Iterator[Frame]:
    """Frames behind those that were followed before a kill."""
    last = chunks.last_frame()
    if last is None:
        return film.frames()
    number, time = last
    return film.frames(start=Fraction(time) + _JUST_AFTER, first_number=number + 1)


def _by_piece(
    frames: Iterable[Frame], pieces: tuple[Piece, ...], first: int
) -> Iterator[tuple[Piece, Iterable[Frame]]]:
    """Every piece from `first` on with its frames; a piece may have none (cuts given by hand)."""
    starts = [piece.start for piece in pieces]

    def index_of(frame: Frame) -> int:
        return max(first, bisect_right(starts, frame.time) - 1)

    following = first
    for index, its_frames in groupby(frames, key=index_of):
        yield from ((pieces[i], ()) for i in range(following, index))
        yield pieces[index], its_frames
        following = index + 1
    yield from ((pieces[i], ()) for i in range(following, len(pieces)))


def _watched(frames: Iterator[Frame], seconds: float | None, progress: Progress) -> Iterator[Frame]:
    for frame in frames:
        if seconds and frame.number % _PROGRESS_EVERY == 0:
            progress(min(0.99, max(0.0, frame.time / seconds)))
        yield frame


def _finish_all(
    film: FilmStream, chunks: Chunks, shots: list[Shot], settings: TrackSettings
) -> TrackTables:
    """Make the tracks shot by shot; only one shot's rows are open at a time."""
    tables = TrackTables(film.width, film.height)
    width, height = film.size_at(settings.height)
    scale = (film.width / width, film.height / height)
    ends = {shot.shot: shot.span.end for shot in shots}
    for found in shots_of(chunks.read(), ends, scale=scale):
        tables.add(found, finishing_of(settings), link_overlap=settings.link_overlap)
    return tables
