"""Labels judged: measures with signatures and intervals, and truth in the forms people have.

`measures` and `retrieval` are the numbers, `bootstrap` their intervals, `matching` says which
truth track a predicted track shows, `truth` reads CSV, tables, MOT and CVAT, and `evaluating`
puts it together for film folders.
"""

from callsheet.evaluation.bootstrap import Interval, bootstrap, of_rows
from callsheet.evaluation.evaluating import (
    Evaluation,
    Measure,
    evaluate_films,
    make_evaluation,
    measure_question,
)
from callsheet.evaluation.matching import Matching, box_iou, match_tracks
from callsheet.evaluation.measures import (
    ABSTAINED,
    Curve,
    RankedHits,
    accuracy,
    average_precision,
    background_ap,
    label_aps,
    mean_ap,
    multi_class_ap,
    multi_class_curve,
    named_precision,
    named_share,
    precision_recall,
)
from callsheet.evaluation.retrieval import RetrievalScore, ranks, retrieval_score
from callsheet.evaluation.scored import Scored
from callsheet.evaluation.settings import EvaluationSettings
from callsheet.evaluation.truth import Boxes, Truth, read_truth

__all__ = [
    "ABSTAINED",
    "Boxes",
    "Curve",
    "Evaluation",
    "EvaluationSettings",
    "Interval",
    "Matching",
    "Measure",
    "RankedHits",
    "RetrievalScore",
    "Scored",
    "Truth",
    "accuracy",
    "average_precision",
    "background_ap",
    "bootstrap",
    "box_iou",
    "evaluate_films",
    "label_aps",
    "make_evaluation",
    "match_tracks",
    "mean_ap",
    "measure_question",
    "multi_class_ap",
    "multi_class_curve",
    "named_precision",
    "named_share",
    "of_rows",
    "precision_recall",
    "ranks",
    "read_truth",
    "retrieval_score",
]
