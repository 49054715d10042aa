"""What a stage is: a name, what it reads, what it writes, when it applies, and the function.

A stage of a film reads the film's own files and the outputs of earlier stages in the film's
work folder; a stage of the library reads all films at once. The stages themselves are listed
in `callsheet.pipeline.stages`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from callsheet.core import Progress, StageResult
from callsheet.pipeline.discovery import Film

WORK_FOLDER = ".callsheet"
"""In a library: everything computed lies there."""

PINS = "pins"
"""A film's corrections are read like its files, but lie with what was computed."""


@dataclass(frozen=True, slots=True)
class FilmWork:
    """A film and the folder in which everything computed of it lies."""

    film: Film
    folder: Path

    def find(self, source: str) -> Path | None:
        """The film's video, screenplay, subtitles, cast or pins, if there."""
        if source == PINS:
            pins = self.folder / "pins.parquet"
            return pins if pins.exists() else None
        path: Path | None = getattr(self.film, source)
        return path

    def has(self, source: str) -> bool:
        return self.find(source) is not None

    def source(self, name: str) -> Path:
        """A file that the stage's `reads` has promised."""
        path = self.find(name)
        assert path is not None, f"stage ran without its {name}"
        return path


class Scope(StrEnum):
    FILM = "film"
    LIBRARY = "library"


FilmFunction = Callable[[FilmWork, Any, Progress], StageResult]
LibraryFunction = Callable[[Sequence[FilmWork], Path, Any, Progress], StageResult]


@dataclass(frozen=True, slots=True)
class Stage:
    """One step. `reads` are files of the film (video, screenplay, ...), needed; `may_read`
    are used where present; `after` are stages whose outputs it needs, `may_follow` those it
    uses where they apply; `watches` are what else a stage of the library shows (see
    `callsheet.pipeline.watched`); `settings` are sections of the settings tree. `outputs` are
    files of the film's folder, for a stage of the library patterns such as "*/actions.npy" too.
    Where a stage fails or waits for one that failed, its older outputs are removed, lest a later
    stage takes them for new; unless `keeps`: they took long to make or are for people.
    Raise `version` when the outputs change for the same inputs.
    """

    name: str
    run: FilmFunction | LibraryFunction
    outputs: tuple[str, ...]
    amended: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    may_read: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    may_follow: tuple[str, ...] = ()
    watches: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    scope: Scope = Scope.FILM
    keeps: bool = False
    version: int = 1


@dataclass(frozen=True, slots=True)
class StageOutcome:
    """How one stage of one film ended this time."""

    film: str
    stage: str
    ran: bool
    summary: dict[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    failure: str | None = None
    seconds: float = 0.0
