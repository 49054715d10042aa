"""Which files belong together."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from callsheet.pipeline.discovery import find_films


def folder_with(tmp_path: Path, *names: str) -> Path:
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path


def found(folder: Path) -> dict[str, tuple[str | None, ...]]:
    return {
        f.film: tuple(p.name if p else None for p in (f.video, f.screenplay, f.subtitles, f.cast))
        for f in find_films(folder).films
    }


def test_a_folder_is_a_film(tmp_path: Path) -> None:
    folder = folder_with(
        tmp_path, "casablanca/x.mkv", "casablanca/y.fountain", "casablanca/z.srt",
        "casablanca/cast.csv", "casablanca/truth/other.mp4", ".callsheet/a/b.mp4", "empty/notes.md",
    )  # fmt: skip
    assert found(folder) == {"casablanca": ("x.mkv", "y.fountain", "z.srt", "cast.csv")}


def test_files_beside_each_other_pair_by_name(tmp_path: Path) -> None:
    folder = folder_with(
        tmp_path, "alien.mp4", "Alien_notes.txt", "alien script.pdf", "alien.en.srt", "aliens.mkv",
        "aliens.txt", "aliens.fr.srt", "alien 3.mp4", "Mr. Robot.avi", "Mr. Robot.srt",
        "README.txt",
    )  # fmt: skip
    assert found(folder) == {
        "alien": ("alien.mp4", "alien script.pdf", "alien.en.srt", None),
        "alien 3": ("alien 3.mp4", None, None, None),
        "aliens": ("aliens.mkv", "aliens.txt", "aliens.fr.srt", None),
        "Mr. Robot": ("Mr. Robot.avi", None, "Mr. Robot.srt", None),
    }


def test_names_pair_whatever_their_case_and_release_words(tmp_path: Path) -> None:
    folder = folder_with(
        tmp_path, "The.Third.Man.1949.1080p.x264-GRP.mkv", "The Third Man.txt", "the_third_man.srt",
        "BRAZIL.MP4", "brazil.fdx", "Blade Runner.mkv", "Blade Runner 2049.mkv",
        "blade runner.srt", "blade runner 2049 script.txt", "Rocky.avi", "Rocky II.srt",
        "2001.A.Space.Odyssey.mkv", "2001 a space odyssey.txt", "Heat.fdx", "heat.srt",
    )  # fmt: skip
    assert found(folder) == {
        "The.Third.Man.1949.1080p.x264-GRP": (
            "The.Third.Man.1949.1080p.x264-GRP.mkv", "The Third Man.txt", "the_third_man.srt", None,
        ),
        "BRAZIL": ("BRAZIL.MP4", "brazil.fdx", None, None),
        "Blade Runner": ("Blade Runner.mkv", None, "blade runner.srt", None),
        "Blade Runner 2049": ("Blade Runner 2049.mkv", "blade runner 2049 script.txt", None, None),
        "Rocky": ("Rocky.avi", None, None, None),
        "2001.A.Space.Odyssey": ("2001.A.Space.Odyssey.mkv", "2001 a space odyssey.txt", None,
                                 None),
        "Heat": (None, "Heat.fdx", "heat.srt", None),
    }  # fmt: skip


def test_films_whose_names_speak_of_notes_and_licences_are_films(tmp_path: Path) -> None:
    folder = folder_with(
        tmp_path, "Licence to Kill.mp4", "Notes on a Scandal.mp4", "Notes on a Scandal.txt",
        "License to Drive.fdx", "Footnotes.txt", "LICENSE.txt", "alien.mp4", "alien notes.txt",
        "The Notes/The Notes.mkv", "The Notes/The Notes.txt", "The Notes/readme.txt",
    )  # fmt: skip
    assert found(folder) == {
        "Licence to Kill": ("Licence to Kill.mp4", None, None, None),
        "Notes on a Scandal": ("Notes on a Scandal.mp4", "Notes on a Scandal.txt", None, None),
        "License to Drive": (None, "License to Drive.fdx", None, None),
        "Footnotes": (None, "Footnotes.txt", None, None),
        "alien": ("alien.mp4", None, None, None),
        "The Notes": ("The Notes.mkv", "The Notes.txt", None, None),
    }
    (warning,) = find_films(folder).warnings
    assert "alien notes.txt: left aside, its name says that it is no screenplay" in warning


def test_hidden_files_are_not_taken(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, "f/._film.mkv", "f/film.mkv", "f/.film.txt")
    assert found(folder) == {"f": ("film.mkv", None, None, None)}


def test_words_of_a_title_are_neither_languages_nor_scripts(tmp_path: Path) -> None:
    folder = folder_with(
        tmp_path, "Top.Gun.mkv", "Top.Gun.srt", "Top.mp4", "Heat.txt", "Heat.ger.srt",
        "The Manuscript.mp4", "The Manuscript.txt", "The Script.mp4", "The Script.txt",
        "Let.It.Be/film.mkv", "Let.It.Be/Let.It.Be.srt", "Let.It.Be/Let.It.Be.de.srt",
        "man/Third.Man.1949.de.srt", "man/Third.Man.1949.srt", "man/Third.Man.1949.mkv",
        "signs/s.mkv", "signs/s.en.forced.srt", "signs/s.pt-BR.srt", "signs/s.en.sdh.srt",
    )  # fmt: skip
    films = found(folder)
    assert films["Top.Gun"] == ("Top.Gun.mkv", None, "Top.Gun.srt", None)
    assert films["Top"] == ("Top.mp4", None, None, None)
    assert films["Heat"] == (None, "Heat.txt", "Heat.ger.srt", None)
    assert films["The Manuscript"] == ("The Manuscript.mp4", "The Manuscript.txt", None, None)
    assert films["The Script"] == ("The Script.mp4", "The Script.txt", None, None)
    subtitles = {name: films[name][2] for name in ("Let.It.Be", "man", "signs")}
    assert subtitles == {
        "Let.It.Be": "Let.It.Be.srt", "man": "Third.Man.1949.srt", "signs": "s.en.sdh.srt",
    }  # fmt: skip


def test_a_folder_that_cannot_be_read_does_not_hide_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_with(tmp_path, "closed/a.mp4", "open/b.mp4")
    listing = Path.iterdir

    def iterdir(path: Path) -> Iterator[Path]:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return listing(path)

    monkeypatch.setattr(Path, "iterdir", iterdir)
    discovery = find_films(folder)
    assert [f.film for f in discovery.films] == ["open"]
    assert discovery.warnings == ("closed: left aside, cannot read it: Permission denied",)


def test_films_too_deep_are_told(tmp_path: Path) -> None:
    discovery = find_films(folder_with(tmp_path, "season 1/one/a.mp4", "b.mp4"))
    assert [f.film for f in discovery.films] == ["b"]
    assert "season 1: its sub-folders are not looked into" in discovery.warnings[0]


def test_no_film_takes_the_name_of_the_report(tmp_path: Path) -> None:
    assert list(found(folder_with(tmp_path, "report/a.mp4"))) == ["report (film)"]


def test_english_subtitles_and_named_scripts_come_first(tmp_path: Path) -> None:
    folder = folder_with(
        tmp_path, "f/a.mp4", "f/a.de.srt", "f/a.en.srt", "f/quotes.txt", "f/the screenplay.txt"
    )
    assert found(folder)["f"] == ("a.mp4", "the screenplay.txt", "a.en.srt", None)
    warnings = find_films(folder).warnings
    assert any("taking a.en.srt, not a.de.srt" in w for w in warnings)
    assert any("quotes.txt" in w for w in warnings)


@pytest.mark.parametrize(
    ("names", "missing"),
    [
        (["f/a.mp4"], ("screenplay", "subtitles")),
        (["f/a.txt"], ("video", "subtitles")),
        (["f/a.mp4", "f/a.fdx", "f/a.vtt"], ()),
    ],
)
def test_what_is_missing_is_said(
    tmp_path: Path, names: list[str], missing: tuple[str, ...]
) -> None:
    (film,) = find_films(folder_with(tmp_path, *names)).films
    assert film.missing() == missing


def test_subtitles_alone_are_no_film(tmp_path: Path) -> None:
    discovery = find_films(folder_with(tmp_path, "f/a.srt"))
    assert discovery.films == ()
    assert "subtitles alone" in discovery.warnings[0]


def test_two_of_one_name_are_told(tmp_path: Path) -> None:
    discovery = find_films(folder_with(tmp_path, "alien/a.mp4", "alien.mp4"))
    assert [f.video for f in discovery.films] == [tmp_path / "alien" / "a.mp4"]
    assert "share this name" in discovery.warnings[0]
