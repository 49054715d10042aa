"""Which files belong together."""

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
