"""What is done, what is stale and why: manifests against what is wanted now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from callsheet._version import __version__
from callsheet.errors import CallsheetError, StoreError
from callsheet.pipeline.named_files import named_contents
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.stage import FilmWork, Scope, Stage
from callsheet.pipeline.watched import WATCHED, failures_in
from callsheet.store import Manifest, file_fingerprint, read_manifest, value_fingerprint

ABSENT = "absent"


class State(StrEnum):
    DONE = "done"
    STALE = "stale"
    MISSING = "not run"
    FAILED = "failed"
    SKIPPED = "does not apply"


@dataclass(frozen=True, slots=True)
class StageStatus:
    """Where one stage of one film (or of the library: film "") stands, and why."""

    film: str
    stage: str
    state: State
    reason: str = ""


def manifest_path(folder: Path, stage: Stage) -> Path:
    return folder / f"{stage.name}.manifest.json"


def failure_path(folder: Path, stage: Stage) -> Path:
    return folder / f"{stage.name}.failure.txt"


def obstacle(work: FilmWork, stage: Stage, stages: Mapping[str, Stage]) -> str | None:
    """Why a stage of a film does not apply (None: it does)."""
    for source in stage.reads:
        if not work.has(source):
            return f"no {source}"
    for earlier in stage.after:
        if reason := obstacle(work, stages[earlier], stages):
            return reason
    return None


def wanted_manifest(
    work: FilmWork, stage: Stage, stages: Mapping[str, Stage], settings: Settings
) -> Manifest:
    """What a film stage would read and how, as things are now."""
    inputs: dict[str, str] = {}
    for source in (*stage.reads, *stage.may_read):
        path = work.find(source)
        inputs[source] = ABSENT if path is None else file_fingerprint(path)
    for earlier in (*stage.after, *stage.may_follow):
        inputs[f"stage {earlier}"] = _identity(work, stages[earlier], stages)
    return _manifest(stage, inputs, settings)


def wanted_library_manifest(
    works: Sequence[FilmWork], stage: Stage, stages: Mapping[str, Stage], settings: Settings
) -> Manifest:
    """The same for a stage that reads every film."""
    inputs = {
        f"stage {earlier} of {work.film.film}": _identity(work, stages[earlier], stages)
        for earlier in (*stage.after, *stage.may_follow)
        if stages[earlier].scope is Scope.FILM
        for work in works
    }
    for source in stage.may_read:
        for work in works:
            if (path := work.find(source)) is not None:
                inputs[f"{source} of {work.film.film}"] = file_fingerprint(path)
    for name in stage.watches:
        for work in works:
            if (mark := WATCHED[name](work)) is not None:
                inputs[f"{name} of {work.film.film}"] = mark
    if "notes" in stage.watches and works:
        library = failures_in(works[0].folder.parent, but=stage.name)
        inputs["failures of all films together"] = value_fingerprint(library)
    return _manifest(stage, inputs, settings)


def _manifest(stage: Stage, inputs: dict[str, str], settings: Settings) -> Manifest:
    chosen: dict[str, Any] = {}
    for section in stage.settings:
        values = asdict(getattr(settings, section))
        chosen |= {f"{section}.{name}": _plain(value) for name, value in values.items()}
        for name, mark in named_contents(section, getattr(settings, section)):
            inputs[f"the file of setting {name}"] = mark or ABSENT
    versions = {"callsheet": __version__, "stage": str(stage.version)}
    seeds = (chosen.get(f"{section}.seed") for section in stage.settings)
    seed = next((seed for seed in seeds if seed is not None), 0)
    return Manifest(stage.name, inputs, chosen, versions, seed=seed)


def _plain(value: Any) -> Any:
    """As JSON gives it back, so that a manifest read again compares equal."""
    return list(value) if isinstance(value, tuple) else value


def _identity(work: FilmWork, stage: Stage, stages: Mapping[str, Stage]) -> str:
    """Fingerprint of what an earlier stage wrote (for this film); changes only when its files do.

    Where it wrote nothing, what it read and how stands for that.
    """
    folder = work.folder if stage.scope is Scope.FILM else work.folder.parent
    if stage.scope is Scope.FILM and obstacle(work, stage, stages):
        return ABSENT
    try:
        manifest = read_manifest(manifest_path(folder, stage))
    except StoreError:
        return ABSENT
    written = manifest.outputs
    if stage.scope is Scope.LIBRARY:
        own = f"{work.film.film}/"
        written = {name: mark for name, mark in written.items() if name.startswith(own)}
    work_done = [manifest.inputs, manifest.settings, manifest.versions, manifest.seed]
    return value_fingerprint(written or work_done)


def film_status(
    work: FilmWork, stage: Stage, stages: Mapping[str, Stage], settings: Settings
) -> StageStatus:
    """Where a film stage stands."""
    if reason := obstacle(work, stage, stages):
        return StageStatus(work.film.film, stage.name, State.SKIPPED, reason)
    try:
        wanted = wanted_manifest(work, stage, stages, settings)
    except CallsheetError as error:
        return StageStatus(work.film.film, stage.name, State.FAILED, error.message)
    state, reason = state_of(work.folder, stage, wanted)
    if state is State.MISSING:
        reason = _waits_for(work, stage, stages)
    return StageStatus(work.film.film, stage.name, state, reason)


def _waits_for(work: FilmWork, stage: Stage, stages: Mapping[str, Stage]) -> str:
    """Why a stage has not run: one that it needs failed, or has not run itself."""
    needed = [stages[name] for name in _all_needed(stage, stages)]
    undone = [s for s in needed if not manifest_path(work.folder, s).exists()]
    failed = [s.name for s in undone if failure_path(work.folder, s).exists()]
    if failed:
        return f"waits for {failed[0]}, which failed"
    return f"waits for {undone[0].name}" if undone else ""


def _all_needed(stage: Stage, stages: Mapping[str, Stage]) -> list[str]:
    """The stages it needs and all that those need, the first to run first."""
    needed = {name for earlier in stage.after for name in _all_needed(stages[earlier], stages)}
    needed |= set(stage.after)
    return [name for name in stages if name in needed]


def state_of(folder: Path, stage: Stage, wanted: Manifest) -> tuple[State, str]:
    """Compare the manifest on disk with the wanted one."""
    failure = failure_path(folder, stage)
    path = manifest_path(folder, stage)
    if not path.exists():
        if failure.exists():
            return State.FAILED, failure.read_text(encoding="utf-8").strip()
        return State.MISSING, ""
    try:
        manifest = read_manifest(path)
        reason = manifest.reason_to_redo(wanted) or _touched(folder, stage, manifest)
    except StoreError as error:
        return State.STALE, error.message
    return (State.STALE, reason) if reason else (State.DONE, "")


def _touched(folder: Path, stage: Stage, manifest: Manifest) -> str | None:
    """Which output is not what the stage left (lost, damaged, or written anew by another)."""
    for name in dict.fromkeys([*fixed_outputs(stage), *manifest.outputs]):
        if not (folder / name).exists():
            return f"{name} is gone"
        if name in stage.amended:
            continue
        if file_fingerprint(folder / name) != manifest.outputs.get(name):
            return f"{name} is not as this stage left it"
    return None


def fixed_outputs(stage: Stage) -> list[str]:
    """The outputs that are no patterns: they must be there."""
    return [name for name in stage.outputs if "*" not in name]


def written_outputs(folder: Path, stage: Stage) -> list[str]:
    """The fixed outputs, and the files that answer the patterns."""
    found = {
        path.relative_to(folder).as_posix()
        for pattern in stage.outputs
        if "*" in pattern
        for path in folder.glob(pattern)
    }
    return [*fixed_outputs(stage), *sorted(found)]
