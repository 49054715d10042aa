"""A library: a folder of films, its settings, and everything computed of it.

library = Library.open("films/")
library.run()
library.labels("casablanca")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from callsheet.core import Label, TrackLabels
from callsheet.errors import ChoiceError, InputError
from callsheet.pipeline.discovery import Discovery, Film, find_films
from callsheet.pipeline.named_films import NamedFilms
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.settings_file import fill, parse_toml, read_text
from callsheet.pipeline.stage import WORK_FOLDER, FilmWork
from callsheet.store import SCHEMAS, read_rows

if TYPE_CHECKING:
    from callsheet.pipeline.index import Moment

SETTINGS_FILE = "callsheet.toml"


@dataclass(frozen=True, slots=True)
class Library:
    """A folder of films with its settings. Open one with `Library.open`."""

    folder: Path
    films: tuple[Film, ...]
    settings: Settings
    warnings: tuple[str, ...] = ()

    @classmethod
    def open(cls, folder: str | Path) -> Library:
        """Find the films of a folder; `callsheet.toml`, where there is one, has the last word."""
        path = Path(folder)
        if not path.is_dir():
            raise InputError(f"{path} is not a folder; give the folder that holds the films")
        found = find_films(path)
        settings, films, warnings = _read_settings(path, found)
        if not films:
            raise InputError(
                f"no film in {path}; a film is a sub-folder (or files of one name) with a video or"
                " a screenplay"
            )
        return cls(path, films, settings, (*found.warnings, *warnings))

    @property
    def work_folder(self) -> Path:
        return self.folder / WORK_FOLDER

    @property
    def works(self) -> tuple[FilmWork, ...]:
        """Every film with the folder of what is computed of it."""
        return tuple(FilmWork(film, self.work_folder / film.film) for film in self.films)

    def work(self, film: str) -> FilmWork:
        """One film by its id."""
        for work in self.works:
            if work.film.film == film:
                return work
        there = ", ".join(f.film for f in self.films)
        raise ChoiceError(f"no film {film!r}; the films are {there}")

    def labels(self, film: str) -> list[TrackLabels]:
        """Who each track of a film shows and what they do."""
        path = self.work(film).folder / "labels.parquet"
        return [_track_labels(row) for row in read_rows(path, SCHEMAS["labels"])]

    def who(
        self,
        *,
        person: str | None = None,
        action: str | None = None,
        film: str | None = None,
        least_score: float = 0.0,
        limit: int | None = None,
    ) -> list[Moment]:
        """The moments of a person and/or an action over all films, the surest first."""
        from callsheet.pipeline.index import find_moments

        return find_moments(self.work_folder, person=person, action=action, film=film,
                            least_score=least_score, limit=limit)  # fmt: skip

    def run(self, stages: Sequence[str] = (), *, workers: int | None = None) -> Any:
        """Do everything that is out of date (or only the named stages and what they need)."""
        from callsheet.pipeline.run import run_library

        return run_library(self, stages=stages, workers=workers)

    def status(self) -> Any:
        """Where every stage of every film stands, and why."""
        from callsheet.pipeline.run import library_status

        return library_status(self)


def _track_labels(row: dict[str, Any]) -> TrackLabels:
    return TrackLabels(row["track"], _label(row, "person"), _label(row, "action"))


def _label(row: dict[str, Any], what: str) -> Label | None:
    if row[f"{what}_score"] is None:
        return None
    return Label(
        row["track"],
        row[what],
        score=row[f"{what}_score"],
        margin=row[f"{what}_margin"],
        reasons=tuple(row[f"{what}_reasons"]),
    )


def _read_settings(
    folder: Path, found: Discovery
) -> tuple[Settings, tuple[Film, ...], tuple[str, ...]]:
    """The settings, the films as they are named there, and warnings."""
    path = folder / SETTINGS_FILE
    if not path.exists():
        return Settings(), found.films, ()
    text = read_text(path)
    tree = parse_toml(text, path)
    named = NamedFilms(folder, path, text)
    films = named.apply(found.films, tree.pop("films", {}))
    return fill(Settings, tree, path=path, text=text), films, tuple(named.warnings)
