"""Find the films of a folder: which video, screenplay, subtitles and cast belong together.

A film is a sub-folder, or files beside each other that share a name ("casablanca.mp4",
"casablanca.txt", "casablanca.en.srt"). What `callsheet.toml` names wins.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

VIDEO = (
    *(".mp4", ".mkv", ".avi", ".mov", ".m4v", ".webm"),
    *(".mpg", ".mpeg", ".ts", ".wmv", ".ogv", ".vob"),
)
SCREENPLAY = (".fountain", ".fdx", ".txt", ".html", ".htm", ".pdf")
SUBTITLES = (".srt", ".vtt", ".ass", ".ssa", ".sub")
CAST = "cast.csv"

_SCRIPT_WORDS = re.compile(r"script|screenplay|transcript", re.IGNORECASE)
_LANGUAGE = re.compile(r"(\.(forced|sdh|cc|[a-z]{2,3}|[a-z]{2}-[a-z]{2}|english))+$", re.IGNORECASE)
_RELEASE = re.compile(
    r"(19|20)\d\d|\d{3,4}[ip]|[48]k|uhd|hdr|hdtv|(web|br|bd|dvd)(rip|dl)?|bluray|remux|[xh]26[45]"
    r"|hevc|av1|xvid|divx"
)
_NUMBER = re.compile(r"(?!(19|20)\d\d)\d+|[ivx]+")
_TAKEN = {"report", "lock"}
"""Names in the work folder that no film's folder may have."""

_OTHER_WORDS = re.compile(r"readme|licen[cs]e|notes?\b", re.IGNORECASE)


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
    visible = sorted(p for p in folder.iterdir() if not p.name.startswith("."))
    films: list[Film] = []
    warnings: list[str] = []
    for name, files in _groups(visible):
        film, notes = _film_of(name, files)
        warnings += notes
        if film is None and _films_below(folder / name):
            warnings.append(f"{name}: its sub-folders are not looked into; open them by themselves")
        if film is not None and any(f.film == film.film for f in films):
            warnings.append(
                f"{name}: a folder and loose files share this name; the folder is taken"
            )
        elif film is not None:
            films.append(film)
    return Discovery(tuple(films), tuple(warnings))


def _groups(visible: Sequence[Path]) -> list[tuple[str, list[Path]]]:
    """Files by film: those of each sub-folder, and those that share a name beside each other."""
    folders = [p for p in visible if p.is_dir()]
    groups = [(p.name, sorted(f for f in p.iterdir() if f.is_file())) for p in folders]
    loose = [p for p in visible if p.is_file() and _is_ours(p)]
    return groups + sorted(_by_name(loose))


def _by_name(loose: Sequence[Path]) -> list[tuple[str, list[Path]]]:
    """Loose files by film: each video with the texts that bear its name, then texts alone."""
    films = [[p] for p in loose if p.suffix.lower() in VIDEO]
    alone: dict[tuple[str, ...], list[Path]] = {}
    for path in loose:
        if path.suffix.lower() in VIDEO:
            continue
        fits = [(fit, film) for film in films if (fit := _fit(film[0], path))]
        if fits:
            max(fits, key=lambda f: f[0])[1].append(path)
        else:
            alone.setdefault(_title(_words(path)), []).append(path)
    return [(_stem(files[0]), sorted(files)) for files in [*films, *alone.values()]]


def _fit(video: Path, text: Path) -> tuple[int, int] | None:
    """How well a text's name fits a video's (None: not at all): the whole name before its title.

    "alien script.pdf" fits "alien.mp4"; "alien 3.srt" does not: a number tells a sequel.
    """
    said, whole = _words(text), _words(video)
    for rank, words in ((2, whole), (1, _title(whole))):
        rest = said[len(words) :]
        if said[: len(words)] == words and not (rest and _NUMBER.fullmatch(rest[0])):
            return rank, len(words)
    return None


def _words(path: Path) -> tuple[str, ...]:
    """The words of a file's name, whatever stands between them and however they are written."""
    plain = unicodedata.normalize("NFC", _stem(path)).casefold()
    return tuple(re.findall(r"[^\W_]+", plain))


def _title(words: tuple[str, ...]) -> tuple[str, ...]:
    """Without what releases append: year, size, source, codec and all that follows."""
    for place, word in enumerate(words[1:], start=1):
        if _RELEASE.fullmatch(word):
            return words[:place]
    return words


def _stem(path: Path) -> str:
    """Name without endings, languages and words like "script"."""
    stem = _LANGUAGE.sub("", path.stem) if path.suffix.lower() in SUBTITLES else path.stem
    return _SCRIPT_WORDS.sub("", stem).strip(" _-.") or path.stem


def _is_ours(path: Path) -> bool:
    ours = path.suffix.lower() in VIDEO + SCREENPLAY + SUBTITLES
    return ours and not _OTHER_WORDS.search(path.stem)


def _films_below(folder: Path) -> bool:
    """Whether a folder that is no film has films in its own folders."""
    return folder.is_dir() and any(
        f.suffix.lower() in VIDEO
        for sub in folder.iterdir()
        if sub.is_dir() and not sub.name.startswith(".")
        for f in sub.iterdir()
    )


def _film_of(name: str, files: Sequence[Path]) -> tuple[Film | None, list[str]]:
    notes: list[str] = []
    video = _pick(name, "video", _with_ending(files, VIDEO), notes)
    scripts = [p for p in _with_ending(files, SCREENPLAY) if not _OTHER_WORDS.search(p.stem)]
    screenplay = _pick(name, "screenplay", _scripts_first(scripts), notes)
    subtitles = _pick(name, "subtitles", _english_first(_with_ending(files, SUBTITLES)), notes)
    cast = next((p for p in files if p.name.lower() == CAST), None)
    if video is None and screenplay is None:
        if subtitles is not None:
            notes.append(f"{name}: subtitles alone ({subtitles.name}) make no film; left aside")
        return None, notes
    film = f"{name} (film)" if name in _TAKEN else name
    return Film(film, video, screenplay, subtitles, cast), notes


def _pick(name: str, what: str, found: Sequence[Path], notes: list[str]) -> Path | None:
    if len(found) > 1:
        others = ", ".join(p.name for p in found[1:])
        notes.append(
            f"{name}: several files could be the {what}; taking {found[0].name}, not {others}"
            " (name another in callsheet.toml)"
        )
    return found[0] if found else None


def _with_ending(files: Iterable[Path], endings: tuple[str, ...]) -> list[Path]:
    return [p for p in files if p.suffix.lower() in endings]


def _scripts_first(files: Sequence[Path]) -> list[Path]:
    def rank(path: Path) -> tuple[bool, int, str]:
        return (
            not _SCRIPT_WORDS.search(path.stem),
            SCREENPLAY.index(path.suffix.lower()),
            path.name,
        )

    return sorted(files, key=rank)


def _english_first(files: Sequence[Path]) -> list[Path]:
    """Subtitles in the language of the script (English) before others, plain before .en."""

    def rank(path: Path) -> tuple[int, int, str]:
        tags = path.name.lower().split(".")[1:-1]
        language = 0 if not tags else 1 if {"en", "eng", "english"} & set(tags) else 2
        return (language, SUBTITLES.index(path.suffix.lower()), path.name)

    return sorted(files, key=rank)
