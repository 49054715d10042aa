"""Where a film's truth lies beside it (`truth/`, as the theatre writes it), judge its labels.

The numbers go into the film's page; nothing of the truth is ever read by the stages before.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from callsheet.evaluation import Scored, evaluate_films, multi_class_curve
from callsheet.evaluation.answers import confusion, judged, true_labels
from callsheet.evaluation.scored import read_answer
from callsheet.pipeline.stage import FilmWork
from callsheet.report.page.truth import FILE
from callsheet.store import write_text


def truth_of(work: FilmWork) -> Path | None:
    """The film's truth folder, if there is one beside its video."""
    video = work.film.video
    folder = None if video is None else video.parent / "truth"
    return folder if folder is not None and (folder / "truth.parquet").exists() else None


def judge(work: FilmWork) -> bool:
    """Write the section of the film's page; False where there is nothing to judge by."""
    truth = truth_of(work)
    if truth is None or not (work.folder / "labels.parquet").exists():
        return False
    evaluation = evaluate_films([work.folder], [truth])
    persons = true_labels(work.folder, truth, "person")
    section = {
        "lines": [str(measure) for measure in evaluation.measures],
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
