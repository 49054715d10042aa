"""Queries and corrections on a made film."""

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from rich.cells import cell_len

from callsheet.cli import frame
from callsheet.cli.main import app
from callsheet.cli.verbs.run import print_summary
from callsheet.core import no_progress
from callsheet.errors import InputError, StoreError
from callsheet.evaluation import evaluate_films
from callsheet.pipeline.corrections import import_corrections
from callsheet.pipeline.evaluating import with_truths
from callsheet.pipeline.exporting import export_library
from callsheet.pipeline.index import find_moments, make_index
from callsheet.pipeline.judging import judge_all
from callsheet.pipeline.library import Library
from callsheet.pipeline.run import RunSummary
from callsheet.pipeline.stage import StageOutcome
from callsheet.store import SCHEMAS, read_rows, write_rows
from made_film import write_film


def write_cast(folder: Path, people: dict[str, list[str]]) -> None:
    rest = {"actor": None, "background": False, "lines": 1, "words": 1, "mentions": 1}
    rows = [{"person": person, "aliases": aliases, **rest} for person, aliases in people.items()]
    write_rows(folder / "cast.parquet", SCHEMAS["cast"], rows)


@pytest.fixture
def library(tmp_path: Path) -> Library:
    (tmp_path / "casablanca").mkdir()
    (tmp_path / "casablanca" / "film.mp4").touch()
    folder = tmp_path / ".callsheet" / "casablanca"
    write_film(folder)
    (folder / "thumbnails").mkdir()
    (folder / "thumbnails" / "1.jpg").touch()
    write_cast(folder, {"RICK BLAINE": ["RICK"], "ILSA <3 & co": []})
    library = Library.open(tmp_path)
    make_index(library.works, library.work_folder, no_progress)
    return library


def test_moments_of_a_person_doing_something(library: Library) -> None:
    (moment,) = find_moments(library.work_folder, person="rick blaine", action="Kiss")
    assert (moment.film, moment.track, moment.score) == ("casablanca", 1, 0.5)
    assert moment.span.end == pytest.approx(48 * 1001 / 24000)
    assert moment.thumbnail == library.work_folder / "casablanca" / "thumbnails" / "1.jpg"


def test_everything_that_is_known_and_nothing_else(library: Library) -> None:
    moments = find_moments(library.work_folder)
    assert [(m.track, m.person, m.action) for m in moments] == [
        (1, "RICK BLAINE", "Kiss"),
        (2, "ILSA <3 & co", None),
    ]
    assert find_moments(library.work_folder, least_score=0.8) == []


def test_one_odd_film_does_not_cost_the_others_the_index(library: Library) -> None:
    odd = library.folder / "odd"
    odd.mkdir()
    (odd / "film.mp4").touch()
    write_film(library.work_folder / "odd")
    (library.work_folder / "odd" / "labels.parquet").write_bytes(b"no table")
    again = Library.open(library.folder)
    result = make_index(again.works, again.work_folder, no_progress)
    assert result.warnings[0].startswith("odd: not in the index: ")
    assert {m.film for m in find_moments(again.work_folder)} == {"casablanca"}


def test_a_truth_that_cannot_be_read_is_a_warning(library: Library) -> None:
    truth = library.folder / "casablanca" / "truth"
    truth.mkdir()
    (truth / "truth.parquet").write_bytes(b"no table")
    section = library.works[0].folder / "truth_section.json"
    section.write_text("{}")
    (warning,) = judge_all(library.works)
    assert warning.startswith("casablanca: not judged by its truth: ")
    assert not section.exists()


def test_a_truth_that_is_gone_leaves_the_page(library: Library) -> None:
    section = library.works[0].folder / "truth_section.json"
    section.write_text("{}")
    assert judge_all(library.works) == ()
    assert not section.exists()


def test_an_unknown_person_lists_the_choices(library: Library) -> None:
    with pytest.raises(InputError, match="no person 'SAM' in this library; there are ILSA"):
        find_moments(library.work_folder, person="SAM")


def test_an_unknown_person_is_told_the_nearest(library: Library) -> None:
    with pytest.raises(InputError, match=r"no person 'BLAINE' .*; did you mean RICK BLAINE\?"):
        library.who(person="BLAINE")
    with pytest.raises(InputError, match=r"no person 'ric' in this library; did you mean RICK\?"):
        library.who(person="ric")
    with pytest.raises(InputError, match=r"no action 'Kis' in this library; did you mean Kiss\?"):
        library.who(action="Kis")


def test_people_are_found_by_the_names_of_the_script(library: Library) -> None:
    """In another film somebody is really called Rick: both are meant."""
    other = library.folder / "other"
    other.mkdir()
    (other / "film.mp4").touch()
    folder = library.work_folder / "other"
    write_film(folder)
    rows = read_rows(folder / "labels.parquet", SCHEMAS["labels"])
    rows[2]["person"] = "RICK"
    write_rows(folder / "labels.parquet", SCHEMAS["labels"], rows)
    write_cast(folder, {"RICK": [], "RICK BLAINE": ["RICK", "MR BLAINE"], "SAM": []})
    again = Library.open(library.folder)
    make_index(again.works, again.work_folder, no_progress)
    moments = again.who(person="rick")
    assert {(m.film, m.person) for m in moments} == {
        ("casablanca", "RICK BLAINE"),
        ("other", "RICK"),
    }
    assert {m.film for m in again.who(person="Mr Blaine")} == {"other"}
    assert again.who(person="SAM") == []  # of the cast, but nowhere seen
    assert [m.film for m in again.who(person="RICK BLAINE", action="Kiss", limit=1)] == [
        "casablanca"
    ]
    assert library.who(person="RICK", film="casablanca")[0].track == 1


def test_damaged_people_are_a_sentence(library: Library) -> None:
    (library.work_folder / "people.json").write_text("{")
    with pytest.raises(StoreError, match=r"people.json is damaged .* run: callsheet run"):
        library.who(person="RICK")
    (library.work_folder / "index.parquet").write_bytes(b"no table")
    with pytest.raises(StoreError, match=r"index.parquet is truncated"):
        library.who(action="Kiss")


def test_brackets_in_names_are_no_colours(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    """`who` and `run` print the names as they are; rich would swallow [web]."""
    films = library.folder / "films [web]"
    shutil.copytree(library.folder / "casablanca", films / "casa [red]blanca")
    write_film(films / ".callsheet" / "casa [red]blanca")
    webbed = Library.open(films)
    make_index(webbed.works, webbed.work_folder, no_progress)
    (webbed.work_folder / "report").mkdir()
    (webbed.work_folder / "report" / "index.html").touch()
    told = CliRunner().invoke(app, ["who", str(films), "--action", "Kiss"]).output
    assert told.startswith("casa [red]blanca     0:00:00.00")
    capsys.readouterr()
    print_summary(webbed, RunSummary())
    printed = capsys.readouterr().out
    assert "casa [red]blanca" in printed
    assert f"report: {films}/.callsheet/report/index.html" in printed


def test_moments_on_the_minute_have_no_sixty_seconds(library: Library) -> None:
    rows = read_rows(library.work_folder / "index.parquet", SCHEMAS["index"])
    write_rows(library.work_folder / "index.parquet", SCHEMAS["index"],
               [row | {"start": 59.997, "end": 3599.996} for row in rows])  # fmt: skip
    told = CliRunner().invoke(app, ["who", str(library.folder), "--action", "Kiss"]).output
    assert " 0:01:00.00 1:00:00.00 " in told


def test_rows_of_a_table_stay_whole_where_nobody_looks(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "the discreet charm of the bourgeoisie (restored, 1972) " * 3
    write_film(library.work_folder / long)
    (library.folder / long).mkdir()
    (library.folder / long / "film.mp4").touch()
    print_summary(Library.open(library.folder), RunSummary())
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 3
    assert long.strip() in rows[2]
    assert max(map(len, rows)) < 250


def test_a_warning_of_several_stages_is_told_once(
    library: Library, capsys: pytest.CaptureFixture[str]
) -> None:
    outcomes = [StageOutcome("casablanca", stage, True, warnings=("it breaks off",))
                for stage in ("shots", "tracks")]  # fmt: skip
    print_summary(library, RunSummary((*outcomes, StageOutcome("", "index", True))))
    printed = capsys.readouterr()
    assert printed.err.count("casablanca: it breaks off") == 1
    assert re.search(r"casablanca +- +- +- +- +1 ", printed.out)


@pytest.mark.parametrize("text", ["[web]", "a\\[web]", "[/]", "ends with \\", ":cat:", "[WEB]"])
def test_any_text_is_printed_as_it_is(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    frame.console().print(f"[red]{frame.escape(text)}[/red]")
    assert capsys.readouterr().out == text + "\n"


def test_an_unlabelled_library_is_told_what_to_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not labelled yet; run: callsheet run"):
        find_moments(tmp_path / ".callsheet")


def test_a_library_that_is_not_there_is_not_called_unlabelled(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="films is not a folder; give the folder that holds"):
        find_moments(tmp_path / "films" / ".callsheet")


def test_a_library_is_judged_by_the_truths_beside_its_videos(library: Library) -> None:
    """Named by itself, or by its films; films without a truth do not take part."""
    folder, truth = library.works[0].folder, library.folder / "casablanca" / "truth"
    with pytest.raises(InputError, match=r"no film of .* has a truth beside its video .* --truth"):
        with_truths([library.folder])
    assert with_truths([folder]) == ([folder], [folder])
    with pytest.raises(InputError, match=r"casablanca holds no truth.parquet; .*--truth"):
        evaluate_films([folder], [folder])
    truth.mkdir()
    shown = {"track": 1, "kind": "body", "start": 0.0, "end": 4.0, "person": "RICK BLAINE"}
    write_rows(truth / "truth.parquet", SCHEMAS["truth"], [shown | {"action": "Kiss"}])
    assert with_truths([library.folder]) == ([folder], [truth])
    assert with_truths([folder]) == ([folder], [truth])


def pins(library: Library) -> dict[int, tuple[str | None, str | None]]:
    path = library.works[0].folder / "pins.parquet"
    rows = read_rows(path, SCHEMAS["pins"]) if path.exists() else []
    return {row["track"]: (row["person"], row["action"]) for row in rows}


def test_a_csv_of_corrections_pins_linked_tracks_together(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("track,person,action\n1,ILSA <3 & co,Hug\n3,,Run\n", encoding="utf-8")
    assert import_corrections(library, path, film=None) == {"casablanca": 3}
    assert pins(library) == {
        0: ("ILSA <3 & co", None),
        1: ("ILSA <3 & co", "Hug"),
        3: (None, "Run"),
    }
    path.write_text("track,person\n3,RICK BLAINE\n", encoding="utf-8")
    import_corrections(library, path, film=None)
    assert pins(library)[3] == ("RICK BLAINE", "Run")
    assert len(pins(library)) == 3


def test_an_action_of_the_users_own_can_be_pinned(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("track,action\n1,Smoke\n", encoding="utf-8")
    with pytest.raises(InputError, match="no action 'Smoke'"):
        import_corrections(library, path, film=None)
    notes = {"callsheet.classifier": 1, "labels": ["background", "Kiss", "Smoke"]}
    (library.works[0].folder / "actions.json").write_text(json.dumps(notes))
    import_corrections(library, path, film=None)
    assert pins(library)[1] == (None, "Smoke")


def test_own_actions_have_one_number_in_all_films(library: Library, tmp_path: Path) -> None:
    """Film a does only Wave, film b only Smoke and Wave: Wave is 15 in both, not 14 and 15."""
    for film, deeds in (("a", ("Wave", "Kiss")), ("b", ("Smoke", "Wave"))):
        (library.folder / film).mkdir()
        (library.folder / film / "film.mp4").touch()
        folder = library.work_folder / film
        write_film(folder)
        rows = read_rows(folder / "labels.parquet", SCHEMAS["labels"])
        rows[1]["action"], rows[2]["action"] = deeds
        write_rows(folder / "labels.parquet", SCHEMAS["labels"], rows)
    again = Library.open(library.folder)
    (path,) = export_library(again, "ava", tmp_path / "out", films=["a"])
    assert {line.split(",")[6] for line in path.read_text().splitlines()} == {"15", "8"}
    map_text = (tmp_path / "out" / "actions.ava.pbtxt").read_text()
    paths = list(export_library(again, "ava", tmp_path / "out"))
    numbers = [{line.split(",")[6] for line in p.read_text().splitlines()} for p in paths]
    assert numbers == [{"15", "8"}, {"14", "15"}, {"8"}]
    assert (tmp_path / "out" / "actions.ava.pbtxt").read_text() == map_text


def test_a_named_film_that_is_not_labelled_is_told(library: Library, tmp_path: Path) -> None:
    (library.folder / "brazil").mkdir()
    (library.folder / "brazil" / "film.mp4").touch()
    again = Library.open(library.folder)
    assert len(list(export_library(again, "csv", tmp_path / "out"))) == 1
    with pytest.raises(InputError, match="not labelled yet: brazil; run: callsheet run"):
        list(export_library(again, "csv", tmp_path / "out", films=["brazil", "casablanca"]))


def test_films_of_odd_names_stand_in_one_column(tmp_path: Path) -> None:
    for film in ("a[b]c", "日本", "casablanca"):
        (tmp_path / film).mkdir()
        (tmp_path / film / "film.mp4").touch()
    told = CliRunner().invoke(app, ["init", str(tmp_path)]).output.splitlines()[:3]
    assert {cell_len(line.partition(" no ")[0]) for line in told} == {len("casablanca ")}


@pytest.mark.parametrize("name", ["csv", "cvat"])
def test_of_an_export_only_what_was_changed_becomes_a_pin(
    library: Library, tmp_path: Path, name: str
) -> None:
    (path,) = export_library(library, name, tmp_path / "out")
    import_corrections(library, path, film=None)
    assert pins(library) == {}
    path.write_text(path.read_text(encoding="utf-8").replace("ILSA &lt;3 &amp; co", "RICK BLAINE")
                    .replace("ILSA <3 & co", "RICK BLAINE"), encoding="utf-8")  # fmt: skip
    import_corrections(library, path, film=None)
    assert pins(library) == {2: ("RICK BLAINE", None)}


@pytest.mark.parametrize("name", ["csv", "cvat"])
def test_labels_that_changed_since_the_export_are_nobodys_word(
    library: Library, tmp_path: Path, name: str
) -> None:
    """A film is corrected, the library runs, the next film's export of before is imported."""
    (path,) = export_library(library, name, tmp_path / "out")
    labels = library.works[0].folder / "labels.parquet"
    rows = read_rows(labels, SCHEMAS["labels"])
    write_rows(labels, SCHEMAS["labels"],
               [row | {"person": None, "action": "Drive"} for row in rows])  # fmt: skip
    import_corrections(library, path, film=None)
    assert pins(library) == {}


def test_corrections_of_several_films_are_taken_together_or_not_at_all(
    library: Library, tmp_path: Path
) -> None:
    (library.folder / "zorro").mkdir()
    (library.folder / "zorro" / "film.mp4").touch()
    write_film(library.work_folder / "zorro")
    path = tmp_path / "c.csv"
    path.write_text("film,track,action\ncasablanca,1,Hug\nzorro,1,Hgu\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"c\.csv, line 3: no action 'Hgu' in zorro"):
        import_corrections(Library.open(library.folder), path, film=None)
    assert pins(library) == {}


@pytest.mark.parametrize("between", [";", "\t"])
def test_a_csv_of_a_spreadsheet_is_read(library: Library, tmp_path: Path, between: str) -> None:
    path = tmp_path / "c.csv"
    rows = [("track", "person", "action"), ("1", "ILSA <3 & co", "Hug")]
    text = "\n".join(between.join(row) for row in rows)
    path.write_text(text, encoding="utf-8-sig")
    import_corrections(library, path, film=None)
    assert pins(library)[1] == ("ILSA <3 & co", "Hug")


def test_a_pin_is_taken_back(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("track,person,action\n1,ILSA <3 & co,Hug\n", encoding="utf-8")
    import_corrections(library, path, film=None)
    path.write_text("track,action\n1,-\n", encoding="utf-8")
    assert import_corrections(library, path, film=None) == {"casablanca": 2}
    assert pins(library) == {0: ("ILSA <3 & co", None), 1: ("ILSA <3 & co", None)}
    path.write_text("track,person\n1,-\n", encoding="utf-8")
    assert import_corrections(library, path, film=None) == {"casablanca": 0}
    assert not (library.works[0].folder / "pins.parquet").exists()  # as if nothing had been said


def test_of_cvat_the_named_film_wins(library: Library, tmp_path: Path) -> None:
    (path,) = export_library(library, "cvat", tmp_path / "out")
    text = path.read_text(encoding="utf-8").replace("ILSA &lt;3 &amp; co", "RICK BLAINE")
    path.write_text(text.replace("<name>casablanca</name>", "<name>task 7</name>"))
    with pytest.raises(InputError, match=r"is about task 7, which is no film here .* with --film"):
        import_corrections(library, path, film=None)
    assert pins(library) == {}
    assert import_corrections(library, path, film="casablanca") == {"casablanca": 1}
    assert pins(library) == {2: ("RICK BLAINE", None)}


def test_rows_about_other_films_only_are_an_error(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_text("film,track,person\nalien,1,RICK BLAINE\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"none of its rows is about casablanca; .* of alien"):
        import_corrections(library, path, film="casablanca")
    with pytest.raises(InputError, match="no film 'brazil'; the films are casablanca"):
        import_corrections(library, path, film="brazil")
    path.write_text("film,track,person\n", encoding="utf-8")
    with pytest.raises(InputError, match="pins nothing"):
        import_corrections(library, path, film=None)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("track,person\n1,RICK BLAIN\n", "line 2: no person in the cast 'RICK BLAIN' .* mean"),
        ("track,action\n1,Kis\n", "no action 'Kis'.*did you mean 'Kiss'"),
        ("track,person\n99,RICK BLAINE\n", "line 2: casablanca has no track 99"),
        ("track,person\nx,RICK BLAINE\n", "line 2: track must be a number, got 'x'"),
        ("name\nRICK\n", "needs the columns track and person or action, got name"),
    ],
)
def test_wrong_corrections_are_sentences(
    library: Library, tmp_path: Path, text: str, sentence: str
) -> None:
    path = tmp_path / "c.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=sentence):
        import_corrections(library, path, film=None)
    assert not (library.works[0].folder / "pins.parquet").exists()


def test_entity_bombs_are_refused(library: Library, tmp_path: Path) -> None:
    path = tmp_path / "c.xml"
    path.write_text('<!DOCTYPE a [<!ENTITY b "c">]><annotations>&b;</annotations>')
    with pytest.raises(InputError, match="not a sound CVAT XML"):
        import_corrections(library, path, film=None)
