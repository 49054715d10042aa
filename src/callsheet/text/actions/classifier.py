"""The paper's voice: TF-IDF of words and word pairs, one linear SVM an action, calibrated.

Letters: a sentence's TF-IDF vector x (unit length), an action's weights w and bias b give the
margin m = wᵀx + b, and its calibration (a, c) the probability 1 / (1 + exp(-(a m + c))).
The combination adds what the verb patterns found: log-odds = a' m + s(strength) + c', the same
few numbers for all actions (`Blend`).

A model is one `.npz` file of plain arrays: no pickle, and scikit-learn is not needed to use it.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from callsheet.errors import InputError
from callsheet.store import replacing
from callsheet.text.actions.origin import Origin
from callsheet.text.actions.patterns import COLUMNS, STRENGTHS, Pattern, PatternTable

Vector = npt.NDArray[np.float64]
VERSION = 2
LEVELS = ("none", *STRENGTHS)
"""What the patterns say of an action in a sentence."""


@dataclass(frozen=True, slots=True)
class Blend:
    """How the two voices add up: log-odds of margin and of each pattern strength."""

    margin: float
    levels: tuple[float, ...]

    def probability(self, margin: float, level: str) -> float:
        odds = self.margin * margin + self.levels[LEVELS.index(level)]
        return float(1.0 / (1.0 + np.exp(-odds)))


@dataclass(frozen=True)
class ActionModel:
    """Everything needed to judge a sentence. `weights` is (actions, terms)."""

    actions: tuple[str, ...]
    terms: Mapping[str, int]
    rarity: Vector
    weights: Vector
    bias: Vector
    calibration: Vector
    blend: Blend
    patterns: PatternTable
    origin: Origin

    def margins(self, documents: Sequence[Sequence[str]]) -> Vector:
        """Signed distances of tokenised sentences, (sentences, actions)."""
        rows = [self._margin(document) for document in documents]
        return np.array(rows).reshape(len(rows), len(self.actions))

    def probabilities(self, margins: Vector) -> Vector:
        """The SVM's own calibrated probabilities, same shape."""
        slope, offset = self.calibration
        return np.asarray(1.0 / (1.0 + np.exp(-(margins * slope + offset))))

    def weight(self, action: str, term: str) -> float:
        """How much a term speaks for an action; 0 if it is not known."""
        column = self.terms.get(term)
        return 0.0 if column is None else float(self.weights[self.actions.index(action), column])

    def _margin(self, tokens: Sequence[str]) -> Vector:
        counts: dict[int, float] = {}
        for term in word_terms(tokens):
            column = self.terms.get(term)
            if column is not None:
                counts[column] = counts.get(column, 0.0) + 1.0
        if not counts:
            return self.bias
        columns = np.fromiter(counts, dtype=np.intp)
        values = np.fromiter(counts.values(), dtype=np.float64) * self.rarity[columns]
        return np.asarray(self.weights[:, columns] @ (values / np.linalg.norm(values)) + self.bias)

    def save(self, path: Path) -> None:
        """Write the model as plain arrays, atomically."""
        rows = [list(pattern.as_row().values()) for pattern in self.patterns.patterns]
        with replacing(path) as temporary, temporary.open("wb") as file:
            np.savez_compressed(
                file,
                version=np.array(VERSION),
                actions=np.array(self.actions),
                terms=np.array(sorted(self.terms, key=lambda term: self.terms[term])),
                rarity=self.rarity.astype(np.float32),
                weights=self.weights.astype(np.float32),
                bias=self.bias,
                calibration=self.calibration,
                blend=np.array([self.blend.margin, *self.blend.levels]),
                origin=np.array([self.origin.sentences, self.origin.patterns]),
                seed=np.array(self.origin.seed),
                patterns=np.array(rows, dtype=np.str_).reshape(len(rows), len(COLUMNS)),
            )


def word_terms(tokens: Sequence[str]) -> list[str]:
    """Single tokens and pairs of neighbours."""
    pairs = (f"{left} {right}" for left, right in pairwise(tokens))
    return [*tokens, *pairs]


def load_action_model(path: str | Path = "") -> ActionModel:
    """Read a model file; without a path, the one the package ships."""
    return _shipped() if not str(path) else _read(Path(path))


@cache
def _shipped() -> ActionModel:
    with as_file(files("callsheet.text.resources") / "actions.npz") as path:
        return _read(path)


def _read(path: Path) -> ActionModel:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return _from_arrays({name: arrays[name] for name in arrays.files})
    except FileNotFoundError:
        raise InputError(
            f"{path} does not exist; make it with `callsheet evidence train SENTENCES.csv`",
            path=str(path),
        ) from None
    except (ValueError, LookupError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(
            f"{path} is not an action model; make one with `callsheet evidence train`",
            path=str(path),
        ) from error


def _from_arrays(arrays: dict[str, Any]) -> ActionModel:
    if int(arrays["version"]) != VERSION:
        raise ValueError(f"version {int(arrays['version'])}, expected {VERSION}")
    blend = [float(value) for value in arrays["blend"]]
    rows = (dict(zip(COLUMNS, map(str, row), strict=True)) for row in arrays["patterns"])
    model = ActionModel(
        tuple(map(str, arrays["actions"])),
        {str(term): column for column, term in enumerate(arrays["terms"])},
        arrays["rarity"].astype(np.float64),
        arrays["weights"].astype(np.float64),
        arrays["bias"],
        arrays["calibration"],
        Blend(blend[0], tuple(blend[1:])),
        PatternTable.of(map(Pattern.of_row, rows)),
        Origin(str(arrays["origin"][0]), str(arrays["origin"][1]), int(arrays["seed"])),
    )
    if model.weights.shape != (len(model.actions), len(model.terms)):
        raise ValueError(f"weights have shape {model.weights.shape}")
    return model
