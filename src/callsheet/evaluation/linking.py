"""Which predicted track shows which truth track: by boxes where the truth has them, else by id.

Nothing is left out silently: truth tracks that nobody shows are counted, ids of the truth that
the film does not have are told.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from callsheet.core import BACKGROUND
from callsheet.evaluation.matching import match_tracks
from callsheet.evaluation.settings import EvaluationSettings
from callsheet.evaluation.truth import Boxes, Truth
from callsheet.evaluation.truth.tables import read_boxes
from callsheet.store import SCHEMAS, read_table

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Links:
    """`shows`: predicted track -> truth track; `missed`: truth tracks that no track shows."""

    shows: Mapping[int, int]
    missed: int
    warnings: tuple[str, ...] = ()


def link_tracks(folder: Path, truth: Truth, settings: EvaluationSettings) -> Links:
    """Link the tracks of a film folder to those of its truth."""
    kinds = track_kinds(folder)
    true_kinds = dict(zip(truth.track.tolist(), truth.kind, strict=True))
    if truth.boxes is None:
        return _by_id(folder, kinds, true_kinds)
    matching = match_tracks(
        _on_clock(folder, truth.boxes.clock), truth.boxes,
        overlap=settings.overlap, kinds=(kinds, true_kinds),
    )  # fmt: skip
    pairs = zip(matching.predicted.tolist(), matching.truth.tolist(), strict=True)
    boxless = sorted(set(true_kinds) - set(truth.boxes.track.tolist()))
    warnings = (
        f"{folder.name}: {len(boxless)} of {len(true_kinds)} truth tracks have a label but no box"
        f" ({_few(boxless)}) and are not judged",
    ) if boxless else ()  # fmt: skip
    return Links(dict(pairs), matching.missed + len(boxless), warnings)


def _by_id(folder: Path, kinds: Mapping[int, str], told: Mapping[int, str | None]) -> Links:
    strange = sorted(
        track for track, kind in told.items()
        if track not in kinds or (kind is not None and kind != kinds[track])
    )  # fmt: skip
    warnings = (
        f"{folder.name}: {len(strange)} of {len(told)} truth tracks ({_few(strange)}) are no"
        " tracks of this film, or of another kind, and are not judged; is it the truth of"
        " another run?",
    ) if strange else ()  # fmt: skip
    shows = {track: track for track in told if track not in set(strange)}
    return Links(shows, len(strange), warnings)


def labels_of(truth: Truth, links: Links, folder: Path, question: str, kind: str) -> dict[int, str]:
    """True labels of the predicted tracks of a kind, where the truth tells one."""
    kinds = track_kinds(folder)
    told = dict(zip(truth.track.tolist(), getattr(truth, question), strict=True))
    labels = {}
    for predicted, true in links.shows.items():
        label = told.get(true)
        if label is not None and kinds.get(predicted) == kind:
            labels[predicted] = BACKGROUND if label.lower() == BACKGROUND else label
    return labels


def track_kinds(folder: Path) -> dict[int, str]:
    """Track -> face or body."""
    tracks = read_table(folder / "tracks.parquet", SCHEMAS["tracks"])
    return dict(zip(*(tracks.column(c).to_pylist() for c in ("track", "kind")), strict=True))


def how_linked(truths: Sequence[Truth], settings: EvaluationSettings) -> str:
    """For the signature."""
    by_boxes = f"boxes(iou>={settings.overlap:g})"
    return "+".join(sorted({by_boxes if t.boxes is not None else "id" for t in truths}))


def _on_clock(folder: Path, clock: str) -> Boxes:
    """Boxes of the predicted tracks, counted in frames or in seconds as the truth's are."""
    path = folder / "boxes.parquet"
    boxes = read_boxes(path)
    if boxes.clock == clock:
        return boxes
    times: Array = read_table(path, SCHEMAS["boxes"]).column("time").to_numpy()
    return replace(boxes, instant=np.asarray(times), clock="time")


def _few(ids: Sequence[int]) -> str:
    return "such as " + ", ".join(map(str, ids[:3])) if len(ids) > 3 else ", ".join(map(str, ids))
