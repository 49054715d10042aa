"""Truth as people have it: read any known form into labels and boxes of truth tracks."""

from callsheet.evaluation.truth.forms import FORMS, read_truth
from callsheet.evaluation.truth.truth import Boxes, Truth

__all__ = ["FORMS", "Boxes", "Truth", "read_truth"]
