"""What the model asks for, each with the paper's symbol and meaning.

Prices of slack are given per track (κN): the paper's κ = 1e-6 belongs to its N = 201,874 tracks,
and the same κ on ten films would hardly ask for anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from callsheet.errors import SettingsError


def _check(settings: Any, shares: tuple[str, ...], positive: tuple[str, ...]) -> None:
    for name in shares:
        if not 0 <= getattr(settings, name) <= 1:
            raise SettingsError(f"{name} is a share, 0 to 1, got {getattr(settings, name)}")
    for name in positive:
        if not 0 < getattr(settings, name) < float("inf"):
            raise SettingsError(f"{name} must be positive, got {getattr(settings, name)}")


@dataclass(frozen=True, slots=True)
class NameSettings:
    """Names of face tracks, film by film (the paper's problem for Z)."""

    background: float = 0.3  # α: at least this share of the background set shows nobody named
    bound: float = 1.0  # α₁: at least so many tracks of a bag show its person
    slack: float = 0.5  # κN: price of a bag that is not satisfied
    ridge: float = 3e-4  # λ: how plain the classifier is kept
    bias: float = 10.0  # value of the constant column beside the descriptors; 0: none
    nobody_twice: bool = True  # at most one track of a name among those seen at the same time
    crowd: int = 8  # tracks of shots with more faces at once belong to the background set
    lift: int = 0  # random Fourier features that replace the descriptors; 0: as they are
    lift_width: float = 0.7  # width of the lift's kernel, in median distances of descriptors
    tolerance: float = 1e-3  # relative gap at which the solver stops
    passes: int = 1000  # at most so many passes over the tracks
    annealing_rounds: int = 10  # rounds that sharpen the relaxed names; 0: leave them relaxed
    folds: int = 5  # parts of the film; a track is scored by a classifier of the other parts
    seed: int = 0  # of everything random

    def __post_init__(self) -> None:
        _check(self, ("background",), ("bound", "slack", "ridge", "tolerance", "lift_width"))
        _check_counts(self)


@dataclass(frozen=True, slots=True)
class ActionSettings:
    """Actions of body tracks, all films together (the paper's problem for T)."""

    background: float = 0.4  # β: at least this share of the background set does nothing of note
    bound: float = 2.0  # α₂: at least so many tracks of a bag do its action
    slack: float = 0.2  # κN: price of a bag that is not satisfied (κ = 1e-6 at N = 201,874)
    ridge: float = 1e-6  # λ: how plain the classifier is kept
    bias: float = 10.0  # value of the constant column beside the descriptors; 0: none
    joint: bool = True  # weigh the tracks of a person's bag by the name assignment Z
    faceless: float = 0.1  # Z of a body whose face is not seen, for every person
    soft_names: bool = True  # weigh by the relaxed Z; false: by the rounded one
    crowd: int = 8  # tracks of shots with more bodies at once belong to the background set
    lift: int = 0  # random Fourier features that replace the descriptors; 0: as they are
    lift_width: float = 0.7  # width of the lift's kernel, in median distances of descriptors
    tolerance: float = 1e-2  # relative gap at which the solver stops
    passes: int = 500  # at most so many passes over the tracks
    annealing_rounds: int = 0  # rounds that sharpen the relaxed actions, all descriptors in memory
    folds: int = 4  # groups of films; a track is scored by a classifier of the other groups
    workers: int = 0  # processes; 0: threads of this one
    seed: int = 0  # of everything random

    def __post_init__(self) -> None:
        _check(
            self, ("background", "faceless"), ("bound", "slack", "ridge", "tolerance", "lift_width")
        )
        _check_counts(self)


@dataclass(frozen=True, slots=True)
class LabelSettings:
    """From scores to labels."""

    precision: float = 0.0  # abstain so that labels are right at least so often; 0: never abstain
    nobody_twice: bool = True  # a name once at most among tracks seen at the same time
    least_margin: float = 0.0  # abstain below this margin, whatever the precision
    evidence_truth: float = 0.85  # at least this share of the script's evidence is taken for true
    keep_quotas: bool = True  # rounding keeps the background share and the bags that were met

    def __post_init__(self) -> None:
        _check(self, ("precision", "evidence_truth"), ("evidence_truth",))
        if not self.least_margin >= 0:
            raise SettingsError(f"least_margin must not be negative, got {self.least_margin}")


def _check_counts(settings: NameSettings | ActionSettings) -> None:
    for name, least in (("crowd", 1), ("lift", 0), ("passes", 1), ("folds", 2),
                        ("annealing_rounds", 0)):  # fmt: skip
        if getattr(settings, name) < least:
            raise SettingsError(f"{name} must be at least {least}, got {getattr(settings, name)}")
