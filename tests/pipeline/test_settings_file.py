"""Settings: typed, with the file and line of every mistake; what is written reads back."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import pytest

from callsheet.errors import SettingsError
from callsheet.pipeline.init import init_library, settings_text
from callsheet.pipeline.library import Library
from callsheet.pipeline.meanings import meanings_of
from callsheet.pipeline.settings import Settings
from callsheet.pipeline.settings_file import fill, parse_toml, toml_value

PATH = Path("callsheet.toml")


@dataclass(frozen=True)
class Part:
    """A part."""

    every: int = 5  # detect on every n-th frame
    share: float = 0.5
    """Share of something."""
    # How it is done.
    mode: Literal["quick", "exact"] = "quick"
    cuts: tuple[float, ...] = ()
    model: str | None = None
    on: bool = True

    def __post_init__(self) -> None:
        if self.every < 1:
            raise SettingsError(f"every must be at least 1, got {self.every}")


@dataclass(frozen=True)
class Tree:
    part: Part = field(default_factory=Part)


def read(text: str) -> Tree:
    return fill(Tree, parse_toml(text, PATH), path=PATH, text=text)


def test_values_and_defaults() -> None:
    tree = read('[part]\nevery = 7\nshare = 1\ncuts = [1, 2.5]\nmodel = "m"\nmode = "exact"')
    assert tree == Tree(Part(7, 1.0, "exact", (1, 2.5), "m"))
    assert isinstance(tree.part.share, float)
    assert read("") == Tree()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[part]\n\nevry = 5", r"line 3: unknown key 'evry' in \[part\]; did you mean 'every'\?"),
        ("[prt]\nevery = 5", r"line 1: unknown key 'prt'; did you mean 'part'\?"),
        ("[part]\nxyz = 1", "choices: every, share, mode"),
        ("[part]\nevery = 2.5", "line 2: part.every must be a whole number, got 2.5"),
        ("[part]\nevery = true", "must be a whole number, got True"),
        ("# x\n[part]\nshare = 'a'", "line 3: part.share must be a number"),
        ("[part]\nmode = 'slow'", "must be one of 'quick', 'exact', got 'slow'"),
        ("[part]\ncuts = ['a']", "must be a list of a number"),
        ("part = 3", "line 1: part must be a table"),
        ("[part]\nevery = 0", r"\[part\] every must be at least 1, got 0"),
        ("[part\n", "callsheet.toml: .*line 1.*mend that line"),
    ],
)
def test_mistakes_are_named_with_their_line(text: str, sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        read(text)


def test_meanings_come_from_the_source() -> None:
    meanings = meanings_of(Part)
    assert meanings["every"] == "detect on every n-th frame"
    assert meanings["share"] == "Share of something."
    assert meanings["mode"] == "How it is done."


@pytest.mark.parametrize("value", [True, 3, 2.5, 1e-6, 'a "b" \\ c\n', (1, 2), ("a",)])
def test_toml_values_round_trip(value: object) -> None:
    back = parse_toml(f"x = {toml_value(value)}", PATH)["x"]
    assert (tuple(back) if isinstance(value, tuple) else back) == value


def test_every_setting_has_a_meaning_and_reads_back() -> None:
    text = settings_text()
    assert fill(Settings, parse_toml(text, PATH), path=PATH, text=text) == Settings()
    live = "\n".join(_uncommented(line) for line in text.splitlines())
    assert fill(Settings, parse_toml(live, PATH), path=PATH, text=live) == Settings()
    silent = [line for line in text.splitlines() if line.startswith("# ") and " = " in line
              and "  # " not in line]  # fmt: skip
    assert silent == []


def _uncommented(line: str) -> str:
    setting = line.startswith("# ") and " = " in line and not line.endswith(".")
    return line.removeprefix("# ") if setting and ' = ""' not in line else line


def test_init_writes_what_open_reads(tmp_path: Path) -> None:
    for name in ("a/v.mp4", "a/s.txt", "b/v.mp4"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    started = init_library(tmp_path)
    assert [f.film for f in started.films] == ["a", "b"]
    assert Library.open(tmp_path).films == started.films
    with pytest.raises(Exception, match="is there already"):
        init_library(tmp_path)


@pytest.fixture
def films(tmp_path: Path) -> Path:
    """Film a with everything and a second video, film b with its video."""
    for name in ("a/v.mp4", "a/w.mp4", "a/s.fountain", "a/s.srt", "b/v.mp4"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    return tmp_path


def opened(folder: Path, settings: str) -> Library:
    (folder / "callsheet.toml").write_text(settings)
    return Library.open(folder)


def test_films_named_in_the_settings(films: Path) -> None:
    (film,) = opened(films, '[films.a]\nvideo = "a/w.mp4"\n[films.b]\nskip = true\n').films
    assert film.video == films / "a/w.mp4"
    assert film.screenplay == films / "a/s.fountain"  # found, and not named otherwise
    library = opened(films, '[films.a]\nsubtitles = ""\n[films.c]\nvideo = "a/w.mp4"\n')
    assert [f.film for f in library.films] == ["a", "b", "c"]
    assert library.work("a").film.subtitles is None
    assert library.work("a").film.video == films / "a/v.mp4"


def test_a_film_under_another_name_is_not_there_twice(films: Path) -> None:
    library = opened(films, '[films.bullitt]\nvideo = "b/v.mp4"\n')
    assert [f.film for f in library.films] == ["a", "bullitt"]


def test_subtitles_that_came_after_init_are_used(films: Path) -> None:
    init_library(films)
    (films / "b" / "late.srt").touch()
    assert Library.open(films).work("b").film.subtitles == films / "b" / "late.srt"


def test_a_named_file_that_is_away_stops_nobody(films: Path) -> None:
    library = opened(films, '[films.a]\nvideo = "a/gone.mp4"\n[films.c]\nvideo = "c/gone.mp4"\n')
    assert [f.film for f in library.films] == ["a", "b", "c"]
    assert library.work("a").film.video is None
    assert library.work("a").film.screenplay is not None
    first, second = library.warnings[-2:]
    assert "line 2: video of a is not there: a/gone.mp4; going on without it" in first
    assert "line 4: video of c is not there" in second


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('[films.a]\n\nvidio = "a/w.mp4"', "line 3: unknown key 'vidio' in .*did you mean 'video'"),
        ('[films.a]\nxyz = "a/w.mp4"', "choices: video, screenplay, subtitles, cast, skip"),
        ('[films.""]\nvideo = "a/w.mp4"', "line 1: '' cannot be a film's name"),
        ('[films."../a"]\nskip = true', "cannot be a film's name: not empty, no /"),
        ('[films.report]\nvideo = "a/w.mp4"', "'report' cannot be a film's name: callsheet keeps"),
        ("[films.a]\nvideo = 3", "line 2: video must be a file's name, got 3"),
        ("[films.a]\nskip = 1", "skip must be true or false, got 1"),
        ("[films]\na = 1", r"films.a must be a table like \[films.a\], got 1"),
        ("films = 1", "films must be tables"),
    ],
)
def test_mistakes_in_films_are_named_with_their_line(films: Path, text: str, sentence: str) -> None:
    with pytest.raises(SettingsError, match=sentence):
        opened(films, text)


def test_a_table_about_no_film_is_told(films: Path) -> None:
    library = opened(films, "[films.aa]\nskip = true\n")
    assert [f.film for f in library.films] == ["a", "b"]
    assert "line 1: [films.aa] is about no film that is here; did you mean" in library.warnings[-1]
