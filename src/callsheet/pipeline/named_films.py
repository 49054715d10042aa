"""The tables `[films.NAME]` of `callsheet.toml`: each changes what was found of one film.

A film begins with the files that were found; a key names another file, "" says that there is
none, `skip = true` leaves the film out. A file that is not there today is a warning, not an
error: the disk with the videos may be elsewhere.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from callsheet.errors import SettingsError
from callsheet.pipeline.discovery import RESERVED, Film
from callsheet.pipeline.settings_file import find_line

FILES = ("video", "screenplay", "subtitles", "cast")
KEYS = (*FILES, "skip")


class NamedFilms:
    """Applies the tables; mistakes are named with their line, warnings gathered."""

    def __init__(self, folder: Path, path: Path, text: str) -> None:
        self._folder, self._path, self._text = folder, path, text
        self.warnings: list[str] = []

    def apply(self, found: Sequence[Film], named: Any) -> tuple[Film, ...]:
        """The films as the tables say; those not named stay as they were found."""
        if not isinstance(named, dict):
            raise self._wrong("films", "films must be tables like [films.casablanca]")
        films = {film.film: film for film in found}
        chosen = {name: self._film(name, table, films) for name, table in named.items()}
        films |= {name: film for name, film in chosen.items() if film is not None}
        for name, table in named.items():
            if table.get("skip"):
                films.pop(name, None)
        return tuple(self._once(films.values(), chosen))

    def _once(self, films: Iterable[Film], chosen: Mapping[str, Film | None]) -> Iterable[Film]:
        """Without films that were found again under another name than the tables give them."""
        taken = {_main(film) for film in chosen.values() if film is not None} - {None}
        return (f for f in films if f.film in chosen or _main(f) not in taken)

    def _film(self, name: str, table: Any, found: Mapping[str, Film]) -> Film | None:
        """What a table makes of a film; None where it is about no film at all."""
        where = f"films.{name}"
        if not isinstance(table, dict):
            raise self._wrong(where, f"{where} must be a table like [{where}], got {table!r}")
        self._check_name(where, name)
        files = self._files(where, table)
        if table.get("skip") and name in found:
            return None
        chosen: dict[str, Any] = {k: self._file(where, k, v) for k, v in files.items()}
        if name in found:
            return replace(found[name], **chosen)
        if any(files.values()):
            return Film(name, **chosen)
        near = difflib.get_close_matches(name, found, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"found: {', '.join(found) or 'none'}"
        self._warn(where, f"[{where}] is about no film that is here; {hint}")
        return None

    def _check_name(self, where: str, name: str) -> None:
        if not name.strip() or "/" in name or name.startswith("."):
            raise self._wrong(
                where, f"{name!r} cannot be a film's name: not empty, no / and no dot at its start"
            )
        if name in RESERVED:
            raise self._wrong(
                where,
                f"{name!r} cannot be a film's name: callsheet keeps its own results under it;"
                f" take another, such as {name + ' (film)'!r}",
            )

    def _files(self, where: str, table: Mapping[str, Any]) -> dict[str, str]:
        files: dict[str, str] = {}
        for key, value in table.items():
            if key not in KEYS:
                near = difflib.get_close_matches(key, KEYS, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"choices: {', '.join(KEYS)}"
                raise self._wrong(f"{where}.{key}", f"unknown key {key!r} in [{where}]; {hint}")
            if key == "skip":
                if not isinstance(value, bool):
                    raise self._wrong(f"{where}.skip", f"skip must be true or false, got {value!r}")
            elif not isinstance(value, str):
                raise self._wrong(f"{where}.{key}", f"{key} must be a file's name, got {value!r}")
            else:
                files[key] = value
        return files

    def _file(self, where: str, key: str, value: str) -> Path | None:
        path = self._folder / value
        if value == "":
            return None
        if path.is_file():
            return path
        self._warn(
            f"{where}.{key}",
            f"{key} of {where.removeprefix('films.')} is not there: {value}; going on without it",
        )
        return None

    def _warn(self, key: str, sentence: str) -> None:
        self.warnings.append(f"{self._path}, line {find_line(self._text, key)}: {sentence}")

    def _wrong(self, key: str, sentence: str) -> SettingsError:
        line = find_line(self._text, key)
        return SettingsError(
            f"{self._path}, line {line}: {sentence}", path=str(self._path), line=line
        )


def _main(film: Film) -> Path | None:
    return film.video or film.screenplay
