"""A library: a folder of films, its settings, and everything computed of it.

library = Library.open("films/")
library.run()
library.labels("casablanca")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from callsheet.core import Label, TrackLabels
from callsheet.errors import InputError, SettingsError
from callsheet.pipeline.discovery import Discovery, Film, find_films
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.settings_file import fill, find_line, parse_toml
from callsheet.pipeline.stage import FilmWork
from callsheet.store import SCHEMAS, read_rows

SETTINGS_FILE = "callsheet.toml"
WORK_FOLDER = ".callsheet"
_FILES = ("video", "screenplay", "subtitles", "cast")


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
        settings, films = _read_settings(path, found)
        if not films:
            raise InputError(
                f"no film in {path}; a film is a sub-folder (or files of one name) with a video or"
                " a screenplay"
            )
        return cls(path, films, settings, found.warnings)

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
        raise InputError(f"no film {film!r}; the films are {', '.join(f.film for f in self.films)}")

    def labels(self, film: str) -> list[TrackLabels]:
        """Who each track of a film shows and what they do."""
        path = self.work(film).folder / "labels.parquet"
        return [_track_labels(row) for row in read_rows(path, SCHEMAS["labels"])]

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


def _read_settings(folder: Path, found: Discovery) -> tuple[Settings, tuple[Film, ...]]:
    path = folder / SETTINGS_FILE
    if not path.exists():
        return Settings(), found.films
    text = path.read_text(encoding="utf-8")
    tree = parse_toml(text, path)
    named = tree.pop("films", {})
    settings = fill(Settings, tree, path=path, text=text)
    return settings, _named_films(folder, found.films, named, text=text)


def _named_films(folder: Path, found: Sequence[Film], named: Any, *, text: str) -> tuple[Film, ...]:
    """The films as `[films.ID]` tables name them; those not named stay as they were found."""
    path = folder / SETTINGS_FILE
    if not isinstance(named, dict):
        raise SettingsError(f"{path}: films must be tables like [films.casablanca]")
    films = {film.film: film for film in found}
    for name, files in named.items():
        if not isinstance(files, dict):
            raise SettingsError(f"{path}: films.{name} must be a table")
        if files.get("skip") is True:
            films.pop(name, None)
            continue
        films[name] = Film(name, **_named_files(folder, name, files, text=text))
    return tuple(films.values())


def _named_files(
    folder: Path, film: str, files: dict[str, Any], *, text: str
) -> dict[str, Path | None]:
    path = folder / SETTINGS_FILE
    for key in files:
        if key not in (*_FILES, "skip"):
            line = find_line(text, f"films.{film}.{key}")
            raise SettingsError(
                f"{path}, line {line}: unknown key {key!r} in [films.{film}]; choices:"
                f" {', '.join(_FILES)}, skip",
                line=line,
            )
    chosen: dict[str, Path | None] = dict.fromkeys(_FILES)
    for key in _FILES:
        if name := files.get(key):
            chosen[key] = folder / str(name)
            if not (folder / str(name)).is_file():
                line = find_line(text, f"films.{film}.{key}")
                raise SettingsError(
                    f"{path}, line {line}: {key} of {film} is not there: {name}", line=line
                )
    return chosen
