"""Settings -> the describers of one film, with their networks and words loaded."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from callsheet.core import Span
from callsheet.video.appearance.looking import PLAIN, Looker
from callsheet.video.clips.network import clip_network
from callsheet.video.describing.of_bodies import AppearanceDescriber, MotionDescriber
from callsheet.video.describing.of_clips import ClipDescriber, clip_rows
from callsheet.video.describing.of_faces import FaceDescriber, MouthDescriber
from callsheet.video.describing.of_shots import ShotPictures
from callsheet.video.describing.of_thumbnails import ThumbnailWriter
from callsheet.video.describing.plan import Plan
from callsheet.video.describing.sight import Describer
from callsheet.video.models import InputRecipe, model_path
from callsheet.video.network import picture_network
from callsheet.video.settings import FeatureSettings
from callsheet.video.stream import FilmStream
from callsheet.video.trajectories.tracer import CHANNELS, TraceRules
from callsheet.video.trajectories.words import MotionWords, load_words, words_file

LOOKED = (AppearanceDescriber.name, ClipDescriber.name)
"""The channels that are sums of what a network saw."""
_PLAIN_FACE = InputRecipe(112, 112, order="rgb", align="five-point")
"""For a face network given as a bare file: RGB, 0 to 255, aligned to 112 pixels."""


@dataclass(frozen=True, slots=True)
class Crew:
    """All describers of a film. `widths`: numbers of the face descriptor and of each channel
    of the body descriptor, in order."""

    describers: tuple[Describer, ...]
    face_width: int
    widths: dict[str, int]


def crew_for(
    film: FilmStream, plan: Plan, folder: Path, shots: list[Span], *, drawn: Iterable[int] = ()
) -> Crew:
    """Load what the settings ask for; `drawn`: shots that have their picture already."""
    settings = plan.settings
    faces = FaceDescriber(plan.faces, picture_network(settings.face_model, _PLAIN_FACE))
    others = list(_of_bodies(film, plan, shots))
    widths: dict[str, int] = {}
    for describer in others:
        widths |= describer.widths
    describers: list[Describer] = [faces, *others]
    if settings.mouths:
        describers.append(MouthDescriber(plan.mouths))
    if settings.thumbnails:
        ids = plan.tracks.ids[plan.tracks.is_face]
        describers.append(ThumbnailWriter(plan.thumbnails, ids, folder / "thumbnails"))
        pictures = ShotPictures(shots, folder / "thumbnails", rate=film.rate, drawn=drawn)
        describers.append(pictures)
    return Crew(tuple(describers), faces.width, {c: widths[c] for c in settings.channels})


def files_of(settings: FeatureSettings) -> list[Path]:
    """The files of the networks and words that the settings describe with."""
    files = [model_path(settings.face_model)]
    if motion_channels(settings):
        files.append(words_file(settings.motion_words))
    if AppearanceDescriber.name in settings.channels:
        files.append(model_path(settings.appearance_model))
    if ClipDescriber.name in settings.channels:
        files.append(model_path(settings.clip_model))
    return files


def motion_channels(settings: FeatureSettings) -> tuple[str, ...]:
    """The channels that come from trajectories."""
    return tuple(channel for channel in settings.channels if channel in CHANNELS)


def _of_bodies(
    film: FilmStream, plan: Plan, shots: list[Span]
) -> Iterator[MotionDescriber | AppearanceDescriber | ClipDescriber]:
    settings = plan.settings
    channels = motion_channels(settings)
    if channels:
        words = load_words(settings.motion_words)
        yield _motion(film, plan, words, shots)
    if AppearanceDescriber.name in settings.channels:
        looker = Looker(picture_network(settings.appearance_model, PLAIN))
        yield AppearanceDescriber(plan.looks, looker)
    if ClipDescriber.name in settings.channels:
        network = clip_network(settings.clip_model)
        every = settings.clip_every
        rows = clip_rows(plan.bodies, length=network.length, every=every, rate=film.rate)
        yield ClipDescriber(rows, network)


def _motion(film: FilmStream, plan: Plan, words: MotionWords, shots: list[Span]) -> MotionDescriber:
    settings = plan.settings
    height = min(settings.motion_height, film.height)
    return MotionDescriber(
        plan.bodies,
        words,
        motion_channels(settings),
        height=height,
        scale=height / film.height,
        rate=film.rate,
        rules=TraceRules(step=settings.point_step),
        cuts=np.array([shot.start for shot in shots]),
    )
