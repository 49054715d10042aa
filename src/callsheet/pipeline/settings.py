"""The tree of all settings, one section a part. Defaults and meanings are the rooms' own."""

from __future__ import annotations

from dataclasses import dataclass, field

from callsheet.bags.settings import BagSettings
from callsheet.errors import SettingsError
from callsheet.model.settings import ActionSettings, LabelSettings, NameSettings
from callsheet.text.settings import (
    AlignmentSettings,
    EvidenceSettings,
    ScriptSettings,
    SubtitleSettings,
)
from callsheet.video.settings import (
    FeatureSettings,
    ShotSettings,
    SpeakingSettings,
    TrackSettings,
)


@dataclass(frozen=True, slots=True)
class RunSettings:
    """How `callsheet run` works."""

    workers: int = 0  # processes; 0: one a core

    def __post_init__(self) -> None:
        if self.workers < 0:
            raise SettingsError(f"workers must be at least 0, got {self.workers}")


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set in `callsheet.toml`."""

    run: RunSettings = field(default_factory=RunSettings)
    shots: ShotSettings = field(default_factory=ShotSettings)
    tracks: TrackSettings = field(default_factory=TrackSettings)
    features: FeatureSettings = field(default_factory=FeatureSettings)
    speaking: SpeakingSettings = field(default_factory=SpeakingSettings)
    script: ScriptSettings = field(default_factory=ScriptSettings)
    subtitles: SubtitleSettings = field(default_factory=SubtitleSettings)
    alignment: AlignmentSettings = field(default_factory=AlignmentSettings)
    evidence: EvidenceSettings = field(default_factory=EvidenceSettings)
    bags: BagSettings = field(default_factory=BagSettings)
    names: NameSettings = field(default_factory=NameSettings)
    actions: ActionSettings = field(default_factory=ActionSettings)
    labels: LabelSettings = field(default_factory=LabelSettings)
