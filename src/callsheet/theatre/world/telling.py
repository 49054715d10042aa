"""What the script says of a staged film: statements, lines and mentions, with gaps and errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import ACTIONS, SYMMETRIC_ACTIONS
from callsheet.theatre.world.settings import TOLD_ACTIONS, TRUE_ACTIONS, WorldSettings
from callsheet.theatre.world.staging import Staging

SPREAD = 0.85  # log-normal spread of the number of tracks in a statement's span
MENTION_TRACKS = 5
LINE_SHARE = 0.5  # of the shots with a named face, at full name coverage


@dataclass(frozen=True, slots=True)
class Claim:
    """One evidence before it has an id. `person` counts in the cast, `action` is a column."""

    kind: str
    start: float
    end: float
    person: int | None
    action: int


def tell_film(staging: Staging, settings: WorldSettings, rng: np.random.Generator) -> list[Claim]:
    """Write down what the script tells, in order of time."""
    people = np.bincount(staging.shot, minlength=len(staging.shot_scenes))
    claims = [
        *_statements(staging, people, settings, rng),
        *_lines(staging, settings, rng),
        *_mentions(staging, people, settings, rng),
    ]
    return sorted(claims, key=lambda claim: (claim.start, claim.end))


def _statements(
    staging: Staging, people: NDArray[Any], settings: WorldSettings, rng: np.random.Generator
) -> list[Claim]:
    leads = _event_leads(staging)
    wanted = int(rng.binomial(len(leads), settings.coverage))
    weights = _telling_weights()[staging.action[leads]]
    order = np.argsort(rng.exponential(size=len(leads)) / weights)  # weighted, no repeats
    claims: list[Claim] = []
    for lead in leads[order]:
        if len(claims) >= wanted:
            break
        claims += _state(int(lead), staging, people, settings, rng)
    return claims[:wanted]


def _event_leads(staging: Staging) -> NDArray[Any]:
    """The first appearance of each event."""
    acting = np.flatnonzero(staging.event >= 0)
    _, first = np.unique(staging.event[acting], return_index=True)
    return acting[first]


def _telling_weights() -> NDArray[Any]:
    """How readily a script tells each action, so that the paper's proportions come out."""
    told, true = np.array(list(TOLD_ACTIONS.values())), np.array(list(TRUE_ACTIONS.values()))
    pairs = np.array([0.5 if name in SYMMETRIC_ACTIONS else 1.0 for name in ACTIONS])
    return np.concatenate([[0.0], told / (true * pairs)])


def _state(
    lead: int,
    staging: Staging,
    people: NDArray[Any],
    settings: WorldSettings,
    rng: np.random.Generator,
) -> list[Claim]:
    """One statement; of a pair that the script names, one for each."""
    at = int(staging.shot[lead])
    if rng.random() < settings.wrong:
        at = int(rng.integers(len(people)))
    start, end = _span(at, settings.bag_tracks * rng.lognormal(0, SPREAD), staging, people, rng)
    column = int(staging.action[lead])
    doers = {int(p) for p in staging.person[staging.event == staging.event[lead]]}
    named = sorted(p for p in doers if p < staging.cast)
    if not named or rng.random() >= settings.person_share:
        return [Claim("statement", start, end, None, column)]
    return [Claim("statement", start, end, person, column) for person in named]


def _span(
    at: int, tracks: float, staging: Staging, people: NDArray[Any], rng: np.random.Generator
) -> tuple[float, float]:
    """Widen from a shot to its neighbours until the span holds about so many tracks."""
    first = last = at
    held = float(people[at])
    while held + 1 < tracks and (first > 0 or last < len(people) - 1):
        if last == len(people) - 1 or (first > 0 and rng.random() < 0.5):
            first -= 1
            held += people[first]
        else:
            last += 1
            held += people[last]
    starts = staging.shot_starts
    start = starts[first] + 0.3 * rng.random() * (starts[first + 1] - starts[first])
    end = starts[last + 1] - 0.3 * rng.random() * (starts[last + 1] - starts[last])
    return float(start), float(end)


def _lines(staging: Staging, settings: WorldSettings, rng: np.random.Generator) -> list[Claim]:
    """Somebody seen speaks during part of a shot; now and then it was another, off screen."""
    chance = LINE_SHARE * settings.name_coverage
    seen = np.flatnonzero(staging.named & staging.has_face)
    claims = []
    for shot in np.unique(staging.shot[seen]):
        if rng.random() >= chance:
            continue
        speaker = int(rng.choice(_persons_of(staging, int(shot))))
        if rng.random() < settings.wrong_names:
            speaker = int(rng.integers(staging.cast))
        start, end = staging.shot_starts[shot], staging.shot_starts[shot + 1]
        begin = start + 0.3 * rng.random() * (end - start)
        claims.append(Claim("line", float(begin), float(min(end, begin + 4.0)), speaker, 0))
    return claims


def _persons_of(staging: Staging, shot: int) -> NDArray[Any]:
    low, high = np.searchsorted(staging.shot, [shot, shot + 1])
    rows = np.arange(low, high)
    return staging.person[rows[staging.named[rows] & staging.has_face[rows]]]


def _mentions(
    staging: Staging, people: NDArray[Any], settings: WorldSettings, rng: np.random.Generator
) -> list[Claim]:
    """Each person of each scene may be named in a description there."""
    named = np.flatnonzero(staging.named)
    pairs = staging.scene[named].astype(np.int64) * staging.cast + staging.person[named]
    order = rng.permutation(len(named))
    _, first = np.unique(pairs[order], return_index=True)
    claims = []
    for row in named[order[first]]:
        if rng.random() >= settings.name_coverage:
            continue
        person = int(staging.person[row])
        if rng.random() < settings.wrong_names:
            person = int(rng.integers(staging.cast))
        tracks = MENTION_TRACKS * rng.lognormal(0, 0.5)
        start, end = _span(int(staging.shot[row]), tracks, staging, people, rng)
        claims.append(Claim("mention", start, end, person, 0))
    return claims
