"""Who is seen in which shot, from when to when, doing what: the truth of one simulated film.

Persons are integers: 0 .. cast - 1 have names, larger ones are extras. Actions are columns of
the action vocabulary, 0 is none of note. All arrays of `Staging` run over appearances (one
person in one shot), in order of their shots.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import ACTIONS, SYMMETRIC_ACTIONS
from callsheet.theatre.world.settings import ACTION_SHARE, TRUE_ACTIONS, WorldSettings

Array = NDArray[Any]

SHOT_SECONDS, SHOT_SPREAD = 2.9, 1.0  # median and log-normal spread of a shot
SHOTS_A_SCENE = 15
EMPTY_SHOTS, CROWDED_SHOTS = 0.12, 0.03
FACE_ONLY = 0.04  # appearances whose body no detector finds
SEEN_FACES = 0.56, 0.36  # share of bodies with a face: named, extras
LASTING = 0.4  # chance that an action goes on in the person's next appearance


@dataclass(frozen=True, slots=True)
class Staging:
    """One film's truth."""

    shot_starts: Array  # (shots + 1,) seconds; the last is the end of the film
    shot_scenes: Array  # (shots,)
    shot: Array  # (appearances,)
    person: Array
    start: Array  # seconds
    end: Array
    action: Array  # column
    event: Array  # which event the action belongs to; -1: none
    has_body: Array  # bool
    has_face: Array  # bool
    cast: int

    @property
    def named(self) -> Array:
        return self.person < self.cast

    @property
    def scene(self) -> Array:
        return self.shot_scenes[self.shot]


def stage_film(bodies: int, settings: WorldSettings, rng: np.random.Generator) -> Staging:
    """Stage a film with exactly `bodies` appearances that have a body track."""
    appearances = round(bodies / (1 - FACE_ONLY))
    shot, shots = _crew_shots(appearances, rng)
    starts = np.concatenate(
        [[0.0], np.cumsum(SHOT_SECONDS * rng.lognormal(0, SHOT_SPREAD, shots) + 0.4)]
    )
    scenes = np.cumsum(rng.random(shots) < 1 / SHOTS_A_SCENE)
    person = _cast_shots(shot, scenes, settings, rng)
    start, end = _live(starts, shot, rng)
    has_body = np.ones(appearances, bool)
    has_body[rng.permutation(appearances)[: appearances - bodies]] = False
    seen = np.where(person < settings.cast, *SEEN_FACES)
    has_face = (rng.random(appearances) < seen) | ~has_body
    action, event = _act(shot, scenes[shot], person, settings.cast, rng)
    return Staging(
        starts, scenes, shot, person, start, end, action, event, has_body, has_face, settings.cast
    )


def _crew_shots(appearances: int, rng: np.random.Generator) -> tuple[Array, int]:
    """The shot of every appearance, and how many shots there are."""
    shots = 2 * appearances + 10
    people = 1 + rng.poisson(1.0, shots)
    kind = rng.random(shots)
    people[kind < EMPTY_SHOTS] = 0
    crowded = kind > 1 - CROWDED_SHOTS
    people[crowded] = 6 + rng.poisson(5.0, crowded.sum())
    used = int(np.searchsorted(np.cumsum(people), appearances)) + 1
    return np.repeat(np.arange(used), people[:used])[:appearances], used


def _cast_shots(
    shot: Array, scenes: Array, settings: WorldSettings, rng: np.random.Generator
) -> Array:
    """Put named persons of the scene and extras into the shots, nobody twice in one."""
    place = np.arange(len(shot)) - np.searchsorted(shot, shot)  # 0, 1, ... within the shot
    crew = _scene_casts(int(scenes[-1]) + 1, settings.cast, rng)[scenes]  # shots x places
    order = np.argsort(rng.random(crew.shape) + 2 * (crew < 0), axis=1)
    crew = np.take_along_axis(crew, order, axis=1)
    is_extra = rng.random(len(shot)) < settings.extras
    # The k-th named person of a shot takes the k-th of its shuffled scene cast.
    named_before: Array = np.cumsum(~is_extra) - (~is_extra)
    rank: Array = named_before - named_before[np.searchsorted(shot, shot)]
    person = np.where(
        is_extra | (rank >= crew.shape[1]), -1, crew[shot, np.minimum(rank, crew.shape[1] - 1)]
    )
    extra = person < 0
    person[extra] = settings.cast + _extras(shot, place, extra, settings, rng)
    return person


def _scene_casts(scenes: int, cast: int, rng: np.random.Generator) -> Array:
    """Named persons of each scene, (scenes, 6) padded with -1; few carry most of the film."""
    weights = np.log(1.0 / np.arange(1, cast + 1) ** 0.8)
    order = np.argsort(-(weights + rng.gumbel(size=(scenes, cast))), axis=1)[:, :6]
    size = np.minimum(1 + rng.poisson(1.6, scenes), order.shape[1])
    return np.where(np.arange(order.shape[1]) < size[:, None], order, -1)


def _extras(
    shot: Array, place: Array, extra: Array, settings: WorldSettings, rng: np.random.Generator
) -> Array:
    """Identities of extras, distinct within a shot, from a pool as large as the variety asks."""
    widest = int(place.max()) + 1
    pool = widest + round(settings.background_variety * extra.sum())
    first = rng.integers(0, pool, int(shot[-1]) + 1)
    identities: Array = (first[shot[extra]] + place[extra]) % pool
    return identities


def _live(starts: Array, shot: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """Most tracks last as long as their shot; some come late or leave early."""
    begin, length = starts[shot], np.diff(starts)[shot]
    late = np.where(rng.random(len(shot)) < 0.2, 0.6 * rng.random(len(shot)), 0.0)
    early = np.where(rng.random(len(shot)) < 0.2, 0.3 * rng.random(len(shot)), 0.0)
    return begin + late * length, begin + (1 - early) * length


def _act(
    shot: Array, scene: Array, person: Array, cast: int, rng: np.random.Generator
) -> tuple[Array, Array]:
    """Let the right share of appearances act; two do what takes two; some actions last."""
    action, event = np.zeros(len(shot), int), np.full(len(shot), -1)
    wanted = round(ACTION_SHARE * len(shot))
    share = np.array(list(TRUE_ACTIONS.values()), float)
    kinds = 1 + rng.choice(len(ACTIONS), size=wanted + 1, p=share / share.sum())
    # Whoever has a name acts more often than the extras do.
    order = np.argsort(rng.random(len(shot)) + 0.5 * (person >= cast))
    done = 0
    for number, lead in enumerate(order):
        if done >= wanted:
            break
        column = int(kinds[min(number, wanted)])
        doers = _doers(int(lead), column, shot, scene, person, action, rng)
        action[doers], event[doers] = column, number
        done += len(doers)
    return action, event


def _doers(
    lead: int,
    column: int,
    shot: Array,
    scene: Array,
    person: Array,
    action: Array,
    rng: np.random.Generator,
) -> list[int]:
    if action[lead]:
        return []
    doers = [lead]
    near = np.arange(max(0, lead - 20), min(len(shot), lead + 21))
    near = near[(action[near] == 0) & (near != lead)]
    if ACTIONS[column - 1] in SYMMETRIC_ACTIONS:
        others = near[shot[near] == shot[lead]]
        if not len(others):
            return []  # nobody to do it with
        doers.append(int(rng.choice(others)))
    if rng.random() < LASTING:
        later = near[(near > lead) & (person[near] == person[lead]) & (scene[near] == scene[lead])]
        doers += [int(later[0])] if len(later) else []
    return list(dict.fromkeys(doers))
