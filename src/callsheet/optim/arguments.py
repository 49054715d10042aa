"""What `solve` was asked, checked: limits, files, observers, and where to begin."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import EngineError
from callsheet.optim.observers import Observer
from callsheet.optim.problem import Problem
from callsheet.optim.rows import is_number, is_whole
from callsheet.optim.solution import Solution

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Asked:
    """The arguments as plain Python numbers and paths."""

    tol: float
    seed: int
    max_passes: float
    time_limit: float | None
    workers: int | None
    observers: tuple[Observer, ...]
    checkpoint: Path | None
    checkpoint_every: float
    resume: Path | None


def check_arguments(
    *, tol: Any, seed: Any, max_passes: Any, time_limit: Any, workers: Any, observers: Any,
    checkpoint: Any, checkpoint_every: Any, resume: Any,
) -> Asked:  # fmt: skip
    """Refuse what a solve cannot go by."""
    if not (is_number(tol) and tol > 0):
        raise EngineError(f"tol must be positive, got {tol!r}")
    if not _more_than(0, max_passes):
        raise EngineError(f"max_passes must be positive, got {max_passes!r}")
    if time_limit is not None and not _more_than(0, time_limit):
        raise EngineError(f"time_limit must be positive seconds, got {time_limit!r}")
    if workers is not None and not (is_whole(workers) and workers >= 1):
        raise EngineError(f"workers must be 1 or more (None: threads), got {workers!r}")
    if not (is_whole(seed) and seed >= 0):
        raise EngineError(f"seed must be a whole number of 0 or more, got {seed!r}")
    if checkpoint_every != 0 and not _more_than(0, checkpoint_every):
        raise EngineError(f"checkpoint_every must be seconds, 0 or more, got {checkpoint_every!r}")
    return Asked(
        tol=float(tol),
        seed=int(seed),
        max_passes=float(max_passes),
        time_limit=None if time_limit is None else float(time_limit),
        workers=None if workers is None else int(workers),
        observers=_observers(observers),
        checkpoint=_checkpoint(checkpoint),
        checkpoint_every=float(checkpoint_every),
        resume=_path(resume, "resume"),
    )


def first_weights(problem: Problem, start: Any) -> Matrix | None:
    """The classifier to begin at, if any."""
    if start is None:
        return None
    shape = (problem.n_weights, problem.n_labels)
    given = start.weights if isinstance(start, Solution) else start
    try:
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise EngineError(f"start must be a Solution or its weights, got {start!r}") from None
    if weights.shape != shape:
        raise EngineError(f"start must have weights of shape {shape}, got {weights.shape}")
    if not np.isfinite(weights).all():
        raise EngineError("start must have finite weights")
    return weights


def _more_than(least: float, value: Any) -> bool:
    """Whether this is a number above `least`; infinity is one too: no limit."""
    real = isinstance(value, int | float | np.integer | np.floating)
    return real and not isinstance(value, bool) and bool(value > least)


def _observers(observers: Any) -> tuple[Observer, ...]:
    given = tuple(observers) if isinstance(observers, Sequence) else None
    if given is None or not all(map(callable, given)):
        raise EngineError(f"observers must be a list of functions, got {observers!r}")
    return given


def _checkpoint(path: Any) -> Path | None:
    checked = _path(path, "checkpoint")
    if checked is not None and checked.is_dir():
        raise EngineError(f"checkpoint must be the path of a file, got the folder {path}")
    if checked is not None and not checked.parent.is_dir():
        raise EngineError(f"checkpoint {path}: its folder does not exist; make it first")
    return checked


def _path(path: Any, name: str) -> Path | None:
    if path is not None and not isinstance(path, str | os.PathLike):
        raise EngineError(f"{name} must be the path of a file, got {path!r}")
    return None if path is None else Path(path)
