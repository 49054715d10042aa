"""The stage: tables of a film's script and cues in, tables of its alignment out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

from callsheet.core import Cue, Element, ElementKind, ScriptScene, Span
from callsheet.core.stage import Progress, StageResult, no_progress
from callsheet.errors import InputError
from callsheet.store import SCHEMAS, read_rows, row_of, write_items, write_rows
from callsheet.text.alignment.aligner import align
from callsheet.text.readings import Alignment, ElementSpan, Screenplay, Subtitles, Verdict
from callsheet.text.settings import AlignmentSettings


def make_alignment(
    folder: Path,
    settings: AlignmentSettings | None = None,
    progress: Progress = no_progress,
) -> StageResult:
    """Read elements, scenes and cues of a folder; write alignment, speakers and scene spans.

    Speakers are called by their cast names where the folder has a cast. A script of another
    film is refused: nothing is written.
    """
    screenplay, subtitles = read_script(folder), read_cues(folder)
    persons = _persons(folder)
    progress(0.2)
    alignment = align(screenplay, subtitles, settings)
    if alignment.verdict is Verdict.REFUSED:
        raise InputError(refusal(alignment))
    progress(0.9)
    write_items(folder / "alignment.parquet", SCHEMAS["alignment"], alignment.spans)
    speakers = [replace(s, speaker=persons.get(s.speaker, s.speaker)) for s in alignment.speakers]
    write_items(folder / "speakers.parquet", SCHEMAS["speakers"], speakers)
    scenes = [_scene_row(scene) for scene in alignment.scenes]
    write_rows(folder / "scene_spans.parquet", SCHEMAS["scene_spans"], scenes)
    progress(1.0)
    return StageResult(alignment_summary(alignment, screenplay), alignment.warnings)


def _persons(folder: Path) -> dict[str | None, str]:
    """Speaker -> person, as the folder's cast says; empty without one."""
    path = folder / "cast.parquet"
    rows = read_rows(path, SCHEMAS["cast"]) if path.exists() else []
    return {name: row["person"] for row in rows for name in (row["person"], *row["aliases"])}


def _scene_row(scene: ElementSpan) -> dict[str, Any]:
    row = row_of(scene)
    return {"scene": row.pop("element"), **row}


def refusal(alignment: Alignment) -> str:
    """Why a script was refused, and what to do."""
    return (
        f"{'; '.join(alignment.warnings)}; give the script of this film, or lower refuse_below"
        " (--refuse-below, or [alignment] in callsheet.toml)"
    )


def alignment_summary(alignment: Alignment, screenplay: Screenplay) -> dict[str, Any]:
    """Counts for the table of results."""
    placed = Counter(screenplay.elements[s.element].kind for s in alignment.spans)
    return {
        "verdict": alignment.verdict.value,
        "share": round(alignment.share, 4),
        "heard": round(alignment.heard, 4),
        "rate": alignment.rate,
        "offset": alignment.offset,
        "dialogue_placed": placed[ElementKind.DIALOGUE],
        "descriptions_placed": placed[ElementKind.DESCRIPTION],
        "scenes_placed": len(alignment.scenes),
        "cues_with_speaker": sum(s.speaker is not None for s in alignment.speakers),
    }


def read_script(folder: Path) -> Screenplay:
    """Read a screenplay back from its tables."""
    elements = read_rows(folder / "elements.parquet", SCHEMAS["elements"])
    scenes = read_rows(folder / "scenes.parquet", SCHEMAS["scenes"])
    return Screenplay(
        tuple(Element(**row | {"kind": ElementKind(row["kind"])}) for row in elements),
        tuple(ScriptScene(**row) for row in scenes),
    )


def read_cues(folder: Path) -> Subtitles:
    """Read subtitles back from their table."""
    rows = read_rows(folder / "cues.parquet", SCHEMAS["cues"])
    return Subtitles(
        tuple(
            Cue(row["cue"], Span(row["start"], row["end"]), row["text"], row["speaker"],
                row["sound"])
            for row in rows
        )
    )  # fmt: skip
