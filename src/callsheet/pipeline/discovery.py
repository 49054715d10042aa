"""Find the films of a folder: which video, screenplay, subtitles and cast belong together.

A film is a sub-folder, or files beside each other that share a name ("casablanca.mp4",
"casablanca.txt", "casablanca.en.srt"). What `callsheet.toml` names wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from callsheet.errors import InputError
from callsheet.pipeline.file_names import (
    fit,
    is_note,
    is_script,
    language_rank,
    title,
    without_language,
    without_script_word,
    words_of,
)

VIDEO = (
    *(".mp4", ".mkv", ".avi", ".mov", ".m4v", ".webm"),
    *(".mpg", ".mpeg", ".ts", ".wmv", ".ogv", ".vob"),
)
SCREENPLAY = (".fountain", ".fdx", ".txt", ".html", ".htm", ".pdf")
SUBTITLES = (".srt", ".vtt", ".ass", ".ssa", ".sub")
CAST = "cast.csv"

_UNMISTAKABLE = (".fountain", ".fdx")
"""Endings that only screenplays have."""

RESERVED = {
    *("report", "lock", "index.parquet", "people.json"),
    *("actions.json", "actions_weights.npy", "actions_trials.npy"),
}
"""Names in the work folder that no film's folder may have."""


@dataclass(frozen=True, slots=True)
class Film:
    """One film: its id and its files, as far as there are any."""

    film: str
    video: Path | None = None
    screenplay: Path | None = None
    subtitles: Path | None = None
    cast: Path | None = None

    def missing(self) -> tuple[str, ...]:
        """What is not there, in plain words."""
        needed = {
            "video": self.video,
            "screenplay": self.screenplay,
            "subtitles": self.subtitles,
        }
        return tuple(name for name, path in needed.items() if path is None)


@dataclass(frozen=True, slots=True)
class Discovery:
    """The films found, and what was ambiguous or left aside."""

    films: tuple[Film, ...]
    warnings: tuple[str, ...]


def find_films(folder: Path) -> Discovery:
    """Look through a folder and its sub-folders (one level) for films."""
    try:
        visible = _visible(folder)
    except OSError as error:
        raise InputError(
            f"cannot read {folder}: {error.strerror or error}", path=str(folder)
        ) from error
    warnings: list[str] = []
    films: list[Film] = []
    for name, files in _groups(visible, warnings):
        film = _film_of(name, files, warnings)
        if film is None:
            continue
        if any(f.film == film.film for f in films):
            warnings.append(
                f"{name}: a folder and loose files share this name; the folder is taken"
            )
        else:
            films.append(film)
    return Discovery(tuple(films), tuple(warnings))


def _visible(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if not p.name.startswith("."))


def _groups(visible: Sequence[Path], warnings: list[str]) -> list[tuple[str, list[Path]]]:
    """Files by film: those of each sub-folder, and those that share a name beside each other."""
    groups = [(p.name, _files_in(p, warnings)) for p in visible if p.is_dir()]
    return groups + sorted(_by_name([p for p in visible if p.is_file()], warnings))


def _files_in(folder: Path, warnings: list[str]) -> list[Path]:
    """The files of a sub-folder; one that cannot be read is told, and the others go on."""
    try:
        visible = _visible(folder)
        files = [p for p in visible if p.is_file()]
        if not _with_ending(files, VIDEO + SCREENPLAY + SUBTITLES) and _films_below(visible):
            warnings.append(
                f"{folder.name}: its sub-folders are not looked into; open them by themselves"
            )
    except OSError as error:
        warnings.append(f"{folder.name}: left aside, cannot read it: {error.strerror or error}")
        return []
    return files


def _films_below(visible: Sequence[Path]) -> bool:
    """Whether the sub-folders of a folder hold videos."""
    return any(_with_ending(_visible(sub), VIDEO) for sub in visible if sub.is_dir())


def _by_name(loose: Sequence[Path], warnings: list[str]) -> list[tuple[str, list[Path]]]:
    """Loose files by film: each video with the texts that bear its name, then texts alone."""
    films = [[video] for video in _with_ending(loose, VIDEO)]
    bearers = [words for (video,) in films for words in _names(video)]
    scripts = _texts(_with_ending(loose, SCREENPLAY), bearers, warnings)
    alone: dict[tuple[str, ...], list[Path]] = {}
    for script in _left_by(films, scripts):
        alone.setdefault(title(words_of(without_script_word(script))), []).append(script)
    films += alone.values()
    rest: dict[tuple[str, ...], list[Path]] = {}
    for subtitles in _left_by(films, _with_ending(loose, SUBTITLES)):
        rest.setdefault(title(words_of(without_language(subtitles))), []).append(subtitles)
    return [(_film_name(files[0]), sorted(files)) for files in [*films, *rest.values()]]


def _left_by(films: Sequence[list[Path]], texts: Sequence[Path]) -> list[Path]:
    """Give each text to the film whose name it fits best; return those that fit none."""
    left: list[Path] = []
    for text in texts:
        fits = [(found, film) for film in films if (found := fit(_film_name(film[0]), text))]
        if fits:
            max(fits, key=lambda f: f[0])[1].append(text)
        else:
            left.append(text)
    return left


def _names(path: Path) -> tuple[tuple[str, ...], ...]:
    whole = words_of(path.stem)
    return whole, title(whole)


def _film_name(first: Path) -> str:
    """The film's id: a video's whole name, of a text what is not "script" or a language."""
    if first.suffix.lower() in SCREENPLAY:
        return without_script_word(first)
    return without_language(first) if first.suffix.lower() in SUBTITLES else first.stem


def _texts(
    files: Sequence[Path], bearers: Sequence[tuple[str, ...]], warnings: list[str]
) -> list[Path]:
    """The files that may be screenplays: not notes and licences, unless their film is called so."""
    kept: list[Path] = []
    for path in files:
        sure = path.suffix.lower() in _UNMISTAKABLE or is_script(path)
        if sure or not is_note(path, bearers):
            kept.append(path)
        elif (
            len(words_of(path.stem)) > 1
        ):  # README.txt needs no word, "Notes on a Scandal.txt" does
            warnings.append(f"{path.name}: left aside, its name says that it is no screenplay"
                            " (name it in callsheet.toml if it is one)")  # fmt: skip
    return kept


def _film_of(name: str, files: Sequence[Path], warnings: list[str]) -> Film | None:
    video = _pick(name, "video", _with_ending(files, VIDEO), warnings)
    bearers = [words_of(name), *(() if video is None else _names(video))]
    scripts = _texts(_with_ending(files, SCREENPLAY), bearers, warnings)
    screenplay = _pick(name, "screenplay", _scripts_first(scripts), warnings)
    found = _english_first(_with_ending(files, SUBTITLES), files)
    subtitles = _pick(name, "subtitles", found, warnings)
    cast = next((p for p in files if p.name.lower() == CAST), None)
    if video is None and screenplay is None:
        if subtitles is not None:
            warnings.append(f"{name}: subtitles alone ({subtitles.name}) make no film; left aside")
        return None
    film = f"{name} (film)" if name in RESERVED else name
    return Film(film, video, screenplay, subtitles, cast)


def _pick(name: str, what: str, found: Sequence[Path], warnings: list[str]) -> Path | None:
    if len(found) > 1:
        others = ", ".join(p.name for p in found[1:])
        warnings.append(
            f"{name}: several files could be the {what}; taking {found[0].name}, not {others}"
            " (name another in callsheet.toml)"
        )
    return found[0] if found else None


def _with_ending(files: Iterable[Path], endings: tuple[str, ...]) -> list[Path]:
    return [p for p in files if p.suffix.lower() in endings]


def _scripts_first(files: Sequence[Path]) -> list[Path]:
    def rank(path: Path) -> tuple[bool, int, str]:
        return (not is_script(path), SCREENPLAY.index(path.suffix.lower()), path.name)

    return sorted(files, key=rank)


def _english_first(subtitles: Sequence[Path], beside: Sequence[Path]) -> list[Path]:
    """Subtitles in the language of the script (English) before others, plain before .en."""

    def rank(path: Path) -> tuple[int, int, str]:
        return (
            language_rank(path, beside),
            SUBTITLES.index(path.suffix.lower()),
            path.name,
        )

    return sorted(subtitles, key=rank)
