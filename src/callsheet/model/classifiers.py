"""Linear classifiers on disk: `NAME.json` says what the columns mean, `NAME_weights.npy` is W.

W: weights (d + 1, K) with the constant column's row last, or (d, K) where there is none.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import Vocabulary
from callsheet.errors import InputError, StoreError
from callsheet.model.lifting import Lift
from callsheet.store import open_matrix, write_matrix, write_text

Array = NDArray[Any]
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Classifier:
    """Scores of descriptors: lift, add the constant column, multiply by `weights`."""

    labels: Vocabulary
    weights: Array
    bias: float
    lift: Lift

    def scores(self, descriptors: Array) -> Array:
        """Scores (tracks, labels) of descriptors (tracks, columns)."""
        if descriptors.shape[1] != self.lift.columns:
            raise InputError(
                f"the classifier was learned on descriptors of {self.lift.columns} columns,"
                f" got {descriptors.shape[1]}"
            )
        return linear_scores(self.lift(np.asarray(descriptors)), self.weights, self.bias)


def linear_scores(features: Array, weights: Array, bias: float) -> Array:
    """XW with the constant column worked in, (rows, labels); products in 32 bits or more."""
    kind = np.result_type(features.dtype, np.float32)
    columns = features.shape[1]
    constant = bias * weights[columns] if len(weights) > columns else 0.0
    scores: Array = np.asarray(features, kind) @ weights[:columns].astype(kind) + constant
    return scores


def write_classifier(
    folder: Path, name: str, classifier: Classifier, notes: Mapping[str, Any]
) -> None:
    """Write both files; `notes` (settings, gap, ...) go into the JSON."""
    write_matrix(folder / f"{name}_weights.npy", classifier.weights)
    form = {"bias": classifier.bias, "lift": classifier.lift.describe()}
    write_notes(folder, name, classifier.labels, {**form, **notes})


def write_notes(folder: Path, name: str, labels: Vocabulary, notes: Mapping[str, Any]) -> None:
    """Write NAME.json alone: which labels the columns of NAME.npy stand for."""
    content = {"callsheet.classifier": FORMAT, "labels": list(labels), **notes}
    write_text(folder / f"{name}.json", json.dumps(content, indent=1) + "\n")


def read_classifier(folder: Path, name: str) -> Classifier:
    """Read what `write_classifier` wrote."""
    content = read_notes(folder, name)
    if not (folder / f"{name}_weights.npy").exists():
        raise StoreError(
            f"{folder} holds {name} of a film, but no classifier ({name}_weights.npy); give the"
            " folder where one was learned: of names a film's, of actions the one beside the films"
        )
    try:
        labels = Vocabulary(tuple(content["labels"]))
        lift = Lift(**content["lift"])
        bias = float(content["bias"])
    except (KeyError, TypeError, ValueError) as error:
        raise StoreError(
            f"{folder / name}.json lacks parts of a classifier ({error}); run its stage again"
        ) from error
    weights = open_matrix(folder / f"{name}_weights.npy", columns=len(labels))
    return Classifier(labels, np.array(weights), bias, lift)


def read_labels_of(folder: Path, name: str) -> Vocabulary:
    """The vocabulary that the columns of NAME.npy stand for."""
    labels = read_notes(folder, name).get("labels")
    if not isinstance(labels, list):
        raise StoreError(f"{folder / name}.json has no labels; run its stage again")
    return Vocabulary(tuple(labels))


def read_notes(folder: Path, name: str) -> dict[str, Any]:
    """The JSON beside a classifier, an assignment or both."""
    path = folder / f"{name}.json"
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoreError(f"{path} does not exist; run the {name} stage", path=str(path)) from None
    except (OSError, ValueError) as error:
        raise StoreError(
            f"{path} is damaged; delete it and run the {name} stage again", path=str(path)
        ) from error
    if not isinstance(content, dict) or content.get("callsheet.classifier", FORMAT) > FORMAT:
        raise StoreError(f"{path} is foreign or of a newer callsheet", path=str(path))
    return content
