"""Begin a library: pair what is found and write a `callsheet.toml` that explains itself."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from callsheet.errors import InputError
from callsheet.pipeline.discovery import Film, find_films
from callsheet.pipeline.library import SETTINGS_FILE
from callsheet.pipeline.meanings import meanings_of
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.settings_file import default_of, toml_value
from callsheet.store import write_text

HEADER = """\
# Settings of this callsheet library. Everything below is optional.
# Times are seconds; a line that begins with # is the default.

"""


@dataclass(frozen=True, slots=True)
class Started:
    """What `init` found and where it wrote it."""

    films: tuple[Film, ...]
    warnings: tuple[str, ...]
    settings_file: Path


def init_library(folder: Path, *, force: bool = False) -> Started:
    """Write `callsheet.toml` for the films found in a folder."""
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder; give the folder that holds the films")
    path = folder / SETTINGS_FILE
    if path.exists() and not force:
        raise InputError(f"{path} is there already; --force writes it anew (your changes are lost)")
    found = find_films(folder)
    if not found.films:
        raise InputError(f"no video and no screenplay in {folder} or its sub-folders")
    write_text(path, HEADER + _films(folder, found.films) + settings_text())
    return Started(found.films, found.warnings, path)


def _films(folder: Path, films: tuple[Film, ...]) -> str:
    """A table a film, with what is missing as a comment."""
    lines: list[str] = []
    for film in films:
        lines.append(f"[films.{toml_value(film.film)}]")
        lines += [f'# {name} = ""  # not found' for name in film.missing()]
        for name in ("video", "screenplay", "subtitles", "cast"):
            path: Path | None = getattr(film, name)
            if path is not None:
                lines.append(f"{name} = {toml_value(path.relative_to(folder).as_posix())}")
        lines.append("")
    return "\n".join(lines) + "\n"


def settings_text() -> str:
    """Every setting with its meaning and default, commented out."""
    lines: list[str] = []
    for section in fields(Settings):
        lines += _section(section.name, default_of(section))
    return "\n".join(lines) + "\n"


def _section(name: str, settings: Any) -> list[str]:
    first_line = (type(settings).__doc__ or "").strip().splitlines()[0]
    lines = [f"# {first_line}", f"[{name}]"]
    meanings = meanings_of(type(settings))
    for setting in fields(settings):
        value = getattr(settings, setting.name)
        shown = toml_value(value) if value is not None else '""'
        meaning = meanings.get(setting.name, "")
        lines.append(f"# {setting.name} = {shown}" + (f"  # {meaning}" if meaning else ""))
    return [*lines, ""]
