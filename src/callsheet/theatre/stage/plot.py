"""The plot generator: who is in a film, and what is done and said in which scene.

A `Plot` is the film before any camera: scenes made of beats. `shooting` turns beats into
shots, `screenplay` and `subtitles` write down what a screenwriter and a subtitler would have.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from callsheet.theatre.stage import words
from callsheet.theatre.stage.looks import Look, draw_cast
from callsheet.theatre.stage.staging import PAIRED, PLACES

Generator = np.random.Generator


@dataclass(frozen=True, slots=True)
class Person:
    """A named character, or an extra (`name` None)."""

    name: str | None
    surname: str
    look: Look

    @property
    def woman(self) -> bool:
        return self.look.woman


@dataclass(frozen=True, slots=True)
class Deed:
    """An action that is played. `sentence` is the script's description; None: left untold."""

    action: str
    people: tuple[int, ...]
    sentence: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """Words that are spoken. `shown` is who is seen meanwhile (the speaker, unless off)."""

    speaker: int
    text: str
    shown: int
    listeners: tuple[int, ...] = ()
    parenthetical: str | None = None

    @property
    def off(self) -> bool:
        return self.shown != self.speaker


@dataclass(frozen=True, slots=True)
class Note:
    """A description of something that is no action of the list, or is not seen at all."""

    sentence: str


Beat = Deed | Line | Note


@dataclass(frozen=True, slots=True)
class Scene:
    place: str
    place_seed: int
    heading: str
    present: tuple[int, ...]
    beats: tuple[Beat, ...]
    crowd: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """`company` is cast first, then extras; people are numbered in it."""

    title: str
    company: tuple[Person, ...]
    cast: int
    scenes: tuple[Scene, ...]


def deal_names(films: int, rng: Generator) -> list[tuple[list[str], list[str], list[str]]]:
    """Women's, men's and last names for each film; no two films share one while they last."""
    women, men = rng.permutation(words.WOMEN), rng.permutation(words.MEN)
    surnames = rng.permutation(words.SURNAMES)
    return [
        (_hand(women, 3 * n, 3), _hand(men, 3 * n, 3), _hand(surnames, 6 * n, 6))
        for n in range(films)
    ]


def _hand(pack: np.ndarray, first: int, count: int) -> list[str]:
    return [str(pack[(first + k) % len(pack)]) for k in range(count)]


def deal_actions(films: int, each: int, rng: Generator) -> list[list[str]]:
    """`each` actions for every film, all actions about equally often in the library."""
    names = list(PLACES)
    pack: list[str] = []
    while len(pack) < films * each:
        pack.extend(str(a) for a in rng.permutation(names))
    return [pack[n * each : (n + 1) * each] for n in range(films)]


def write_plot(
    rng: Generator,
    names: tuple[list[str], list[str], list[str]],
    actions: Sequence[str],
    *,
    lines: int,
    told: float,
) -> Plot:
    """Write one film in which all `actions` happen and about `lines` lines are spoken."""
    cast, company = _company(rng, names)
    count = round(told * len(actions))
    marks = rng.permutation([True] * count + [False] * (len(actions) - count))
    writer = _Writer(rng, company, cast, [bool(mark) for mark in marks])
    groups = _scenes_of(list(actions), rng)
    shares = _split(lines, [len(actions) for _, actions in groups])
    scenes = [
        writer.scene(place, deeds, share)
        for (place, deeds), share in zip(groups, shares, strict=True)
    ]
    return Plot(_title(rng, company[0]), company, cast, tuple(scenes))


def _company(rng: Generator, names: tuple[list[str], list[str], list[str]]) -> tuple[int, tuple[Person, ...]]:  # fmt: skip  # noqa: E501
    women, men, surnames = names
    size = int(rng.integers(4, 7))
    sexes = [n % 2 == 0 for n in range(size)]
    first = [women[n // 2] if woman else men[n // 2] for n, woman in enumerate(sexes)]
    looks = draw_cast(rng, sexes)
    extras = draw_cast(rng, [True, False, True, False], apart_from=looks)
    people = [Person(f, s, look) for f, s, look in zip(first, surnames, looks, strict=False)]
    return size, (*people, *(Person(None, "", look) for look in extras))


_ORDER = (
    "GetOutOfCar",
    "OpenDoor",
    "Run",
    "SitUp",
    "HandShake",
    "Hug",
    "SitDown",
    "Eat",
    "AnswerPhone",
    "Kiss",
    "StandUp",
    "Fight",
    "Drive",
)


def _scenes_of(actions: list[str], rng: Generator) -> list[tuple[str, list[str]]]:
    """Group actions that one place allows, two or three to a scene."""
    groups = []
    while actions:
        place = str(rng.choice(PLACES[actions[0]]))
        fitting = [n for n, a in enumerate(actions) if place in PLACES[a]][
            : int(rng.integers(2, 4))
        ]
        chosen = [actions[n] for n in fitting]
        actions = [a for n, a in enumerate(actions) if n not in fitting]
        groups.append((place, sorted(chosen, key=_ORDER.index)))
    return [groups[n] for n in rng.permutation(len(groups))]


def _split(total: int, weights: list[int]) -> list[int]:
    """Share `total` out by weight, at least one each."""
    whole = np.maximum(1, np.floor(total * np.array(weights) / sum(weights)).astype(int))
    for n in range(int(max(0, total - whole.sum()))):
        whole[n % len(whole)] += 1
    return [int(n) for n in whole]


def _title(rng: Generator, lead: Person) -> str:
    pattern = str(rng.choice(words.TITLES))
    fill = {
        key.capitalize(): str(rng.choice(values)).title() for key, values in words.FILLERS.items()
    }
    return pattern.format(A=lead.name, **fill)


@dataclass(slots=True)
class _Writer:
    """Writes scene after scene; remembers which sentences and lines were used."""

    rng: Generator
    company: tuple[Person, ...]
    cast: int
    told: list[bool]  # for every deed to come, the last first
    used: set[str] = field(default_factory=set)
    seen: list[int] = field(init=False)  # scenes of each person so far
    spoken: list[int] = field(init=False)  # and lines

    def __post_init__(self) -> None:
        self.seen, self.spoken = [0] * self.cast, [0] * self.cast

    def scene(self, place: str, actions: list[str], lines: int) -> Scene:
        present = self._present(place)
        people = self._casting(actions, present)
        beats: list[Beat] = []
        slots = _split(lines, [1] * (len(actions) + 1)) if lines > len(actions) else [1] * lines
        if self.rng.random() < 0.5:
            beats.append(Note(self._business(present)))
        for n in range(max(len(slots), len(actions))):
            beats.extend(
                self._line(place, present) for _ in range(slots[n] if n < len(slots) else 0)
            )
            if n < len(actions):
                beats.append(self._deed(actions[n], people[n]))
            if self.rng.random() < 0.3:
                beats.append(Note(self._business(present)))
        seed = int(self.rng.integers(1 << 30))
        crowd = tuple(
            self.cast + int(k) for k in self.rng.permutation(len(self.company) - self.cast)
        )
        crowd = crowd[: int(self.rng.integers(0, 4))] if place not in ("bedroom", "in_car") else ()
        return Scene(place, seed, self._heading(place, present), present, tuple(beats), crowd)

    def _present(self, place: str) -> tuple[int, ...]:
        size = 2 if place in ("in_car", "bedroom") else int(self.rng.integers(2, 4))
        chosen = self._rarest(range(self.cast), self.seen)[:size]
        for person in chosen:
            self.seen[person] += 1
        return tuple(chosen)

    def _rarest(self, people: Iterable[int], counts: list[int]) -> list[int]:
        """Those with the lowest counts first, by lot where they are even."""
        mixed = [int(p) for p in self.rng.permutation(list(people))]
        return sorted(mixed, key=lambda person: counts[person])

    def _casting(self, actions: list[str], present: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Who does what; nobody does everything."""
        turn, people = int(self.rng.integers(len(present))), []
        for action in actions:
            order = tuple(present[(turn + k) % len(present)] for k in range(len(present)))
            people.append(
                order[:2] if action in PAIRED or action in ("Eat", "Drive") else order[:1]
            )
            turn += 1
        return people

    def _deed(self, action: str, people: tuple[int, ...]) -> Deed:
        if not self.told.pop():
            return Deed(action, people, None)
        pattern = self._fresh(words.ACTIONS[action])
        return Deed(action, people, self._fill(pattern, people))

    def _line(self, place: str, present: tuple[int, ...]) -> Line:
        order = self._rarest(present, self.spoken)
        speaker, others = order[0], tuple(order[1:])
        self.spoken[speaker] += 1
        off = bool(others) and self.rng.random() < 0.13
        # In a car all are in the picture: nobody there speaks from off screen.
        shown = others[0] if off and place != "in_car" else speaker
        listeners = tuple(p for p in order if p != shown)
        if shown != speaker:
            listeners = tuple(p for p in listeners if p != speaker)
        mark = None
        if self.rng.random() < 0.12:
            mark = str(self.rng.choice(words.PARENTHETICALS)).format(B=self.company[order[1]].name)
        return Line(speaker, self._speech(order[1]), shown, listeners, mark)

    def _speech(self, other: int) -> str:
        while True:
            pattern = str(self.rng.choice(words.LINES))
            fill = {key: str(self.rng.choice(values)) for key, values in words.FILLERS.items()}
            text = pattern.format(B=self.company[other].name, **fill)
            if text not in self.used:
                self.used.add(text)
                return text

    def _business(self, present: tuple[int, ...]) -> str:
        absent = [p for p in range(self.cast) if p not in present]
        if absent and self.rng.random() < 0.25:
            missing = self.company[int(self.rng.choice(absent))].name
            return str(self.rng.choice(words.ABSENT)).format(C=missing)
        order = tuple(int(p) for p in self.rng.permutation(present))
        return self._fill(self._fresh(words.STAGE_BUSINESS), order)

    def _fresh(self, patterns: Sequence[str]) -> str:
        """A pattern not used before, while there is one."""
        left = [p for p in patterns if p not in self.used] or list(patterns)
        pattern = str(self.rng.choice(left))
        self.used.add(pattern)
        return pattern

    def _fill(self, pattern: str, people: tuple[int, ...]) -> str:
        one = self.company[people[0]]
        other = self.company[people[1]].name if len(people) > 1 else "the stranger"
        she, her, herself = ("she", "her", "herself") if one.woman else ("he", "his", "himself")
        if "{S}" in pattern and "{A}" not in pattern and self.rng.random() < 0.5:
            pattern = pattern.replace("{S}", "{A}", 1)
        return pattern.format(A=one.name, B=other, S=she.capitalize(), S_low=she, P=her, O=herself)

    def _heading(self, place: str, present: tuple[int, ...]) -> str:
        options = words.HEADINGS[place]
        where, inside = options[self.rng.integers(len(options))]
        owner = self.company[present[0]].name
        time = str(self.rng.choice(words.TIMES[:4]))
        return f"{'INT.' if inside else 'EXT.'} {where.format(OWNER=str(owner).upper())} - {time}"
