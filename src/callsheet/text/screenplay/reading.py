"""Read a screenplay of any format, say what is odd about it, and write it as tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from callsheet.core import ElementKind
from callsheet.core.stage import Progress, StageResult, no_progress
from callsheet.errors import InputError
from callsheet.store import SCHEMAS, write_items
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay.formats import reader_of
from callsheet.text.settings import ScriptSettings


def read_screenplay(path: Path, settings: ScriptSettings | None = None) -> Screenplay:
    """Read a screenplay or a transcript; what is no screenplay at all is refused."""
    path = Path(path)
    return check_screenplay(reader_of(path)(path), path.name, settings or ScriptSettings())


def check_screenplay(script: Screenplay, name: str, settings: ScriptSettings) -> Screenplay:
    """Refuse what has neither headings nor speeches; warn of what has few of them."""
    counts = Counter(element.kind for element in script.elements)
    speeches, scenes = counts[ElementKind.CHARACTER], len(script.scenes)
    if speeches + scenes < settings.fewest_speeches:
        raise InputError(
            f"{name} does not look like a screenplay: {scenes} scene headings and {speeches}"
            " speeches were found; give a screenplay, not prose"
        )
    return replace(script, warnings=(*script.warnings, *_oddities(script, name, settings)))


def _oddities(script: Screenplay, name: str, settings: ScriptSettings) -> list[str]:
    counts = Counter(element.kind for element in script.elements)
    words = sum(len(element.text.split()) for element in script.elements)
    odd = []
    if not counts[ElementKind.DIALOGUE]:
        odd.append(f"{name} has no dialogue, so it cannot be aligned to subtitles")
    if words > settings.prose_words * (counts[ElementKind.CHARACTER] + len(script.scenes)):
        odd.append(f"{name} reads like prose: hardly any speeches or headings for its length")
    return odd


def make_script(
    screenplay: Path,
    folder: Path,
    settings: ScriptSettings | None = None,
    progress: Progress = no_progress,
) -> StageResult:
    """Read a screenplay and write `elements.parquet` and `scenes.parquet` into a folder."""
    script = read_screenplay(screenplay, settings)
    progress(0.8)
    write_items(folder / "elements.parquet", SCHEMAS["elements"], script.elements)
    write_items(folder / "scenes.parquet", SCHEMAS["scenes"], script.scenes)
    progress(1.0)
    return StageResult(script_summary(script), script.warnings)


def script_summary(script: Screenplay) -> dict[str, int]:
    """Counts for the table of results."""
    counts = Counter(element.kind.value for element in script.elements)
    speakers = {e.speaker for e in script.elements if e.kind is ElementKind.CHARACTER}
    return {"scenes": len(script.scenes), "speakers": len(speakers), **counts}
