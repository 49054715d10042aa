"""What a stage leaves in a folder: its outputs and manifest, or a note of why it failed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from callsheet.core import StageResult
from callsheet.errors import CallsheetError
from callsheet.pipeline import plan
from callsheet.pipeline.stage import Stage, StageOutcome
from callsheet.store import Manifest, file_fingerprint, write_manifest, write_text


def forget(folder: Path, stage: Stage) -> None:
    """Make ready for the stage to run: what is half-done must not look done."""
    folder.mkdir(parents=True, exist_ok=True)
    if stage.keeps:
        plan.manifest_path(folder, stage).unlink(missing_ok=True)
        plan.failure_path(folder, stage).unlink(missing_ok=True)
    else:
        discard(folder, stage)


def discard(folder: Path, stage: Stage) -> None:
    """Remove what an earlier run of the stage wrote; the manifest first."""
    plan.manifest_path(folder, stage).unlink(missing_ok=True)
    plan.failure_path(folder, stage).unlink(missing_ok=True)
    for name in plan.written_outputs(folder, stage):
        (folder / name).unlink(missing_ok=True)


def remember(
    folder: Path, stage: Stage, manifest: Manifest, result: StageResult, seconds: float
) -> None:
    """Write the manifest of a stage that ended well."""
    finished = replace(
        manifest,
        outputs={n: file_fingerprint(folder / n) for n in plan.written_outputs(folder, stage)},
        summary=dict(result.summary),
        warnings=list(result.warnings),
        seconds=round(seconds, 2),
    )
    write_manifest(plan.manifest_path(folder, stage), finished)


def failed(stage: Stage, folder: Path, film: str, message: str) -> StageOutcome:
    """Note a failure where the next `status` and the report find it."""
    with suppress(CallsheetError, OSError):  # where nothing can be written the outcome still tells
        if not stage.keeps:
            discard(folder, stage)
        write_text(plan.failure_path(folder, stage), message + "\n")
    return StageOutcome(film, stage.name, True, failure=message)
