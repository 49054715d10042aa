"""Turns a plot into shots: who is seen, how near, for how long, and when words are spoken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from callsheet.theatre.stage.plot import Deed, Line, Note, Plot, Scene
from callsheet.theatre.stage.shot import FPS, Shot, Size, Talk
from callsheet.theatre.stage.staging import (
    Staging,
    stage_action,
    stage_ride,
    stage_talk,
    with_crowd,
)

Generator = np.random.Generator


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line on the film's clock, seconds."""

    line: Line
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Shooting:
    """The shots in order, and every line with its time."""

    shots: tuple[Shot, ...]
    spoken: tuple[Spoken, ...]


@dataclass(frozen=True, slots=True)
class _Take:
    """One shot before its length is settled."""

    scene: int
    seconds: float
    staging: Staging
    line: Line | None


def shoot(plot: Plot, rng: Generator, *, seconds: float) -> Shooting:
    """Lay out all shots so that together they last `seconds`."""
    takes = [take for n, scene in enumerate(plot.scenes) for take in _takes(plot, n, scene, rng)]
    lengths = _fit([take.seconds for take in takes], round(seconds * FPS))
    moods = {n: _mood(rng) for n in range(len(plot.scenes))}
    lights = _lights([take.scene for take in takes], rng.spawn(1)[0])
    shots, spoken, clock = [], [], 0
    for take, frames, (level, dimming) in zip(takes, lengths, lights, strict=True):
        scene = plot.scenes[take.scene]
        talks = _talks(take.line, frames / FPS)
        shots.append(
            Shot(
                take.scene,
                frames,
                scene.place,
                scene.place_seed,
                take.staging.size,
                take.staging.framing,
                take.staging.players,
                take.staging.props,
                talks,
                **moods[take.scene] | {"light": level * moods[take.scene]["light"]},
                dimming=dimming,
            )
        )
        if take.line:
            start, end = _speech_span(frames / FPS)
            spoken.append(Spoken(take.line, clock / FPS + start, clock / FPS + end))
        clock += frames
    return Shooting(tuple(shots), tuple(spoken))


def speech_seconds(text: str) -> float:
    return 0.55 + 0.27 * len(text.split())


def _takes(plot: Plot, number: int, scene: Scene, rng: Generator) -> Iterator[_Take]:
    for beat in scene.beats:
        if isinstance(beat, Note):
            continue
        if isinstance(beat, Deed):
            staging = stage_action(beat.action, rng, scene.place, beat.people)
            yield _Take(
                number, float(rng.uniform(2.5, 3.3)), _crowded(staging, rng, scene, 0.35), None
            )
        else:
            yield _Take(
                number, speech_seconds(beat.text) + 0.55, _talk(plot, scene, beat, rng), beat
            )


def _talk(plot: Plot, scene: Scene, line: Line, rng: Generator) -> Staging:
    if scene.place == "in_car":
        driver = next(beat.people[0] for beat in scene.beats if isinstance(beat, Deed))
        return stage_ride(rng, driver, [p for p in scene.present if p != driver])
    size = Size(str(rng.choice([Size.CLOSE, Size.MEDIUM, Size.WIDE], p=[0.52, 0.38, 0.10])))
    tall = plot.company[line.shown].look.height
    staging = stage_talk(rng, scene.place, line.shown, line.listeners, tall, size)
    pan = (float(rng.uniform(-0.18, 0.18)), 0.0) if rng.random() < 0.3 else (0.0, 0.0)
    staging = replace(staging, framing=replace(staging.framing, pan=pan))
    return _crowded(staging, rng, scene, 0.5)


def _crowded(staging: Staging, rng: Generator, scene: Scene, chance: float) -> Staging:
    if scene.crowd and rng.random() < chance:
        return with_crowd(staging, rng, scene.place, scene.crowd)
    return staging


def _fit(seconds: Sequence[float], total: int) -> list[int]:
    """Whole frames in proportion that sum to `total`."""
    ends = np.cumsum(seconds) / np.sum(seconds) * total
    return [int(n) for n in np.diff(np.round(np.concatenate([[0.0], ends])))]


def _speech_span(length: float) -> tuple[float, float]:
    return 0.25, max(0.5, length - 0.3)


def _talks(line: Line | None, length: float) -> tuple[Talk, ...]:
    return (Talk(line.speaker, *_speech_span(length)),) if line else ()


_DIMMED = 0.4
"""Share of the scenes in which somebody turns the light up or down."""


def _lights(scenes: Sequence[int], rng: Generator) -> list[tuple[float, float]]:
    """For each shot the level it begins with and how many times that it ends with; the light stays
    as it was left until the scene ends."""
    lights = []
    for scene in dict.fromkeys(scenes):
        count = scenes.count(scene)
        turned = int(rng.integers(count)) if rng.random() < _DIMMED else count
        factor = float(rng.choice([rng.uniform(0.72, 0.84), rng.uniform(1.14, 1.24)]))
        lights += [(1.0, 1.0)] * min(turned, count)
        if turned < count:
            lights += [(1.0, factor), *[(factor, 1.0)] * (count - turned - 1)]
    return lights


def _mood(rng: Generator) -> dict[str, float]:
    """How a scene is lit: most steady, some dim, warm or cold, a few flicker."""
    return {
        "light": float(rng.uniform(0.86, 1.1)),
        "warmth": float(rng.uniform(-0.05, 0.07)),
        "flicker": 0.06 if rng.random() < 0.15 else 0.0,
    }
