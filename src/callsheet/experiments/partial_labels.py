"""Partially labelled sets from .mat files, as the partial-label community passes them around.

`data` (N, d), `partial_target` and `target` (labels, N), at the top of the file or in structs,
whichever way the matrices lie; `target` may also give the numbers of the labels. With `tr_idx` and
`te_idx` (marks (N, folds), or row numbers from 1, in a column or a cell a fold) the file brings
folds of its own.
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
    features = _features(path, content)
    candidates = _labels(path, "partial_target", content["partial_target"], len(features))
    numbered = _one_hot(_dense(content["target"]), len(features), candidates.shape[1])
    target = _labels(path, "target", numbered, len(features))
    if candidates.shape != target.shape:
        raise InputError(
            f"{path}: partial_target and target differ, {candidates.shape} and {target.shape}"
        )
    if not (target.sum(axis=1) == 1).all():
        raise InputError(f"{path}: target must mark one true label for each row of data")
    if "tr_idx" in content or "te_idx" in content:
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
    rows = len(features)
    train, test = (_fold_rows(path, name, content, rows) for name in ("tr_idx", "te_idx"))
    if len(train) != len(test):
        raise InputError(f"{path}: tr_idx has {len(train)} folds, te_idx {len(test)}")
    folds = tuple(zip(train, test, strict=True))
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
    """Everything in the file by its name in small letters, what lies in structs too."""
    content: dict[str, Any] = {}
    _gather(load_matlab(path), content)
    missing = [name for name in NEEDED if name not in content]
    if missing:
        there = ", ".join(content) or "nothing"
        raise InputError(f"{path} lacks {', '.join(missing)}; it holds {there}")
    return content


def _gather(given: Mapping[str, Any], content: dict[str, Any]) -> None:
    """Add variables to `content`, those outside of structs first: they win."""
    structs = {name: value for name, value in given.items() if hasattr(value, "_fieldnames")}
    for name, value in given.items():
        if name not in structs:
            content.setdefault(name.lower(), value)
    for value in structs.values():
        _gather({name: getattr(value, name) for name in value._fieldnames}, content)


def _features(path: Path, content: Mapping[str, Any]) -> Array:
    """The matrix `data`, a row for each that the labels speak of."""
    features = _dense(content["data"])
    if features.ndim != 2 or features.dtype.kind not in "biuf" or not np.isfinite(features).all():
        raise InputError(f"{path}: data must be a finite matrix, got shape {features.shape}")
    told = np.shape(content["partial_target"])
    lies = features.shape[0] not in told and features.shape[1] in told
    return np.ascontiguousarray(features.T if lies else features, dtype=float)


def _one_hot(target: Array, rows: int, labels: int) -> Array:
    """Marks (rows, labels), if the labels are given by their numbers (from 1, or from 0)."""
    if target.size != rows or target.max() <= 1 or (target != np.round(target)).any():
        return target
    numbers = target.ravel().astype(int) - int(target.min() > 0)
    marks: Array = np.arange(max(labels, numbers.max() + 1)) == numbers[:, None]
    return marks


def _fold_rows(path: Path, name: str, content: Mapping[str, Any], rows: int) -> list[Array]:
    """Row numbers of each fold, from marks or from numbers that count from 1."""
    if name not in content:
        raise InputError(f"{path} has folds of its own, but no {name}")
    given = _dense(content[name])
    if given.dtype == object:
        return [_rows_told(path, name, np.ravel(fold), rows) for fold in np.ravel(given)]
    columns = np.atleast_2d(given.T if given.shape[:1] == (rows,) else given)
    if given.ndim == 2 and rows not in given.shape:
        columns = given.T
    return [_rows_told(path, name, column, rows) for column in columns]


def _rows_told(path: Path, name: str, fold: Array, rows: int) -> Array:
    if fold.size == rows and fold.max() <= 1:
        return np.flatnonzero(fold)
    numbers = np.unique(fold[fold > 0]).astype(int) - 1  # short folds end in zeros
    if not numbers.size or numbers[-1] >= rows:
        raise InputError(f"{path}: {name} must mark or number rows of data, which has {rows}")
    return numbers


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
