"""The stage: tables of a film's script, alignment and cast in, its evidence out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from callsheet.core import Progress, Span, StageResult, no_progress
from callsheet.store import SCHEMAS, read_rows, write_items
from callsheet.text.alignment.stage import read_cues, read_script
from callsheet.text.evidence.counting import count_evidence
from callsheet.text.evidence.finding import find_evidence
from callsheet.text.readings import (
    Alignment,
    Cast,
    CastMember,
    CueSpeaker,
    ElementSpan,
    LineSpeaker,
    Verdict,
)
from callsheet.text.settings import EvidenceSettings


def make_evidence(
    folder: Path,
    settings: EvidenceSettings | None = None,
    progress: Progress = no_progress,
) -> StageResult:
    """Read script, cues, alignment, speakers and cast of a folder; write `evidence.parquet`."""
    screenplay, cast = read_script(folder), _read_cast(folder)
    alignment = _read_alignment(folder)
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


def _read_alignment(folder: Path) -> Alignment:
    """What is stored was not refused, so the verdict is good."""
    spans = tuple(
        ElementSpan(row["element"], Span(row["start"], row["end"]), row["confidence"])
        for row in _rows(folder, "alignment")
    )
    speakers = tuple(CueSpeaker(**row) for row in _rows(folder, "speakers"))
    cues = read_cues(folder).cues
    lines = tuple(
        LineSpeaker(s.cue, cues[s.cue].span, cues[s.cue].text, s.element, s.speaker, s.confidence,
                    named=s.element is None and cues[s.cue].speaker is not None)
        for s in speakers
    )  # fmt: skip
    return Alignment(spans, speakers, (), 1.0, Verdict.GOOD, lines=lines)
