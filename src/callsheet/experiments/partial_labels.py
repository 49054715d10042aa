"""Partially labelled sets from .mat files, as the partial-label community passes them around.

`data` (N, d), `partial_target` and `target` (labels, N), at the top of the file or inside one
struct; with `tr_idx` and `te_idx` (N, folds) the file brings folds of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.bags.matlab import load_matlab
from callsheet.errors import InputError

Array = NDArray[Any]
Fold = tuple[Array, Array]

NEEDED = ("data", "partial_target", "target")
COVERED = 0.99
"""Classes are kept, the most frequent first, until they cover this share of the truth."""


@dataclass(frozen=True, slots=True)
class PartialLabels:
    """Features (N, d), candidates (N, K), true label (N,), and the file's own folds, if any."""

    name: str
    features: Array
    candidates: NDArray[np.bool_]
    truth: Array
    folds: tuple[Fold, ...] = ()

    def __len__(self) -> int:
        return len(self.truth)

    def splits(self) -> Iterator[Fold]:
        """Rows to learn from and rows to name: the file's folds, or the common five."""
        if self.folds:
            yield from self.folds
            return
        from sklearn.model_selection import KFold

        yield from KFold(5, shuffle=True, random_state=42).split(np.zeros(len(self)))


def read_partial_labels(source: Path, default: str = "lost") -> PartialLabels:
    """Read a .mat file, or the one of a folder (`default`.mat where there are several)."""
    path = _the_file(source, default)
    content = _variables(path)
    features = _dense(content["data"]).astype(float)
    if features.ndim != 2 or not np.isfinite(features).all():
        raise InputError(f"{path}: data must be a finite matrix, got shape {features.shape}")
    candidates, target = (_labels(path, name, content[name], len(features)) for name in NEEDED[1:])
    if candidates.shape != target.shape:
        raise InputError(
            f"{path}: partial_target and target differ, {candidates.shape} and {target.shape}"
        )
    if not (target.sum(axis=1) == 1).all():
        raise InputError(f"{path}: target must mark one true label for each row of data")
    if "tr_idx" in content:
        return _with_own_folds(path, features, candidates, target, content)
    return _covering(path.stem, features, candidates, target)


def _covering(name: str, features: Array, candidates: Array, target: Array) -> PartialLabels:
    """Keep the classes that cover nearly all of the truth, and the rows of those classes."""
    counts = target.sum(axis=0)
    order = np.argsort(-counts)
    covered = np.cumsum(counts[order]) / counts.sum()
    kept = np.sort(order[: np.searchsorted(covered, COVERED) + 1])
    rows = target[:, kept].any(axis=1)
    return PartialLabels(
        name,
        features[rows],
        _never_empty(candidates[rows][:, kept]),
        target[rows][:, kept].argmax(axis=1),
    )


def _with_own_folds(
    path: Path, features: Array, candidates: Array, target: Array, content: Mapping[str, Any]
) -> PartialLabels:
    """All classes and rows, as the folds number them."""
    train, test = (
        _labels(path, name, content[name], len(features)) for name in ("tr_idx", "te_idx")
    )
    folds = tuple(
        (np.flatnonzero(own), np.flatnonzero(other))
        for own, other in zip(train.T, test.T, strict=True)
    )
    return PartialLabels(
        path.stem, features, _never_empty(candidates), target.argmax(axis=1), folds
    )


def _never_empty(candidates: Array) -> NDArray[np.bool_]:
    """A row that lists nobody may be anybody."""
    filled: NDArray[np.bool_] = candidates | ~candidates.any(axis=1, keepdims=True)
    return filled


def _the_file(source: Path, default: str) -> Path:
    if source.is_file():
        return source
    if not source.is_dir():
        raise InputError(f"{source} is not there; give a .mat file or its folder with --data")
    files = sorted(source.glob("*.mat"))
    named = [path for path in files if path.stem == default] or files
    if len(named) != 1:
        there = ", ".join(path.name for path in files) or "none"
        raise InputError(
            f"{source} should hold {default}.mat or a single .mat file; it has {there}"
        )
    return named[0]


def _variables(path: Path) -> Mapping[str, Any]:
    content = load_matlab(path)
    if not all(name in content for name in NEEDED):
        structs = [value for value in content.values() if hasattr(value, "_fieldnames")]
        if len(structs) == 1:
            content = {name: getattr(structs[0], name) for name in structs[0]._fieldnames}
    missing = [name for name in NEEDED if name not in content]
    if missing:
        there = ", ".join(content) or "nothing"
        raise InputError(f"{path} lacks {', '.join(missing)}; it holds {there}")
    return content


def _labels(path: Path, name: str, matrix: Any, rows: int) -> NDArray[np.bool_]:
    """A 0/1 matrix with one row a row of data, whichever way it is stored."""
    dense = np.atleast_2d(_dense(matrix)) > 0
    if dense.shape[1] == rows and dense.shape[0] != rows:
        dense = dense.T
    elif dense.shape[0] == rows == dense.shape[1] and name.endswith("target"):
        dense = dense.T  # square: as the community stores it, labels first
    if dense.shape[0] != rows:
        raise InputError(f"{path}: {name} has shape {dense.shape}, data has {rows} rows")
    return dense


def _dense(matrix: Any) -> Array:
    dense: Array = np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix)
    return dense
