"""Everyone of a film: names grouped into persons, extras marked, lines and mentions counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from callsheet.core import Element, ElementKind
from callsheet.core.stage import StageResult
from callsheet.store import SCHEMAS, write_items
from callsheet.text.alignment import read_script
from callsheet.text.cast.introductions import introduced
from callsheet.text.cast.listing import Listed, read_cast
from callsheet.text.cast.mentions import (
    called_with_article,
    count_mentions,
    full_names,
    small_words,
)
from callsheet.text.cast.merging import Person, merge
from callsheet.text.cast.names import Name, parse_person
from callsheet.text.cast.roles import is_background, is_role
from callsheet.text.grammar.lexicon import given_names
from callsheet.text.readings import Cast, CastMember, Screenplay


def find_cast(screenplay: Screenplay, cast_csv: Path | None = None) -> Cast:
    """Find everyone who speaks in a screenplay, whom its descriptions introduce by name, or
    whom the user's cast.csv lists."""
    listed = read_cast(cast_csv) if cast_csv is not None else ()
    spoken = _dialogue(screenplay)
    lines = Counter(e.speaker for e in spoken if e.speaker)
    words = Counter[str]()
    for element in spoken:
        words[element.speaker or ""] += len(element.text.split())
    told = [e.text for e in screenplay.elements if e.kind is ElementKind.DESCRIPTION]
    people = merge(lines, full_names(told, lines), _known(listed))
    people += _silent(screenplay, told, people)
    articled = called_with_article(told, lines)
    members = [_member(p, listed, words, lines.total(), articled) for p in people]
    return Cast(_with_mentions(members, told), tuple(_warnings(members, lines, listed)))


def make_cast(folder: Path, cast_csv: Path | None = None) -> StageResult:
    """Read the elements and scenes of a folder and write `cast.parquet`."""
    screenplay = read_script(folder)
    cast = find_cast(screenplay, cast_csv)
    write_items(folder / "cast.parquet", SCHEMAS["cast"], cast.members)
    background = sum(member.background for member in cast.members)
    summary = {"people": len(cast.members) - background, "background": background}
    return StageResult(summary, cast.warnings)


def _dialogue(screenplay: Screenplay) -> list[Element]:
    """Dialogue, without the title page that a reader may take for a character."""
    spoken = [e for e in screenplay.elements if e.kind is ElementKind.DIALOGUE]
    in_scenes = {e.speaker for e in spoken if e.scene >= 0}
    if not screenplay.scenes:
        return spoken
    return [e for e in spoken if e.scene >= 0 or e.speaker in in_scenes]


def _silent(screenplay: Screenplay, told: Sequence[str], people: Iterable[Person]) -> list[Person]:
    """People who are introduced in descriptions and never speak."""
    headings = [scene.heading for scene in screenplay.scenes]
    taken = [name.raw for person in people for name in person.names]
    return [
        Person([parse_person(name) for name in names], {names[0]: 0})
        for names in introduced(told, headings, taken)
    ]


def _known(listed: Iterable[Listed]) -> list[Person]:
    return [
        Person([parse_person(name) for name in (row.person, *row.aliases)], known=True)
        for row in listed
    ]


def _member(
    person: Person,
    listed: Sequence[Listed],
    words: Counter[str],
    all_lines: int,
    articled: frozenset[str],
) -> CastMember:
    row = next((r for r in listed if person.known and r.person == person.names[0].raw), None)
    called = row.person if row else max(person.lines, key=lambda raw: person.lines[raw])
    background = row.background if row else all(
        is_background(name, lines=person.spoken, all_lines=all_lines,
                      with_article=name.raw.upper() in articled)
        for name in person.names if name.raw in person.lines
    )  # fmt: skip
    return CastMember(
        called,
        tuple(dict.fromkeys(name.raw for name in person.names if name.raw != called)),
        row.actor if row else None,
        background,
        person.spoken,
        sum(words[raw] for raw in person.lines),
    )


def _with_mentions(members: Sequence[CastMember], told: Sequence[str]) -> tuple[CastMember, ...]:
    members = _with_parts_of_names(members, small_words(told))
    persons = {name: m.person for m in members for name in (m.person, *m.aliases)}
    mentions = count_mentions(told, persons)
    counted = [replace(m, mentions=mentions[m.person]) for m in members]
    return tuple(sorted(counted, key=lambda m: (-m.lines, -m.words, -m.mentions, m.person)))


def _with_parts_of_names(members: Sequence[CastMember], small: frozenset[str]) -> list[CastMember]:
    """Let BLAINE mean RICK BLAINE where nobody else has a name with BLAINE in it.

    `small`: words that the script also writes in small letters; they may be no names.
    """
    names = {m.person: [parse_person(n) for n in (m.person, *m.aliases)] for m in members}
    owners: dict[str, set[str]] = {}
    for person, mine in names.items():
        for token in {token for name in mine for token in name.tokens}:
            owners.setdefault(token, set()).add(person)
    return [_with_parts(m, names[m.person], owners, small) for m in members]


def _with_parts(
    member: CastMember, names: Sequence[Name], owners: dict[str, set[str]], small: frozenset[str]
) -> CastMember:
    if member.background:
        return member
    known = {name.upper() for name in (member.person, *member.aliases)} | small
    tokens = {token: None for name in names if _is_first_and_last(name) for token in name.tokens}
    parts = [
        token
        for token in tokens
        if token not in known and owners[token] == {member.person} and not is_role(token)
    ]
    return replace(member, aliases=(*member.aliases, *parts))


def _is_first_and_last(name: Name) -> bool:
    """RICK BLAINE, with a given name in it: not HIGH SHERIFF, and not what a scan tore apart."""
    if len(name.tokens) < 2 or name.apart or name.joint:
        return False
    long = all(len(token) > 2 and token.isalpha() for token in name.tokens)
    return long and any(token.lower() in given_names() for token in name.tokens)


def _warnings(
    members: Sequence[CastMember], lines: Counter[str], listed: Sequence[Listed]
) -> Iterable[str]:
    if not lines:
        yield "nobody speaks in the screenplay, so the cast is only what cast.csv lists"
    silent = [row.person for row in listed
              if not any(m.person == row.person and m.lines for m in members)]  # fmt: skip
    if lines and silent:
        yield f"cast.csv lists {', '.join(silent)}, whom the screenplay never lets speak"
