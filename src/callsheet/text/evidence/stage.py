"""The stage: tables of a film's script, alignment and cast in, its evidence out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from callsheet.core import Progress, Span, StageResult, no_progress
from callsheet.store import SCHEMAS, read_rows, write_items
from callsheet.text.alignment import align
from callsheet.text.alignment.stage import read_cues, read_script
from callsheet.text.evidence.counting import count_evidence
from callsheet.text.evidence.finding import find_evidence
from callsheet.text.readings import (
    Alignment,
    Cast,
    CastMember,
    ElementSpan,
    Screenplay,
    Verdict,
)
from callsheet.text.settings import AlignmentSettings, EvidenceSettings


def make_evidence(
    folder: Path,
    settings: EvidenceSettings | None = None,
    progress: Progress = no_progress,
) -> StageResult:
    """Read script, cues, alignment and cast of a folder; write `evidence.parquet`.

    Speakers are told line by line, as the verb does: `speakers.parquet` knows one a cue, so
    the lines, which no table keeps, are aligned again (a second for a long film).
    """
    screenplay, cast = read_script(folder), _read_cast(folder)
    alignment = _read_alignment(folder, screenplay)
    progress(0.1)
    evidence = find_evidence(screenplay, alignment, cast, settings)
    progress(0.9)
    write_items(folder / "evidence.parquet", SCHEMAS["evidence"], evidence)
    counts = count_evidence(evidence)
    warnings = () if counts.statements else ("the script states none of the actions in this film",)
    progress(1.0)
    return StageResult({**counts.kinds, **counts.actions}, warnings)


def _rows(folder: Path, name: str) -> list[dict[str, Any]]:
    return read_rows(folder / f"{name}.parquet", SCHEMAS[name])


def _read_cast(folder: Path) -> Cast:
    return Cast(
        tuple(
            CastMember(**row | {"aliases": tuple(row["aliases"])}) for row in _rows(folder, "cast")
        )
    )


def _read_alignment(folder: Path, screenplay: Screenplay) -> Alignment:
    """What is stored was not refused, so the verdict is good."""
    spans = tuple(
        ElementSpan(row["element"], Span(row["start"], row["end"]), row["confidence"])
        for row in _rows(folder, "alignment")
    )
    again = align(screenplay, read_cues(folder), AlignmentSettings(refuse_below=0.0))
    return Alignment(spans, again.speakers, (), 1.0, Verdict.GOOD, lines=again.lines)
