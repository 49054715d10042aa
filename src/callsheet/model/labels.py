"""The answer of one film: labels.parquet and scores.parquet.

Faces are asked who they show, bodies what they do, and linked tracks pass their answers on to
each other. Of a track that nobody asks (a body whose face is not seen) a person's pin is the
answer. Reasons are the evidence whose bags hold the track and carry its label.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from callsheet.bags import FilmTracks, cooccurring_groups, read_tracks
from callsheet.core import BACKGROUND, Bag, Progress, StageResult, TrackKind, no_progress
from callsheet.errors import InputError
from callsheet.model.actions import read_name_weights
from callsheet.model.calibration import (
    NO_THRESHOLD,
    Threshold,
    choose_beyond_decoys,
    choose_threshold,
)
from callsheet.model.deciding import Decision, Keep, Opinion, decide
from callsheet.model.film_inputs import FilmInputs, read_film, read_pins, unknown_pins
from callsheet.model.keeping import NO_QUOTAS, Quotas, keep_quotas, quotas_of
from callsheet.model.opinions import read_opinion
from callsheet.model.settings import LabelSettings
from callsheet.model.trials import Decoys, Trials, hold_trials, told_labels
from callsheet.store import SCHEMAS, open_matrix, write_table

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Answered:
    """One question's decision and the tracks it was asked of."""

    tracks: FilmTracks
    decision: Decision
    reasons: tuple[tuple[int, ...], ...]  # evidence ids, one tuple a track
    warnings: tuple[str, ...]


def make_labels(
    folder: Path, settings: LabelSettings | None = None, progress: Progress = no_progress
) -> StageResult:
    """Decide the labels of a film folder from what the names and actions stages wrote."""
    settings = settings or LabelSettings()
    tracks = read_tracks(folder)
    pinned = {question: read_pins(folder, tracks, question) for question in ("person", "action")}
    persons = _answer_persons(folder, settings)
    progress(0.4)
    actions = _answer_actions(folder, settings, pinned["person"], persons)
    progress(0.7)
    if persons is None and actions is None:
        raise InputError(
            f"{folder} has neither names nor actions to decide on; run the names or actions"
            " stage, or predict with a classifier"
        )
    columns = {
        **_columns("person", tracks, persons, pinned["person"]),
        **_columns("action", tracks, actions, pinned["action"]),
    }
    write_table(folder / "labels.parquet", SCHEMAS["labels"], {"track": tracks.track, **columns})
    write_table(folder / "scores.parquet", SCHEMAS["scores"], _scores(persons, actions))
    progress(1.0)
    result = _result(persons, actions)
    people = _people(tracks, columns["person"]) if persons else {}
    return StageResult({**result.summary, **people}, result.warnings)


def _people(tracks: FilmTracks, names: Sequence[str | None]) -> dict[str, int]:
    """How many are seen and named, as the pages count: bodies, and faces that no body shows."""
    once = ~(tracks.is_face & (tracks.linked >= 0))
    named = np.array([name not in (None, BACKGROUND) for name in names], bool)
    return {"people": int(once.sum()), "people_named": int((once & named).sum())}


def _answer_persons(folder: Path, settings: LabelSettings) -> Answered | None:
    if not (folder / "name_scores.npy").exists():
        return None
    film = read_film(folder, TrackKind.FACE)
    opinion = read_opinion(folder, "names", len(film))
    together = cooccurring_groups(film.tracks) if settings.nobody_twice else []
    quotas = quotas_of(folder, "names", film, opinion, _person)
    decision = decide(
        opinion, pins=film.pins, together=together,
        keep=_keep(film, quotas, together, settings),
        threshold=_name_threshold(folder, film, opinion, settings),
        least_margin=settings.least_margin,
    )  # fmt: skip
    reasons = _person_reasons(film, decision)
    warnings = (*film.warnings, *unknown_pins(film, opinion.labels))
    return Answered(film.tracks, decision, reasons, warnings)


def _answer_actions(
    folder: Path, settings: LabelSettings, pinned: Mapping[int, str], persons: Answered | None
) -> Answered | None:
    if not (folder / "action_scores.npy").exists():
        return None
    film = read_film(folder, TrackKind.BODY)
    opinion = read_opinion(folder, "actions", len(film))
    learned = opinion.assignment is not None
    quotas = quotas_of(
        folder, "actions", film, opinion, _action, read_name_weights(folder, film)
    ) if learned else NO_QUOTAS  # fmt: skip
    asked = settings.precision > 0
    decision = decide(
        opinion, pins=film.pins, keep=_keep(film, quotas, (), settings),
        threshold=_action_threshold(folder, settings, vouched=learned),
        vouched=told_labels(film, opinion.labels, _action) if asked and learned else None,
        least_margin=settings.least_margin,
    )  # fmt: skip
    who = _persons_of(film.tracks, persons, pinned)
    warnings = (*film.warnings, *unknown_pins(film, opinion.labels))
    return Answered(film.tracks, decision, _action_reasons(film, decision, who), warnings)


def _keep(
    film: FilmInputs, quotas: Quotas, together: Sequence[Array], settings: LabelSettings
) -> Keep | None:
    if not settings.keep_quotas:
        return None
    return partial(keep_quotas, quotas=quotas, together=together, pinned=film.pins)


def _name_threshold(
    folder: Path, film: FilmInputs, opinion: Opinion, settings: LabelSettings
) -> Threshold:
    """By the film's own bags and pins; of a film that was only predicted, by its teacher's."""
    if not settings.precision:
        return NO_THRESHOLD
    if opinion.assignment is not None:
        trials = hold_trials(film, opinion.labels, _person, opinion.scores, largest=1)
    else:
        trials = Trials.of_matrix(_stored(folder / "name_trials.npy", columns=4))
    return choose_threshold(
        trials.margin, trials.agrees, settings.precision, certain=trials.certain,
        twice=trials.twice, floor=settings.evidence_truth,
    )  # fmt: skip


def _action_threshold(folder: Path, settings: LabelSettings, *, vouched: bool) -> Threshold:
    """By the decoys of all films that the classifier learned from.

    Where no bag vouches for a label, labels outside bags are what is given: all of them count.
    """
    if not settings.precision:
        return NO_THRESHOLD
    decoys = Decoys.of_matrix(_stored(folder / "action_trials.npy", columns=3))
    return choose_beyond_decoys(
        decoys.margin, decoys.value, decoys.target, settings.precision, everywhere=not vouched
    )


def _stored(path: Path, *, columns: int) -> Array:
    stored: Array = open_matrix(path, columns=columns) if path.exists() else np.zeros((0, columns))
    return stored


def _action(bag: Bag) -> str | None:
    return bag.action


def _person(bag: Bag) -> str | None:
    return bag.person


def _bags_of(film: FilmInputs, tracks: int) -> list[list[Bag]]:
    """The bags each track is in."""
    inside: list[list[Bag]] = [[] for _ in range(tracks)]
    for bag in film.bags:
        for place in film.tracks.places(np.asarray(bag.tracks, np.int64)).tolist():
            if place >= 0:
                inside[place].append(bag)
    return inside


def _person_reasons(film: FilmInputs, decision: Decision) -> tuple[tuple[int, ...], ...]:
    inside = _bags_of(film, len(film))
    return tuple(
        tuple(bag.evidence for bag in bags if bag.person == decision.label(row))
        for row, bags in enumerate(inside)
    )


def _action_reasons(
    film: FilmInputs, decision: Decision, who: Mapping[int, str | None]
) -> tuple[tuple[int, ...], ...]:
    """A statement about somebody is no reason for a track that shows somebody else."""
    return tuple(
        tuple(
            bag.evidence
            for bag in bags
            if bag.action == decision.label(row)
            and (bag.person is None or who.get(row) in (None, bag.person))
        )
        for row, bags in enumerate(_bags_of(film, len(film)))
    )


def _persons_of(
    bodies: FilmTracks, persons: Answered | None, pinned: Mapping[int, str]
) -> dict[int, str | None]:
    """Who each body shows, by its linked face; where none is seen, by what a person said."""
    ids = enumerate(bodies.track.tolist())
    who: dict[int, str | None] = {body: pinned[track] for body, track in ids if track in pinned}
    if persons is None:
        return who
    places = persons.tracks.places(bodies.linked)
    return who | {
        body: persons.decision.label(int(face))
        for body, face in enumerate(places.tolist())
        if face >= 0
    }


SURE = 1.0
"""Score and margin of a pin that stands alone: the whole assignment, and no classifier's word."""


def _columns(
    question: str, tracks: FilmTracks, answer: Answered | None, pinned: Mapping[int, str]
) -> dict[str, Any]:
    """The four columns of a question for all tracks: one's own answer before the linked one's,
    and before what a person said of a track that was not asked.
    """
    if answer is None:
        place = np.full(len(tracks), -1)
    else:
        own, linked = answer.tracks.places(tracks.track), answer.tracks.places(tracks.linked)
        place = np.where(own >= 0, own, np.where(tracks.linked >= 0, linked, -1))
    asked = place.tolist()
    d = answer.decision if answer else None
    known = set(d.labels.names) if d else {BACKGROUND}
    said = [label if (label := pinned.get(track)) in known else None
            for track in tracks.track.tolist()]  # fmt: skip
    sure = [None if label is None else SURE for label in said]
    return {
        question: [d.label(p) if d and p >= 0 else other
                   for p, other in zip(asked, said, strict=True)],
        f"{question}_score": [float(d.score[p]) if d and p >= 0 else other
                              for p, other in zip(asked, sure, strict=True)],
        f"{question}_margin": [float(d.margin[p]) if d and p >= 0 else other
                               for p, other in zip(asked, sure, strict=True)],
        f"{question}_reasons": [list(answer.reasons[p]) if answer and p >= 0 else []
                                for p in asked],
    }  # fmt: skip


def _scores(persons: Answered | None, actions: Answered | None) -> dict[str, Any]:
    """Every score of the question that each kind of track was asked itself."""
    parts = [_long("person", persons), _long("action", actions)]
    return {
        name: pa.concat_arrays([part[name] for part in parts])
        for name in ("track", "kind", "label", "score")
    }


def _long(question: str, answer: Answered | None) -> dict[str, Any]:
    if answer is None:
        text = pa.array([], pa.string())
        return {"track": pa.array([], pa.int32()), "kind": text, "label": text,
                "score": pa.array([], pa.float32())}  # fmt: skip
    ranking, names = answer.decision.ranking, answer.decision.labels.names
    rows, labels = ranking.shape
    columns = np.tile(np.arange(labels, dtype=np.int32), rows)
    dictionary = pa.DictionaryArray.from_arrays(pa.array(columns), pa.array(names))
    return {
        "track": pa.array(np.repeat(answer.tracks.track, labels).astype(np.int32)),
        "kind": pa.repeat(question, rows * labels),
        "label": dictionary.cast(pa.string()),
        "score": pa.array(ranking.ravel().astype(np.float32)),
    }


def _result(persons: Answered | None, actions: Answered | None) -> StageResult:
    summary: dict[str, Any] = {}
    for question, answer in (("person", persons), ("action", actions)):
        if answer is None:
            continue
        columns = answer.decision.columns
        summary |= {
            f"{question}_tracks": len(columns),
            f"{question}_named": int((columns > 0).sum()),
            f"{question}_abstained": int((columns < 0).sum()),
        }
        if answer.decision.threshold is not NO_THRESHOLD:
            summary[f"{question}_threshold"] = answer.decision.threshold.note()
    warnings = [w for answer in (persons, actions) if answer for w in answer.warnings]
    return StageResult(summary, tuple(warnings))
