"""Keeping a solve on disk, to go on later to the same bits.

One `.npz` file without pickles: the solver's state, the current assignment, the points it is
nearest to (if they are kept), the multipliers, what was counted so far, and a fingerprint of the
statement and the settings, so that it is never resumed on anything else. Written to a temporary
name and renamed.
"""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from callsheet.errors import EngineError
from callsheet.optim.blocks import CustomBlock
from callsheet.optim.certificate import Certificate
from callsheet.optim.desk import Desk, ask_custom
from callsheet.optim.features import read_rows, storage
from callsheet.optim.methods.newton import Search
from callsheet.optim.problem import Problem
from callsheet.optim.projection import Fallbacks
from callsheet.optim.rows import IntArray
from callsheet.optim.solution import TracePoint

State = TypeVar("State")
FORM = 3


@dataclass(frozen=True, slots=True)
class Kept:
    """What a checkpoint holds besides the buffers."""

    arrays: dict[str, NDArray[Any]]
    scalars: dict[str, Any]
    passes: float
    seconds: float
    trace: tuple[TracePoint, ...]
    fallbacks: Fallbacks


def fingerprint(problem: Problem, settings: object, tol: float, seed: int) -> str:
    """Hash the statement (a sample of its features) and how it is solved."""
    layout = problem.layout
    head = [problem.n_rows, problem.n_features, problem.n_labels, problem.ridge, problem.bias,
            layout.constant, str(storage(problem.features)), repr(settings), tol, seed]  # fmt: skip
    digest = hashlib.sha256(json.dumps(head).encode())
    arrays = [layout.order, layout.block_start, layout.allowed, *layout.every]
    for number, block in enumerate(layout.custom):
        if block is not None:
            digest.update(f"{number} {type(block).__module__}.{type(block).__qualname__}".encode())
            arrays.append(_answer(block, layout.block_start, number, problem.n_labels))
    if problem.prior is not None:
        arrays.append(np.asarray(problem.prior))
    sample = np.unique(np.linspace(0, problem.n_rows - 1, 64).astype(np.int64))
    for row in sample:
        tile: Any = read_rows(problem.features, np.array([row]), storage(problem.features))
        arrays.append(tile.toarray() if hasattr(tile, "toarray") else tile)
    for array in arrays:
        digest.update(f"{array.shape} {array.dtype}".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def _answer(block: CustomBlock, start: IntArray, number: int, n_labels: int) -> NDArray[Any]:
    """What its oracle answers to a cost that is always the same: blocks of one type may differ."""
    size = int(start[number + 1] - start[number])
    if not size:
        return np.empty(0)
    cost = np.random.default_rng(0).normal(size=(size, n_labels))
    return np.round(ask_custom(block, "oracle", cost), 6) + 0.0  # no -0


def save(
    path: Path, state: Any, desk: Desk, *, front: int, mark: str, passes: float, seconds: float,
    trace: list[TracePoint], fallbacks: Fallbacks,
) -> None:  # fmt: skip
    """Write a checkpoint in the place of the last one."""
    arrays, scalars = pack(state)
    head = {"form": FORM, "mark": mark, "passes": passes, "seconds": seconds, "state": scalars,
            "fallbacks": fallbacks,
            "trace": [asdict(point) for point in trace]}  # fmt: skip
    temporary = path.with_name(path.name + ".part")
    with temporary.open("wb") as file:
        np.savez(
            file, allow_pickle=False, head=np.array(json.dumps(head)),
            assignment=desk.buffers[front], multipliers=desk.multipliers,
            points=desk.points[front],
            **{f"state.{name}": array for name, array in arrays.items()},
        )  # fmt: skip
        file.flush()
        os.fsync(file.fileno())
    temporary.replace(path)


def load(path: Path, desk: Desk, mark: str) -> Kept:
    """Read a checkpoint, put assignment and multipliers back, return the rest."""
    try:
        with path.open("rb") as source, np.load(source, allow_pickle=False) as file:
            head = json.loads(str(file["head"]))
            if head["form"] != FORM:
                raise EngineError(f"{path} was written by another version of callsheet;"
                                  " begin anew")  # fmt: skip
            if head["mark"] != mark:
                raise EngineError(f"{path} belongs to another problem, method, tol or seed;"
                                  " begin anew or resume with the same ones")  # fmt: skip
            arrays = {name[len("state.") :]: file[name] for name in file.files
                      if name.startswith("state.")}  # fmt: skip
            desk.buffers[head["state"]["front"]][:] = file["assignment"]
            desk.multipliers[:] = file["multipliers"]
            desk.points[head["state"]["front"]][:] = file["points"]
    except FileNotFoundError:
        raise EngineError(f"no checkpoint {path} to resume from") from None
    except (zipfile.BadZipFile, ValueError, KeyError, OSError, EOFError) as error:
        if isinstance(error, EngineError):
            raise
        raise EngineError(f"{path} is truncated or no checkpoint; begin anew") from error
    trace = tuple(TracePoint(**point) for point in head["trace"])
    return Kept(arrays, head["state"], head["passes"], head["seconds"], trace,
                Fallbacks(*head["fallbacks"]))  # fmt: skip


def pack(state: Any) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Split a solver's state into arrays and JSON values."""
    arrays: dict[str, NDArray[Any]] = {}
    scalars: dict[str, Any] = {}
    for field in fields(state):
        value = getattr(state, field.name)
        if isinstance(value, np.ndarray):
            arrays[field.name] = value
        elif field.name == "history":
            scalars["history"] = len(value)
            if value:
                arrays["history.points"] = np.stack([point for point, _ in value])
                arrays["history.pulls"] = np.stack([pull for _, pull in value])
        elif isinstance(value, Certificate):
            scalars[field.name] = asdict(value)
        elif isinstance(value, Search):
            inner, scalars[field.name] = pack(value)
            arrays |= {f"{field.name}.{name}": array for name, array in inner.items()}
        elif field.name != "answer":
            scalars[field.name] = value
    return arrays, scalars


def unpack(kind: type[State], kept: Kept) -> State:
    """Put a solver's state together again."""
    values: dict[str, Any] = dict(kept.scalars)
    values |= {name: array for name, array in kept.arrays.items() if "." not in name}
    if "history" in values:
        pairs = zip(kept.arrays.get("history.points", ()), kept.arrays.get("history.pulls", ()),
                    strict=True)  # fmt: skip
        values["history"] = tuple(pairs)
    if values.get("search") is not None:
        parts: dict[str, Any] = {name.removeprefix("search."): array
                                 for name, array in kept.arrays.items()
                                 if name.startswith("search.")}  # fmt: skip
        values["search"] = Search(**values["search"], **parts)
    if "energies" in values:
        values["energies"] = tuple(values["energies"])
    if values.get("measured") is not None:
        values["measured"] = Certificate(**values["measured"])
    return kind(**values)
