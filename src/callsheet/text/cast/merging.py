"""Which names are one person: RICK, RICK BLAINE and MR. BLAINE'S VOICE, but not YOUNG RICK."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from callsheet.text.cast.names import Name, parse_person
from callsheet.text.cast.roles import is_group, is_role
from callsheet.text.grammar.lexicon import given_names

_LONG = 6
"""Names with this many letters may differ by one and still be one misspelt name..."""
_RARE = 0.1
"""...if the misspelling is this rare beside the name."""


@dataclass(slots=True)
class Person:
    """Names that mean one person, and how often each speaks; `known`: listed by the user."""

    names: list[Name]
    lines: dict[str, int] = field(default_factory=dict)
    known: bool = False

    @property
    def spoken(self) -> int:
        return sum(self.lines.values())

    def call(self, name: Name, lines: int = 0) -> None:
        """Add a name."""
        self.names.append(name)
        self.lines[name.raw] = self.lines.get(name.raw, 0) + lines


def merge(
    counts: Mapping[str, int], full_names: Iterable[str] = (), known: Sequence[Person] = ()
) -> list[Person]:
    """Group speaker names (with their lines) into persons.

    Longer names come first, so that RICK and MR. BLAINE both find RICK BLAINE; `full_names`
    stand in the descriptions and only tie others together.
    """
    people = list(known)
    people += [Person([parse_person(name)]) for name in full_names]
    names = [parse_person(raw) for raw in counts]
    frequent_first = sorted(names, key=lambda n: (-len(n.tokens), bool(n.title), -counts[n.raw]))
    for name in frequent_first:
        person = _person_of(name, people)
        if person is None:
            person = Person([])
            people.append(person)
        person.call(name, counts[name.raw])
    return _without_misspellings([p for p in people if p.lines or p.known])


def _person_of(name: Name, people: Sequence[Person]) -> Person | None:
    """The person a name means: who is so called, or the only one of whose name it is part."""
    same = [p for p in people if any(_is_same(name, other) for other in p.names)]
    if len(same) == 1 or (same and not name.title):
        return same[0]
    akin = [p for p in people if any(_is_part(name, other) for other in p.names)]
    return akin[0] if len(akin) == 1 else None


def _is_same(name: Name, other: Name) -> bool:
    if name.joint or other.joint:
        return set(name.joint) == set(other.joint)
    alike = name.letters == other.letters and name.apart == other.apart
    return alike and _titles_agree(name, other)


def _is_part(name: Name, other: Name) -> bool:
    """BLAINE of RICK BLAINE; never YOUNG RICK of RICK, and MAN of FAT MAN tells nothing."""
    if name.joint or other.joint or name.apart != other.apart or is_group(name):
        return False
    if not name.tokens or all(is_role(token) for token in name.tokens):
        return False
    if any(is_role(token) for token in other.tokens) or any("'" in t for t in other.tokens):
        return False
    return set(name.tokens) < set(other.tokens) and _titles_agree(name, other)


def _titles_agree(name: Name, other: Name) -> bool:
    """MRS. HOLLOWAY is not MR. HOLLOWAY, and not plain HOLLOWAY either: that is her husband."""
    if name.gender == other.gender:
        return True
    if "f" in (name.gender, other.gender):
        bare = other if name.gender == "f" else name
        return not bare.gender and given_names().get(bare.tokens[0].lower(), "m") != "m"
    return True


def _without_misspellings(people: list[Person]) -> list[Person]:
    """Give rare names that differ by one letter from a frequent one to it."""
    kept: list[Person] = []
    for person in sorted(people, key=lambda p: (not p.known, -p.spoken)):
        original = next((p for p in kept if _is_misspelling(person, p)), None)
        if original is None:
            kept.append(person)
        else:
            for name in person.names:
                original.call(name, person.lines.get(name.raw, 0))
    return kept


def _is_misspelling(person: Person, of: Person) -> bool:
    if person.known or person.spoken > max(1.0, _RARE * of.spoken):
        return False
    mine, theirs = person.names[0], of.names[0]
    if mine.apart != theirs.apart or mine.joint or theirs.joint or mine.gender != theirs.gender:
        return False
    if min(len(mine.letters), len(theirs.letters)) < _LONG:
        return False
    return one_letter_apart(mine.letters, theirs.letters)


def one_letter_apart(left: str, right: str) -> bool:
    """Whether one letter put in, left out, replaced, or two neighbours swapped make them equal."""
    if abs(len(left) - len(right)) > 1 or left == right:
        return left == right
    start = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), None)
    if start is None:
        return True
    if len(left) == len(right):
        swapped = left[:start] + left[start + 1 : start + 2] + left[start] + left[start + 2 :]
        return left[start + 1 :] == right[start + 1 :] or swapped == right
    short, long = sorted((left, right), key=len)
    return short[start:] == long[start + 1 :]
