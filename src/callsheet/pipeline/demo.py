"""The demo: puppet films, the whole pipeline, and what it got right beside the rivals.

Rivals get the same tracks, bags and descriptors as our own method; everything is judged by
the truth that the theatre wrote, over the tracks that the detectors really found.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import ACTION_VOCABULARY, BACKGROUND, TrackKind
from callsheet.evaluation import Scored, mean_ap, multi_class_ap
from callsheet.evaluation.answers import answer_of, judged, true_labels
from callsheet.evaluation.scored import FilmAnswer, read_answer
from callsheet.model import read_film, read_persons
from callsheet.model.rivals import RIVALS, names_task
from callsheet.pipeline.library import Library
from callsheet.pipeline.stage import WORK_FOLDER, FilmWork
from callsheet.pipeline.watched import truth_of
from callsheet.store import file_fingerprint, value_fingerprint, write_text

Array = NDArray[Any]

_MARK = ".rendered"


@dataclass(frozen=True, slots=True)
class Result:
    """One method's numbers. `cast_accuracy`: over the tracks that truly show one of the cast."""

    method: str
    accuracy: float
    cast_accuracy: float
    average_precision: float


def judged_films(library: Library) -> list[FilmWork]:
    """Films that have labels and a truth beside their video."""
    return [w for w in library.works if truth_of(w) and (w.folder / "labels.parquet").exists()]


def _known_truth(work: FilmWork) -> Path:
    truth = truth_of(work)
    assert truth is not None, f"{work.film.film} is judged without a truth"
    return truth


def compare_names(library: Library) -> list[Result]:
    """Ours and every rival, over the face tracks whose truth is known."""
    works = judged_films(library)
    faces = [_face_truth(work) for work in works]
    ours = _result("callsheet", [read_answer(w.folder, "person") for w in works], faces)
    return [ours, *(_rival(name, works, faces) for name in RIVALS)]


def _face_truth(work: FilmWork) -> dict[int, str]:
    truth = true_labels(work.folder, _known_truth(work), "person")
    described = set(read_film(work.folder, TrackKind.FACE).tracks.track.tolist())
    return {track: person for track, person in truth.items() if track in described}


def _rival(name: str, works: Sequence[FilmWork], truths: Sequence[dict[int, str]]) -> Result:
    answers = []
    for work in works:
        film, labels = read_film(work.folder, TrackKind.FACE), read_persons(work.folder)
        scores = RIVALS[name].score(names_task(film, labels))
        answers.append(answer_of(film.tracks.track.tolist(), scores, labels))
    return _result(name, answers, truths)


def _result(method: str, answers: Sequence[FilmAnswer], truths: Sequence[dict[int, str]]) -> Result:
    """Pooled over films; people of different films never share a name."""
    marked = [_marked(answer, str(i)) for i, answer in enumerate(answers)]
    known = [{t: _in_film(p, str(i)) for t, p in truth.items()} for i, truth in enumerate(truths)]
    scored = judged(marked, known)
    right, cast = scored.truth == scored.predicted, scored.truth > 0
    return Result(
        method,
        float(np.mean(right)),
        float(np.mean(right[cast])),
        multi_class_ap(scored.truth, _finite(scored.scores)),
    )


def _in_film(name: str, film: str) -> str:
    return name if name == BACKGROUND else f"{film}/{name}"


def _marked(answer: FilmAnswer, film: str) -> FilmAnswer:
    labels = {t: None if p is None else _in_film(p, film) for t, p in answer.labels.items()}
    scores = {t: {_in_film(p, film): s for p, s in row.items()} for t, row in answer.scores.items()}
    return FilmAnswer(labels, scores)


def _finite(scores: Array) -> Array:
    """Labels of other films lie below every score."""
    return np.where(np.isfinite(scores), scores, -1e9)


def compare_actions(library: Library) -> list[tuple[str, float]]:
    """mAP of ours, of the script alone, and of chance, over body tracks of known truth."""
    works = judged_films(library)
    truths = [_body_truth(work) for work in works]
    ours = judged([read_answer(w.folder, "action") for w in works], truths)
    script = judged([_script_only(work) for work in works], truths)
    return [
        ("callsheet", _map(ours)),
        ("script only", _map(script)),
        ("chance", _by_chance(ours)),
    ]


def _body_truth(work: FilmWork) -> dict[int, str]:
    truth = true_labels(work.folder, _known_truth(work), "action")
    described = set(read_film(work.folder, TrackKind.BODY).tracks.track.tolist())
    return {track: action for track, action in truth.items() if track in described}


def _script_only(work: FilmWork) -> FilmAnswer:
    """The paper's baseline (b): every track of a bag is given the bag's action."""
    film = read_film(work.folder, TrackKind.BODY)
    scores = np.zeros((len(film), len(ACTION_VOCABULARY)))
    scores[:, 0] = 0.5
    for bag in film.bags:
        places = film.tracks.places(np.asarray(bag.tracks, np.int64))
        if bag.action is not None and bag.action in ACTION_VOCABULARY:
            scores[places[places >= 0], ACTION_VOCABULARY.column(bag.action)] = 1.0
    return answer_of(film.tracks.track.tolist(), scores, ACTION_VOCABULARY)


def _map(scored: Scored) -> float:
    return mean_ap(scored.truth, _finite(scored.scores))


def _by_chance(scored: Scored) -> float:
    """Expected mAP of a random ranking: each action's share of the tracks."""
    shares = [np.mean(scored.truth == k) for k in range(1, len(scored.vocabulary))]
    return float(np.mean([s for s in shares if s > 0]))


def render_and_open(
    folder: Path, *, films: int, seed: int, seconds: float, render: Callable[..., Any]
) -> Library:
    """Render the films unless this very library is there already, and open it.

    The mark tells what was asked, which theatre painted it, and the films it made: those of an
    earlier demo are taken away before others are rendered in their place.
    """
    asked = {"films": films, "seconds": seconds, "seed": seed, "theatre": theatre_version()}
    mark = _read_mark(folder)
    if mark.get("asked") != asked:
        made = mark.get("made", [])
        _write_mark(folder, None, made)  # a render that is killed is not taken for a whole one
        for name in made:
            shutil.rmtree(folder / name, ignore_errors=True)
            shutil.rmtree(folder / WORK_FOLDER / name, ignore_errors=True)
        before = {path.name for path in folder.iterdir()}
        render(folder, films=films, seed=seed, seconds=seconds)
        new = sorted(path.name for path in folder.iterdir() if path.name not in before)
        _write_mark(folder, asked, new)
    return Library.open(folder)


def theatre_version() -> str:
    """A fingerprint of the code that paints the films."""
    sources = sorted(Path(__file__).parents[1].joinpath("theatre", "stage").rglob("*.py"))
    return value_fingerprint({path.name: file_fingerprint(path) for path in sources})


def _read_mark(folder: Path) -> dict[str, Any]:
    try:
        mark = json.loads((folder / _MARK).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return mark if isinstance(mark, dict) else {}


def _write_mark(folder: Path, asked: dict[str, Any] | None, made: Sequence[str]) -> None:
    content = {"asked": asked, "made": list(made)}
    write_text(folder / _MARK, json.dumps(content, indent=1) + "\n")
