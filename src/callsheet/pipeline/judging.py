"""Where a film's truth lies beside it (`truth/`, as the theatre writes it), judge its labels.

The numbers go into the film's page; nothing of the truth is ever read by the stages before.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from callsheet.evaluation import Scored, evaluate_films, multi_class_curve
from callsheet.evaluation.answers import confusion, judged, true_labels
from callsheet.evaluation.scored import read_answer
from callsheet.pipeline.stage import FilmWork
from callsheet.pipeline.telling import told
from callsheet.pipeline.watched import truth_of
from callsheet.report.page.truth import FILE
from callsheet.store import write_text


def judge_all(works: Sequence[FilmWork]) -> tuple[str, ...]:
    """Judge every film that has a truth; a warning for each that could not be judged."""
    warnings: list[str] = []
    for work in works:
        try:
            judge(work)
        except Exception as error:  # noqa: BLE001 — one odd truth must not cost all films their pages
            (work.folder / FILE).unlink(missing_ok=True)
            warnings.append(f"{work.film.film}: not judged by its truth: {told(error)}")
    return tuple(warnings)


def judge(work: FilmWork) -> bool:
    """Write the section of the film's page; without a truth or labels there is none (any more)."""
    truth = truth_of(work)
    if truth is None or not (work.folder / "labels.parquet").exists():
        (work.folder / FILE).unlink(missing_ok=True)
        return False
    evaluation = evaluate_films([work.folder], [truth])
    persons = true_labels(work.folder, truth, "person")
    section = {
        "lines": [str(m) for m in evaluation.measures if np.isfinite(m.value)],
        **_pictures(judged([read_answer(work.folder, "person")], [persons])),
    }
    write_text(work.folder / FILE, json.dumps(section) + "\n")
    return True


def _pictures(scored: Scored) -> dict[str, Any]:
    finite = np.where(np.isfinite(scored.scores), scored.scores, -1e9)
    curve = multi_class_curve(scored.truth, finite)
    names = list(scored.vocabulary.names)
    counts = confusion(scored)
    rows = [{"name": n, "counts": row.tolist()} for n, row in zip(names, counts, strict=True)]
    used = np.isfinite(curve.recall) & np.isfinite(curve.precision)
    return {
        "curves": [
            {
                "name": "names: precision over recall",
                "recall": curve.recall[used].tolist(),
                "precision": curve.precision[used].tolist(),
            }
        ],
        "confusion": {"names": [*names, "abstained"], "rows": rows},
    }
