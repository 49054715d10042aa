"""Count bags like the paper's table of constraints, and look for those that cannot hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from callsheet.bags.making import read_bags
from callsheet.bags.tracks import FilmTracks, read_tracks
from callsheet.core import ACTIONS, Bag, TrackKind


@dataclass(frozen=True, slots=True)
class KindAudit:
    """Bags of one kind (names over faces, actions over bodies), all films together."""

    bags: int
    labels: dict[str, int]  # bags of each label
    empty: int  # no track in the span
    undescribed: int  # tracks, but none with a descriptor
    contradictory: int  # bags whose only track is another label's only track too
    with_person: int
    tracks: int
    covered: int  # tracks in at least one bag
    smallest: int
    median: float
    mean: float
    largest: int

    @property
    def uncovered_share(self) -> float:
        return 1 - self.covered / self.tracks if self.tracks else 1.0


@dataclass(frozen=True, slots=True)
class BagAudit:
    """What a set of films offers to learn from."""

    films: int
    names: KindAudit
    actions: KindAudit

    def table(self) -> str:
        """As text: one line a kind, then the bags of each action as in the paper's Table 7."""
        lines = ["          bags  empty  undescr.  contrad.  with person  median  mean  largest"
                 "  tracks  in no bag"]  # fmt: skip
        for title, kind in (("names", self.names), ("actions", self.actions)):
            person = kind.with_person / kind.bags if kind.bags else 0.0
            lines.append(
                f"{title:8}{kind.bags:6}{kind.empty:7}{kind.undescribed:10}{kind.contradictory:10}"
                f"{person:13.1%}{kind.median:8.0f}{kind.mean:6.1f}{kind.largest:9}"
                f"{kind.tracks:8}{kind.uncovered_share:11.1%}"
            )
        ours = {action: self.actions.labels.get(action, 0) for action in ACTIONS}
        counts = (ours | self.actions.labels).items()
        lines += ["", f"Constraints of {self.films} films:"]
        lines += [f"  {action:12}{count:6}" for action, count in counts]
        return "\n".join([*lines, f"  {'Total':12}{self.actions.bags:6}"])


def audit_bags(folders: Sequence[Path]) -> BagAudit:
    """Audit the bags of film folders."""
    films = [(read_tracks(folder), read_bags(folder)) for folder in folders]
    names = _audit([(t.of_kind(TrackKind.FACE), _of(b, named=True)) for t, b in films])
    actions = _audit([(t.of_kind(TrackKind.BODY), _of(b, named=False)) for t, b in films])
    return BagAudit(len(films), names, actions)


def _of(bags: Iterable[Bag], *, named: bool) -> list[Bag]:
    return [bag for bag in bags if (bag.action is None) == named]


def _audit(films: Sequence[tuple[FilmTracks, list[Bag]]]) -> KindAudit:
    bags = [bag for _, film_bags in films for bag in film_bags]
    sizes = np.array([len(bag.tracks) for bag in bags] or [0])
    return KindAudit(
        bags=len(bags),
        labels=dict(Counter(_label(bag) for bag in bags).most_common()),
        empty=sum(not bag.tracks for bag in bags),
        undescribed=sum(_undescribed(tracks, film_bags) for tracks, film_bags in films),
        contradictory=sum(_contradictory(film_bags) for _, film_bags in films),
        with_person=sum(bag.person is not None for bag in bags),
        tracks=sum(len(tracks) for tracks, _ in films),
        covered=sum(len({t for bag in film_bags for t in bag.tracks}) for _, film_bags in films),
        smallest=int(sizes.min()),
        median=float(np.median(sizes)),
        mean=float(sizes.mean()),
        largest=int(sizes.max()),
    )


def _label(bag: Bag) -> str:
    return bag.action or bag.person or ""


def _undescribed(tracks: FilmTracks, bags: Iterable[Bag]) -> int:
    described = set(tracks.described().track.tolist())
    return sum(bool(bag.tracks) and described.isdisjoint(bag.tracks) for bag in bags)


def _contradictory(bags: Iterable[Bag]) -> int:
    """Bags of one track which other bags of that track alone give another label."""
    alone = [(bag.tracks[0], _label(bag)) for bag in bags if len(bag.tracks) == 1]
    labels: dict[int, set[str]] = {}
    for track, label in alone:
        labels.setdefault(track, set()).add(label)
    return sum(len(labels[track]) > 1 for track, _ in alone)
