"""Words and units: the types every room shares. Imports nothing but the standard library."""

from callsheet.core.evidence import Bag, Evidence, EvidenceKind
from callsheet.core.labels import Label, TrackLabels
from callsheet.core.picture import Shot, Track, TrackKind
from callsheet.core.script import Cue, Element, ElementKind, ScriptScene
from callsheet.core.span import Span, TimeBase
from callsheet.core.stage import Progress, StageResult, no_progress
from callsheet.core.vocabulary import (
    ACTION_VOCABULARY,
    ACTIONS,
    BACKGROUND,
    SYMMETRIC_ACTIONS,
    Vocabulary,
)

__all__ = [
    "ACTIONS",
    "ACTION_VOCABULARY",
    "BACKGROUND",
    "SYMMETRIC_ACTIONS",
    "Bag",
    "Cue",
    "Element",
    "ElementKind",
    "Evidence",
    "EvidenceKind",
    "Label",
    "Progress",
    "ScriptScene",
    "Shot",
    "Span",
    "StageResult",
    "TimeBase",
    "Track",
    "TrackKind",
    "TrackLabels",
    "Vocabulary",
    "no_progress",
]
