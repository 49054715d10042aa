"""The user's cache of model files: where they lie, whether they are whole, the user's own.

`model_path` is what the rest of the wing asks: a name (or a path, which wins) in, a checked
file out. Nothing here touches the network.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import platformdirs

from callsheet.errors import ModelFileError
from callsheet.store import replacing, write_text
from callsheet.video.models.registry import (
    REGISTRY,
    InputRecipe,
    Model,
    Part,
    Task,
    known_model,
)

_ADDED = "added.json"


@dataclass(frozen=True, slots=True)
class AddedModel:
    """A user's own ONNX network, copied into the cache."""

    name: str
    task: Task
    file: str
    sha256: str
    recipe: InputRecipe


def models_folder() -> Path:
    """Where model files are kept ($XDG_CACHE_HOME/callsheet/models, or the system's place)."""
    base = os.environ.get("XDG_CACHE_HOME")
    root = Path(base) / "callsheet" if base else Path(platformdirs.user_cache_dir("callsheet"))
    return root / "models"


def model_path(name: str) -> Path:
    """The checked file of a registered or added model; `name` may be a path, which wins."""
    if looks_like_path(name):
        return _users_file(Path(name))
    added = added_models()
    if name in added:
        return _checked(models_folder() / added[name].file, added[name].sha256, name)
    model = known_model(name)
    if model.conversion:
        return _converted(model)
    return part_path(model, model.parts[0])


def part_path(model: Model, part: Part) -> Path:
    """One checked file of a registered model."""
    return _checked(models_folder() / part.file, part.sha256, model.name)


def model_recipe(name: str) -> InputRecipe | None:
    """How a picture becomes the input of a registered or added model."""
    added = added_models()
    return added[name].recipe if name in added else known_model(name).recipe


def looks_like_path(name: str) -> bool:
    """Whether the user means a file and not a name of the registry."""
    return os.sep in name or "/" in name or Path(name).suffix in {".onnx", ".pb", ".pth"}


def is_present(name: str) -> bool:
    """Whether all files of a model are here and whole."""
    try:
        model_path(name)
        if name in REGISTRY and name not in added_models():
            for part in REGISTRY[name].parts:
                part_path(REGISTRY[name], part)
    except ModelFileError:
        return False
    return True


def added_models() -> dict[str, AddedModel]:
    """The user's own networks by name."""
    path = models_folder() / _ADDED
    if not path.exists():
        return {}
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {row["name"]: _added_from(row) for row in rows}
    except (ValueError, KeyError, TypeError) as error:
        raise ModelFileError(
            f"{path} is damaged ({error}); delete it and add your models again", path=str(path)
        ) from error


def add_model(name: str, file: Path, *, task: Task, recipe: InputRecipe) -> AddedModel:
    """Copy a user's network into the cache and remember how to feed it."""
    if name in REGISTRY or looks_like_path(name):
        raise ModelFileError(f"the name {name} is taken or looks like a file; choose another")
    source = _users_file(file)
    target = models_folder() / f"added-{name}{source.suffix}"
    with replacing(target) as temporary:
        shutil.copyfile(source, temporary)
    added = AddedModel(name, task, target.name, file_sha256(target), recipe)
    rows = [asdict(a) for a in (added_models() | {name: added}).values()]
    write_text(models_folder() / _ADDED, json.dumps(rows, indent=1) + "\n")
    return added


def file_sha256(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def remember_converted(path: Path) -> None:
    """Note the hash of a file that we made ourselves, so that later damage is noticed."""
    write_text(_note(path), file_sha256(path) + "\n")


def _converted(model: Model) -> Path:
    assert model.conversion is not None
    path = models_folder() / model.conversion.file
    note = _note(path)
    if not note.exists():
        raise _missing(model.name, path)
    return _checked(path, note.read_text(encoding="utf-8").strip(), model.name)


def _note(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")


def _checked(path: Path, sha256: str, name: str) -> Path:
    if not path.is_file():
        raise _missing(name, path)
    stat = path.stat()
    if _sha256_of_version(str(path), stat.st_mtime_ns, stat.st_size) != sha256:
        raise ModelFileError(
            f"{path} is not the file that {name} should be (its sha256 differs: damaged or"
            f" altered); run `callsheet models pull {name}`",
            path=str(path), name=name,
        )  # fmt: skip
    return path


@lru_cache(maxsize=64)
def _sha256_of_version(path: str, _changed: int, _size: int) -> str:
    """Hash once a process, and again when the file changes."""
    return file_sha256(Path(path))


def _missing(name: str, path: Path) -> ModelFileError:
    return ModelFileError(
        f"the model {name} is not on this machine ({path.name}); run `callsheet models pull"
        f" {name}`",
        path=str(path), name=name,
    )  # fmt: skip


def _users_file(path: Path) -> Path:
    if not path.is_file():
        raise ModelFileError(f"{path} does not exist; give a model file or a name", path=str(path))
    return path


def _added_from(row: dict[str, object]) -> AddedModel:
    recipe = dict(row["recipe"])  # type: ignore[call-overload]
    recipe["mean"] = tuple(recipe["mean"])
    return AddedModel(
        str(row["name"]), Task(str(row["task"])), str(row["file"]), str(row["sha256"]),
        InputRecipe(**recipe),
    )  # fmt: skip
