"""Simulated descriptors: what a network would say of each track, with known class means.

In whitened coordinates a descriptor is  separation x class mean + style of the film + what a
person keeps within a scene + noise of the track, all of unit scale; noise falls with the
length of the track. A spectrum then makes it as uneven as real features, and rows are
L2-normalised. With equal spectra of signal and noise, `separation` is exactly the distance of
two means in standard deviations, however large the dimension.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import ACTIONS
from callsheet.theatre.world.settings import WorldSettings
from callsheet.theatre.world.staging import Staging

Array = NDArray[Any]

SCENE_SHARE = 0.3  # of the variance: clothes and light, shared by a person's tracks in a scene
MODES = 3  # ways to do an action
BACKGROUND_MODES = 24  # what people do when they do nothing of note
DECAY = 0.5  # variance of dimension j falls as (1 + j) ** -DECAY


@dataclass(frozen=True, slots=True)
class BodyMeans:
    """Class means shared by all films: `modes[column]` is (ways, dimension)."""

    modes: tuple[Array, ...]


def body_means(settings: WorldSettings) -> BodyMeans:
    rng = np.random.default_rng([settings.seed, 7919])
    background = 0.5 * _directions(BACKGROUND_MODES, settings.dimension, rng)
    actions = _directions(len(ACTIONS), settings.dimension, rng)
    ways = [
        mean + 0.4 * _directions(MODES, settings.dimension, rng) for mean in actions
    ]  # each way shares most of the action's mean
    return BodyMeans((background, *ways))


def face_descriptors(
    staging: Staging, rows: Array, settings: WorldSettings, rng: np.random.Generator
) -> Array:
    """Descriptors of the faces of appearances `rows`, (rows, face_dimension)."""
    means = _directions(int(staging.person.max()) + 1, settings.face_dimension, rng)
    signal = settings.name_separation * means[staging.person[rows]]
    return _observe(signal, staging, rows, settings, rng)


def body_descriptors(
    staging: Staging,
    rows: Array,
    means: BodyMeans,
    settings: WorldSettings,
    rng: np.random.Generator,
) -> Array:
    """Descriptors of the bodies of appearances `rows`, (rows, dimension)."""
    action = staging.action[rows]
    way = (rng.random(len(rows)) ** 2 * np.where(action > 0, MODES, BACKGROUND_MODES)).astype(int)
    offsets = np.cumsum([0, *(len(m) for m in means.modes)])
    signal = settings.action_separation * np.concatenate(means.modes)[offsets[action] + way]
    return _observe(signal, staging, rows, settings, rng)


def _observe(
    signal: Array,
    staging: Staging,
    rows: Array,
    settings: WorldSettings,
    rng: np.random.Generator,
) -> Array:
    dimension = signal.shape[1]
    seen = signal.astype(np.float32)
    seen += (
        settings.film_style * _directions(1, dimension, rng) * np.float32(np.sqrt(dimension) / 4)
    )
    pairs = staging.scene[rows].astype(np.int64) * (staging.person.max() + 1) + staging.person[rows]
    _, pair = np.unique(pairs, return_inverse=True)
    shared = rng.standard_normal((int(pair.max(initial=-1)) + 1, dimension), dtype=np.float32)
    seen += np.float32(np.sqrt(SCENE_SHARE)) * shared[pair]
    seconds = np.maximum(staging.end[rows] - staging.start[rows], 0.2)
    scale = np.sqrt(1 - SCENE_SHARE + settings.track_noise**2 / seconds).astype(np.float32)
    noise = rng.standard_normal((len(rows), dimension), dtype=np.float32)
    seen += scale[:, None] * noise
    seen *= ((1.0 + np.arange(dimension)) ** (-DECAY / 2)).astype(np.float32)
    seen /= np.maximum(np.linalg.norm(seen, axis=1, keepdims=True), 1e-12)
    return seen


def _directions(count: int, dimension: int, rng: np.random.Generator) -> Array:
    """Random unit vectors, (count, dimension)."""
    vectors = rng.standard_normal((count, dimension), dtype=np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return vectors
