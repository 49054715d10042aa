"""Judge a film's labels by the truth: match tracks, measure, write evaluation.json."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet._version import __version__
from callsheet.core import StageResult
from callsheet.errors import InputError
from callsheet.evaluation import measures
from callsheet.evaluation.bootstrap import Interval, bootstrap
from callsheet.evaluation.linking import how_linked, labels_of, link_tracks
from callsheet.evaluation.scored import FilmAnswer, Scored, read_answer, score_films
from callsheet.evaluation.settings import EvaluationSettings
from callsheet.evaluation.truth import read_truth
from callsheet.store import write_text

Array = NDArray[Any]
QUESTIONS = {"person": "face", "action": "body"}
"""What is asked of which kind of track: names of faces, actions of bodies, as in the paper."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A number, its interval, and the signature that says how it was measured."""

    name: str
    value: float
    interval: Interval
    signature: str

    def __str__(self) -> str:
        low, high = self.interval.low, self.interval.high
        return f"{self.name:28}{self.value:7.3f}  [{low:.3f}, {high:.3f}]  {self.signature}"


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All measures of some films, and how many tracks could be judged."""

    measures: tuple[Measure, ...]
    tracks: dict[str, int]  # judged tracks of each question
    missed: int  # truth tracks that no predicted track shows
    warnings: tuple[str, ...]

    def value(self, name: str) -> float:
        """Value of the measure with this name."""
        for measure in self.measures:
            if measure.name == name:
                return measure.value
        known = ", ".join(measure.name for measure in self.measures)
        raise InputError(f"no measure {name!r}; there are {known}")

    def as_json(self) -> dict[str, Any]:
        """Plain values; what is not a number is null."""
        return {"callsheet.evaluation": 1, **_finite(asdict(self))}

    def table(self) -> str:
        """As text, one measure a line."""
        return "\n".join(map(str, self.measures))


def make_evaluation(
    folder: Path, truth: Path | None = None, settings: EvaluationSettings | None = None
) -> StageResult:
    """Judge one film folder; write evaluation.json; `truth` defaults to the folder itself."""
    result = evaluate_films([folder], [truth or folder], settings)
    write_text(folder / "evaluation.json", json.dumps(result.as_json(), indent=1) + "\n")
    summary = {m.name: _finite(m.value) for m in result.measures}
    return StageResult(summary | {"missed": result.missed}, result.warnings)


def evaluate_films(
    folders: Sequence[Path],
    truths: Sequence[Path],
    settings: EvaluationSettings | None = None,
) -> Evaluation:
    """Judge films together; truth i (file or folder, any known form) is of film folder i."""
    settings = settings or EvaluationSettings()
    read = [read_truth(path) for path in truths]
    linked = [link_tracks(f, t, settings) for f, t in zip(folders, read, strict=True)]
    found, counts = [], {}
    warnings = [warning for links in linked for warning in links.warnings]
    for question, kind in QUESTIONS.items():
        asked = [labels_of(t, links, f, question, kind)
                 for f, t, links in zip(folders, read, linked, strict=True)]  # fmt: skip
        if not any(asked):
            continue
        answers = [read_answer(folder, question) for folder in folders]
        scored, unknown = score_films(answers, asked)
        counts[question] = len(scored)
        how = how_linked(read, settings)
        found += list(measure_question(scored, question, settings, matched=how))
        if unknown:
            warnings.append(f"{unknown} true {question} labels are in no vocabulary of the labels"
                            " and count as background")  # fmt: skip
    if not counts:
        raise InputError("no predicted track shows a labelled truth track: is it the same film?")
    missed = sum(links.missed for links in linked)
    return Evaluation(tuple(found), counts, missed, tuple(warnings))


def measure_question(
    scored: Scored, question: str, settings: EvaluationSettings, *, matched: str = "id"
) -> Iterator[Measure]:
    """Every measure of one question, with intervals."""
    found = _person_measures(scored) if question == "person" else _action_measures(scored)
    for name, function in found:
        value = function(np.ones(len(scored), int))
        interval = bootstrap(
            function, scored.films, draws=settings.draws if math.isfinite(value) else 0,
            level=settings.level, seed=settings.seed,
        )  # fmt: skip
        yield Measure(name, value, interval, _signature(scored, name, interval, matched, settings))


Counted = Callable[[Array], float]
"""A measure of how often each row stands there."""


def _person_measures(scored: Scored) -> Iterator[tuple[str, Counted]]:
    yield "name accuracy", _share(scored.truth == scored.predicted)
    yield "name precision", _share(scored.truth == scored.predicted, scored.predicted > 0)
    yield "name decided", _share(scored.predicted != measures.ABSTAINED)
    best = 1 + scored.scores[:, 1:].argmax(axis=1) if len(scored.vocabulary) > 1 else 0
    top = scored.scores[:, 1:].max(axis=1, initial=-np.inf)
    named = measures.RankedHits(best == scored.truth, top, scored.truth > 0)
    yield "name multi-class AP", named.average_precision
    background = measures.RankedHits(scored.truth == 0, scored.scores[:, 0])
    yield "name background AP", background.average_precision


def _action_measures(scored: Scored) -> Iterator[tuple[str, Counted]]:
    yield "action accuracy", _share(scored.truth == scored.predicted)
    yield "action precision", _share(scored.truth == scored.predicted, scored.predicted > 0)
    ranked = {
        label: measures.RankedHits(scored.truth == column, scored.scores[:, column])
        for column, label in enumerate(scored.vocabulary)
        if column and np.any(scored.truth == column)
    }
    if ranked:
        yield "action mAP", lambda counts: _mean_of(ranked.values(), counts)
    for label, hits in ranked.items():
        yield f"AP {label}", hits.average_precision


def _share(right: Array, among: Array | None = None) -> Counted:
    """Share of `right` rows (of those `among`)."""
    asked = np.ones(len(right), bool) if among is None else among

    def share(counts: Array) -> float:
        total = counts[asked].sum()
        return float(counts[asked & right].sum() / total) if total else float("nan")

    return share


def _mean_of(ranked: Iterable[measures.RankedHits], counts: Array) -> float:
    """Mean average precision over the labels that were drawn."""
    values = [hits.average_precision(counts) for hits in ranked]
    known = [value for value in values if math.isfinite(value)]
    return sum(known) / len(known) if known else float("nan")


def _signature(
    scored: Scored, name: str, interval: Interval, matched: str, settings: EvaluationSettings
) -> str:
    """Everything that changes the number, on one line, so that it can be compared."""
    films = len(np.unique(scored.films))
    return (
        f"{name.replace(' ', '-')}|tracks:{len(scored)}|films:{films}"
        f"|labels:{len(scored.vocabulary)}|ties:grouped|match:{matched}"
        f"|interval:{interval.level:g}/{interval.draws}@{interval.units}/seed{settings.seed}"
        f"|callsheet:{__version__}"
    )


def _finite(value: Any) -> Any:
    """JSON has no NaN: null instead."""
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


__all__ = ["Evaluation", "FilmAnswer", "Measure", "evaluate_films", "make_evaluation"]
