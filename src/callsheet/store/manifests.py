"""Manifests: which inputs, settings, versions and seed made the files of a stage."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from callsheet.errors import StoreError
from callsheet.store.atomic import write_text
from callsheet.store.reading import read_failed

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a stage read and how. Two equal manifests mean equal outputs."""

    stage: str
    inputs: dict[str, str]
    settings: dict[str, Any]
    versions: dict[str, str]
    seed: int
    outputs: dict[str, str] = field(default_factory=dict)
    summary: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def same_work(self, other: Manifest) -> bool:
        """Whether both would write the same files."""
        return self.reason_to_redo(other) is None

    def reason_to_redo(self, wanted: Manifest) -> str | None:
        """Why this finished stage does not answer what is wanted now (None: it does)."""
        for name in sorted(set(self.inputs) | set(wanted.inputs)):
            if self.inputs.get(name) != wanted.inputs.get(name):
                return f"{name} changed"
        if self.settings != wanted.settings:
            names = sorted(set(self.settings) | set(wanted.settings))
            changed = [n for n in names if self.settings.get(n) != wanted.settings.get(n)]
            return f"setting {', '.join(changed)} changed"
        if self.versions != wanted.versions:
            return "made by another version"
        return None if self.seed == wanted.seed else "seed changed"


def write_manifest(path: Path, manifest: Manifest) -> None:
    text = json.dumps({"callsheet.manifest": FORMAT, **asdict(manifest)}, indent=1, default=str)
    write_text(path, text + "\n")


def read_manifest(path: Path) -> Manifest:
    """Read a manifest; a damaged, foreign or future one is one sentence."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise StoreError(f"{path} does not exist; run its stage", path=str(path)) from None
    except (OSError, ValueError) as error:
        raise read_failed(path, error, "truncated or not a manifest") from error
    return _checked(path, content)


def _checked(path: Path, content: Any) -> Manifest:
    if not isinstance(content, dict) or "callsheet.manifest" not in content:
        raise StoreError(f"{path} is not a callsheet manifest", path=str(path))
    version = content.pop("callsheet.manifest")
    if not isinstance(version, int) or version > FORMAT:
        raise StoreError(
            f"{path} is a manifest of version {version}, this callsheet reads up to {FORMAT};"
            " update callsheet",
            path=str(path),
        )
    known = {f.name for f in fields(Manifest)}
    try:
        return Manifest(**{k: v for k, v in content.items() if k in known})
    except TypeError as error:
        raise StoreError(f"{path} lacks parts of a manifest: {error}", path=str(path)) from error
