"""A library: a folder of films, its settings, and everything computed of it.

library = Library.open("films/")
library.run()
library.labels("casablanca")
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from callsheet.core import Label, TrackLabels
from callsheet.errors import InputError, SettingsError
from callsheet.pipeline.discovery import Discovery, Film, find_films
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.settings_file import fill, find_line, parse_toml, read_text
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
    text = read_text(path)
    tree = parse_toml(text, path)
    named = tree.pop("films", {})
    settings = fill(Settings, tree, path=path, text=text)
    return settings, _named_films(folder, found.films, named, text=text)


def _named_films(folder: Path, found: Sequence[Film], named: Any, *, text: str) -> tuple[Film, ...]:
    """The films as `[films.ID]` tables name them; those not named stay as they were found."""

    def wrong(key: str, sentence: str) -> SettingsError:
        path, line = folder / SETTINGS_FILE, find_line(text, key)
        return SettingsError(f"{path}, line {line}: {sentence}", path=str(path), line=line)

    if not isinstance(named, dict):
        raise wrong("films", "films must be tables like [films.casablanca]")
    films = {film.film: film for film in found}
    for name, files in named.items():
        table = f"films.{name}"
        if not isinstance(files, dict):
            raise wrong(table, f"{table} must be a table like [{table}], got {files!r}")
        if "/" in name or name.startswith("."):
            raise wrong(table, f"{name!r} cannot be a film's name: no / and no dot at its start")
        if not isinstance(skip := files.get("skip", False), bool):
            raise wrong(f"{table}.skip", f"skip must be true or false, got {skip!r}")
        films[name] = Film(name, **_named_files(folder, table, files, wrong=wrong))
        if skip:
            del films[name]
    return tuple(films.values())


def _named_files(
    folder: Path, table: str, files: dict[str, Any], *, wrong: Callable[[str, str], SettingsError]
) -> dict[str, Path | None]:
    chosen: dict[str, Path | None] = dict.fromkeys(_FILES)
    for key, value in files.items():
        if key not in (*_FILES, "skip"):
            choices = ", ".join((*_FILES, "skip"))
            raise wrong(f"{table}.{key}", f"unknown key {key!r} in [{table}]; choices: {choices}")
        if key == "skip" or value == "":
            continue
        if not isinstance(value, str):
            raise wrong(f"{table}.{key}", f"{key} must be a file's name, got {value!r}")
        chosen[key] = folder / value
        if not (folder / value).is_file():
            raise wrong(f"{table}.{key}", f"{key} of {table[6:]} is not there: {value}")
    return chosen
