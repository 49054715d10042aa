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
