"""The explainable voice: verbs, and what must stand around them to tell an action.

A pattern is a row of `resources/verb_patterns.csv` (a user's own actions get learnt ones):

- `verbs`: lemmas, any of them. `particle`: a word that goes with the verb ("up", "open"), or
  a mark: `@bare`, `@chained`, `@dialling`, `@held` (a posture that lasts).
- `object`, `preposition`, `subject`: what the verb takes; alternatives are parted by `|`,
  a preposition's are `with:atom`. Empty: anything or nothing.
- An atom is a lemma, `*` (anything), `-` (no object), `@any`, `@thing`, `@cargo` (a thing, no
  distance), `@idea` (a thing without an article), `@person`, `@somebody` (perhaps a person,
  of no list), `@plural`, `@self`, `@theirbody`, `@ownhand`, or `@class` of
  `resources/noun_classes.csv`; `@phoneit` is "it" where a phone was named, `@nearphone` asks
  only that one was.
- `doer`: `object` where the object does it ("pulls *Kate* to her feet"); else the subject.
- `strength`: strong, medium or weak evidence; `never` takes every match of this action and
  verb back, `state` all but the strong ones ("stands at the window").
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from callsheet.errors import InputError
from callsheet.text.actions.clauses import Clause
from callsheet.text.grammar.lexicon import resource_rows

STRENGTHS = ("weak", "medium", "strong")
_VETOES = ("never", "state")
COLUMNS = ("action", "verbs", "particle", "object", "preposition", "subject", "strength", "doer")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One row of the table."""

    action: str
    verbs: frozenset[str]
    particle: frozenset[str]
    object: tuple[str, ...]
    preposition: tuple[tuple[str, str], ...]
    subject: tuple[str, ...]
    strength: str
    doer: str = ""

    @classmethod
    def of_row(cls, row: dict[str, str]) -> Pattern:
        pairs = (alternative.partition(":") for alternative in _parts(row["preposition"]))
        if row["strength"] not in (*STRENGTHS, *_VETOES):
            choices = ", ".join((*STRENGTHS, *_VETOES))
            raise InputError(f"a pattern's strength is one of {choices}, got {row['strength']!r}")
        return cls(
            row["action"],
            frozenset(_parts(row["verbs"])),
            frozenset(_parts(row["particle"])),
            _parts(row["object"]),
            tuple((word, atom) for word, _, atom in pairs),
            _parts(row["subject"]),
            row["strength"],
            row.get("doer", ""),
        )

    def as_row(self) -> dict[str, str]:
        prepositions = "|".join(f"{word}:{atom}" for word, atom in self.preposition)
        values = (
            self.action, "|".join(sorted(self.verbs)), "|".join(sorted(self.particle)),
            "|".join(self.object), prepositions, "|".join(self.subject), self.strength,
            self.doer,
        )  # fmt: skip
        return dict(zip(COLUMNS, values, strict=True))

    def fits(self, clause: Clause) -> bool:
        """Whether everything the pattern asks for stands around the clause's verb."""
        if self.particle and not self.particle & clause.particles:
            return False
        if self.object and not any(clause.has_object(atom) for atom in self.object):
            return False
        if self.preposition and not self._has_phrase(clause):
            return False
        return not self.subject or any(clause.has_subject(atom) for atom in self.subject)

    def _has_phrase(self, clause: Clause) -> bool:
        """One of the phrases; for a state behind the verb: "*in the bar* he stands" is none."""
        after = self.strength == "state"
        return any(clause.has_phrase(w, a, after=after) for w, a in self.preposition)


@dataclass(frozen=True, slots=True)
class Match:
    """A verb that tells an action: how strongly, by which pattern (in words).

    `by_object`: the verb's object does it.
    """

    action: str
    clause: Clause
    strength: str
    rule: str
    by_object: bool = False


@dataclass(frozen=True, slots=True)
class PatternTable:
    """Patterns, looked up by verb."""

    patterns: tuple[Pattern, ...]
    _by_verb: dict[str, list[Pattern]]

    @classmethod
    def of(cls, patterns: Iterable[Pattern]) -> PatternTable:
        patterns = tuple(patterns)
        by_verb: dict[str, list[Pattern]] = {}
        for pattern in patterns:
            for verb in pattern.verbs:
                by_verb.setdefault(verb, []).append(pattern)
        return cls(patterns, by_verb)

    def knows(self, verb: str) -> bool:
        return verb in self._by_verb

    def matches(self, clause: Clause) -> list[Match]:
        """The actions that the clause's verb tells, each with its strongest pattern."""
        fitting: dict[str, list[Pattern]] = {}
        for pattern in self._by_verb.get(clause.verb.lemma, ()):
            if pattern.fits(clause):
                fitting.setdefault(pattern.action, []).append(pattern)
        found = ((action, _strongest(patterns)) for action, patterns in fitting.items())
        return [
            Match(action, clause, best.strength, _rule(clause, best), best.doer == "object")
            for action, best in found
            if best is not None
        ]

    def vetoed(self, clause: Clause) -> set[str]:
        """Actions that the verb surely does not tell here: "runs a company"."""
        return {
            pattern.action
            for pattern in self._by_verb.get(clause.verb.lemma, ())
            if pattern.strength == "never" and pattern.fits(clause)
        }


@cache
def shipped_patterns() -> tuple[Pattern, ...]:
    """The package's own table, for the 13 actions."""
    return tuple(Pattern.of_row(row) for row in resource_rows("verb_patterns.csv"))


def _strongest(patterns: Sequence[Pattern]) -> Pattern | None:
    strengths = {pattern.strength for pattern in patterns}
    if "never" in strengths:
        return None
    floor = "strong" if "state" in strengths else "weak"
    allowed = [p for p in patterns if p.strength in STRENGTHS[STRENGTHS.index(floor) :]]
    return max(allowed, key=lambda p: STRENGTHS.index(p.strength), default=None)


def _rule(clause: Clause, pattern: Pattern) -> str:
    particle = sorted(pattern.particle & clause.particles)
    needs = [f"{w}:{a}" for w, a in pattern.preposition if clause.has_phrase(w, a)][:1]
    objects = [a for a in pattern.object if a != "-" and clause.has_object(a)][:1]
    return " ".join([clause.verb.lemma, *particle[:1], *objects, *needs])


def _parts(cell: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split("|") if part.strip())
