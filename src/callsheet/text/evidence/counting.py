"""How much evidence there is: the paper's constraint table, and the counts of each person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from callsheet.core import ACTIONS, Evidence, EvidenceKind


@dataclass(frozen=True, slots=True)
class EvidenceCounts:
    """Counts by kind; statements by action; each person's lines, mentions and statements."""

    kinds: dict[str, int]
    actions: dict[str, int]
    people: dict[str, dict[str, int]]

    @property
    def statements(self) -> int:
        return self.kinds[EvidenceKind.STATEMENT.value]


def count_evidence(evidence: Iterable[Evidence]) -> EvidenceCounts:
    """Count; the 13 actions come first in the paper's order, then others."""
    evidence = list(evidence)
    kinds = Counter(e.kind.value for e in evidence)
    actions = Counter(e.action for e in evidence if e.action)
    order = dict.fromkeys((*ACTIONS, *sorted(actions)))
    return EvidenceCounts(
        {kind.value: kinds[kind.value] for kind in EvidenceKind},
        {action: actions[action] for action in order},
        _by_person(evidence),
    )


def _by_person(evidence: Iterable[Evidence]) -> dict[str, dict[str, int]]:
    """Who has most evidence comes first."""
    found: dict[str, Counter[str]] = {}
    for one in evidence:
        if one.person is not None:
            found.setdefault(one.person, Counter())[one.kind.value] += 1
    ordered = sorted(found, key=lambda person: (-found[person].total(), person))
    return {p: {kind.value: found[p][kind.value] for kind in EvidenceKind} for p in ordered}
