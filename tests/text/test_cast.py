"""Names to persons, extras told apart, cast.csv, counts."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callsheet.errors import InputError
from callsheet.store import SCHEMAS, read_rows, write_items
from callsheet.text import Cast, CastMember, find_cast, make_cast, read_screenplay
from callsheet.text.cast import read_cast
from callsheet.text.cast.merging import one_letter_apart
from callsheet.text.cast.names import parse_person
from made_scripts import script


def cast_of(*names: str, told: tuple[str, ...] = (), cast_csv: Path | None = None) -> Cast:
    """A cast where each name speaks four words; name a speaker often to make him a principal."""
    lines = [f"{name}: one two three four" for name in names]
    return find_cast(script("# INT. BAR - DAY", *told, *lines), cast_csv)


def member(cast: Cast, name: str) -> CastMember:
    person = cast.person_of(name)
    return next(m for m in cast.members if m.person == person)


def test_aliases_are_one_person() -> None:
    cast = cast_of("RICK", "RICK", "RICK BLAINE", "MR. BLAINE'S VOICE", "YOUNG RICK", "ILSA")
    rick = member(cast, "rick blaine")
    assert rick.person == "RICK"
    assert set(rick.aliases) >= {"RICK BLAINE", "MR. BLAINE'S VOICE"}
    assert rick.lines == 4
    assert rick.words == 16
    assert cast.person_of("YOUNG RICK") == "YOUNG RICK"
    assert cast.person_of("BLAINE") == "RICK"
    assert cast.person_of("Sam") is None


def test_full_names_in_descriptions_tie_others_together() -> None:
    told = ("RICK BLAINE, 37, looks up from the chess board.", "A man comes in.")
    cast = cast_of("RICK", "MR. BLAINE", told=told)
    assert cast.person_of("MR. BLAINE") == cast.person_of("RICK")
    assert len(cast.members) == 1


def test_verbs_after_names_are_no_surnames() -> None:
    cast = cast_of("RICK", told=("RICK ROARS, and the car roars too.", "Rick Enters. He enters."))
    assert member(cast, "RICK").aliases == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("MRS. HOLLOWAY", "HOLLOWAY"),
        ("MR. HOLLOWAY", "MRS. HOLLOWAY"),
        ("YOUNG CARL", "CARL"),
        ("COP #1", "COP #2"),
        ("FIRST GUARD", "SECOND GUARD"),
        ('"WALTER"', "WALTER"),
        ("VARGA'S AIDE", "VARGA"),
        ("JOHN SMITH", "MARY SMITH"),
        ("JERRY", "GERRY"),
        ("STONE 2", "STONE"),
        ("FAT MAN", "MAN"),
    ],
)
def test_different_people_are_kept_apart(one: str, other: str) -> None:
    cast = cast_of(one, other, "ILSA")
    assert cast.person_of(one) != cast.person_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("K.L.D", "KLD"),
        ("ORSO LYA", "ORSOLYA"),
        ("CAPT. WENDISH", "WENDISH"),
        ("REV. OSTROM", "OSTROM"),
        ("KEN STONE", "STONE"),
        ("RICK (ON TV)", "RICK"),
        ("RICK'S GHOSTLY VOICE", "RICK"),
        ("RICK'S RECORDED VOICE", "RICK"),
        ("0 ORSOLYA", "ORSOLYA"),
        ("MAN #2", "MAN 2"),
        ("THE APPRAISER", "APPRAISER"),
    ],
)
def test_spellings_of_one_name_are_one_person(one: str, other: str) -> None:
    cast = cast_of(one.replace(" (ON TV)", " ON TV"), other, other, "ILSA")
    assert cast.person_of(one.replace(" (ON TV)", " ON TV")) == cast.person_of(other)


def test_an_ambiguous_surname_is_nobodys() -> None:
    cast = cast_of("JOHN SMITH", "MARY SMITH", "SMITH")
    assert cast.person_of("SMITH") == "SMITH"
    assert len(cast.members) == 3


def test_a_rare_misspelling_goes_to_the_frequent_name() -> None:
    cast = cast_of(*["TOLLIVANT"] * 30, "TOLLIVWANT", *["ISABELLE"] * 3, *["ISABELLA"] * 3)
    assert cast.person_of("TOLLIVWANT") == "TOLLIVANT"
    assert cast.person_of("ISABELLA") == "ISABELLA"


@pytest.mark.parametrize(
    "name",
    ["MAN #2", "CROWD", "POLICEMEN", "WAITRESS", "FAT MAN", "2ND COP", "REPORTERS", "ALL",
     "SEVERAL VILLAGERS", "THE OTHER WOMAN", "CREAKY VOICE", "MAN IN LONG RAINCOAT", "SALESMAN #1",
     "RICK AND ILSA", "OTTO/LENA", "VARGA'S AIDE"],
)  # fmt: skip
def test_extras_and_groups_are_background(name: str) -> None:
    assert member(cast_of(*["RICK"] * 60, name), name).background


@pytest.mark.parametrize("name", ["ILSA", "DR. VOSS", "MOTHER", "NURSE HAROLD", "MR. WU", "FROST"])
def test_named_people_are_not_background(name: str) -> None:
    assert not member(cast_of(*["RICK"] * 60, name), name).background


def test_a_nameless_principal_is_no_extra() -> None:
    assert not member(cast_of(*["KID"] * 30, *["RICK"] * 60), "KID").background
    assert member(cast_of(*["KID"] * 3, *["RICK"] * 60), "KID").background


def test_whom_the_descriptions_call_the_is_a_role() -> None:
    told = ("The Beekeeper opens.", "the BEEKEEPER bows. Alden laughs.")
    cast = cast_of(*["RICK"] * 60, "BEEKEEPER", "ALDEN", told=told)
    assert member(cast, "BEEKEEPER").background
    assert not member(cast, "ALDEN").background


def test_mentions_are_counted_longest_name_first() -> None:
    told = (
        "Rick sits. Young Rick runs. RICK BLAINE, 37, eats; Rick's hat falls.",
        "They will go. Will goes. rick (a heap of hay).",
    )
    cast = cast_of("RICK", "YOUNG RICK", "WILL", told=told)
    assert member(cast, "RICK").mentions == 3
    assert member(cast, "YOUNG RICK").mentions == 1
    assert member(cast, "WILL").mentions == 1


def test_the_users_list_wins(tmp_path: Path) -> None:
    listing = tmp_path / "cast.csv"
    listing.write_text(
        "name,aliases,actor,background\nRichard Blaine,RICK; BOSS,Humphrey Bogart,\n"
        "Ilsa Lund,,Ingrid Bergman,\nCrowd,CROWD,,no\nUgarte,,Peter Lorre,\nPianist,SAM,,yes\n"
    )
    cast = cast_of("RICK", "BOSS", "ILSA", "CROWD", "SAM", "RENAULT", cast_csv=listing)
    rick = member(cast, "rick")
    assert (rick.person, rick.actor, rick.lines) == ("Richard Blaine", "Humphrey Bogart", 2)
    assert cast.person_of("ILSA") == "Ilsa Lund"
    assert not member(cast, "CROWD").background
    assert member(cast, "SAM").background
    assert member(cast, "Ugarte").lines == 0
    assert cast.person_of("RENAULT") == "RENAULT"
    assert any("Ugarte" in warning for warning in cast.warnings)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("person,actor\nRick,Bogart\n", "no column called name"),
        ("name,aliases\nRick,BOSS\nSam,BOSS\n", "both Rick and Sam"),
        ("name,background\nRick,maybe\n", "line 2: background must be yes or no"),
    ],
)
def test_bad_lists_are_one_sentence(tmp_path: Path, text: str, complaint: str) -> None:
    listing = tmp_path / "cast.csv"
    listing.write_text(text)
    with pytest.raises(InputError, match=complaint):
        read_cast(listing)


def test_lists_with_semicolons_and_marks_are_read(tmp_path: Path) -> None:
    listing = tmp_path / "cast.csv"
    listing.write_bytes("\ufeffName;Actor;Aliases\nRené;Bogart;BOSS|CHEF\n".encode())
    (row,) = read_cast(listing)
    assert (row.person, row.actor, row.aliases) == ("René", "Bogart", ("BOSS", "CHEF"))


@given(st.text())
def test_any_list_is_read_or_refused(text: str) -> None:
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        path = Path(folder) / "cast.csv"
        path.write_text(text, encoding="utf-8", newline="")
        with contextlib.suppress(InputError):
            read_cast(path)


@given(st.text(min_size=1))
def test_any_name_is_taken_apart(raw: str) -> None:
    name = parse_person(raw)
    assert name.raw == raw
    assert isinstance(name.letters, str)


@given(st.lists(st.text("ABCDE' .#12", min_size=1, max_size=12), min_size=1, max_size=12))
def test_everybody_is_somebody_once(names: list[str]) -> None:
    """Whatever the names: each belongs to exactly one person, and no line is lost."""
    from callsheet.core import Element, ElementKind
    from callsheet.text import Screenplay

    elements = tuple(
        Element(n, ElementKind.DIALOGUE, "some words", n, n, -1, name)
        for n, name in enumerate(names)
    )
    cast = find_cast(Screenplay(elements, ()))
    assert sum(m.lines for m in cast.members) == len(names)
    called = [name for m in cast.members for name in {m.person, *m.aliases}]
    assert all(called.count(name) == 1 for name in set(names))


@given(st.text("ab", max_size=6), st.text("ab", max_size=6))
def test_one_letter_apart_is_the_edit_distance(left: str, right: str) -> None:
    assert one_letter_apart(left, right) == (right in {left, *_edits(left)})


def _edits(word: str) -> set[str]:
    splits = [(word[:n], word[n:]) for n in range(len(word) + 1)]
    return {
        *(a + b[1:] for a, b in splits if b),
        *(a + c + b for a, b in splits for c in "ab"),
        *(a + c + b[1:] for a, b in splits if b for c in "ab"),
        *(a + b[1] + b[0] + b[2:] for a, b in splits if len(b) > 1),
    }


def test_the_stage_writes_the_table(tmp_path: Path) -> None:
    play = script("# INT. BAR - DAY", "Rick sits.", "RICK: one two", "MAN #2: three")
    write_items(tmp_path / "elements.parquet", SCHEMAS["elements"], play.elements)
    write_items(tmp_path / "scenes.parquet", SCHEMAS["scenes"], play.scenes)
    result = make_cast(tmp_path)
    rows = read_rows(tmp_path / "cast.parquet", SCHEMAS["cast"])
    assert [(r["person"], r["background"], r["mentions"]) for r in rows] == [
        ("RICK", False, 1), ("MAN #2", True, 0),
    ]  # fmt: skip
    assert result.summary == {"people": 1, "background": 1}


def test_no_dialogue_is_a_warning() -> None:
    assert "nobody speaks" in find_cast(script("# INT. BAR - DAY", "Dust.")).warnings[0]


def test_real_screenplays(shared_data: Path) -> None:
    folder = shared_data / "screenplays"
    cast = find_cast(read_screenplay(folder / "burn_after_reading.txt"))
    assert [m.person for m in cast.members[:4]] == ["LINDA", "HARRY", "OSBOURNE", "CHAD"]
    assert cast.person_of("HARRY PFARRER") == "HARRY"
    assert cast.person_of("HARRY'S VOICE") == "HARRY"
    assert member(cast, "NEW EMBASSY MAN").background
    petulia = find_cast(read_screenplay(folder / "petulia.txt"))
    assert petulia.person_of("PETU LIA") == petulia.person_of("PETULIA'S VOICE") == "PETULIA"


def silent(*told: str, heading: str = "# INT. WARD - DAY") -> dict[str, CastMember]:
    cast = find_cast(script(heading, *told, "ILSA: one two three four"))
    return {m.person: m for m in cast.members if not m.lines}


def test_who_only_stands_in_descriptions_is_in_the_cast() -> None:
    (kate,) = silent("KATE (30s), a nurse, enters. Kate sits down. KATE runs.").values()
    assert (kate.person, kate.lines, kate.mentions, kate.background) == ("KATE", 0, 3, False)
    zora = silent("ANGLE ON ZORA QUELL, 41, who reads.", "Zora turns a page.")
    assert zora["ZORA QUELL"].mentions == 2
    assert "ZORA" in zora["ZORA QUELL"].aliases
    assert set(silent("OTTO, a boy in a cap, runs. Otto stops. Now Otto laughs.")) == {"OTTO"}
    assert set(silent("BRAN (mid-forties) walks in. BRAN sits.")) == {"BRAN"}


@pytest.mark.parametrize("piece", ["A", "A-", "AB ", "AB, ", "AB (", "THE AB (40) ", "Ab ab "])
def test_long_monotonous_descriptions_take_no_longer_than_words(piece: str) -> None:
    """Anything quadratic would run into the time limit."""
    assert set(silent(piece * (300_000 // len(piece)))) <= {"AB"}


@pytest.mark.parametrize(
    "told",
    [
        "KATE (30s) enters. A nurse sits.",
        "A SIREN, far away. The SIREN, near. Siren upon siren wails.",
        "The GRINNER (40) sits. The Grinner stands.",
        "A WAITRESS (20s) runs. WAITRESS sits. The Waitress stands.",
        "ZURICH, 1942. In Zurich it snows. Of Zurich nobody thinks.",
        "SUPER: ODESSA, the harbour. In Odessa. By Odessa. Odessa sleeps.",
        "ILSA LUND, 30, waits. Ilsa Lund sits.",
        "BANG, BANG (off). BANG, again.",
    ],
)
def test_props_places_roles_and_speakers_are_no_silent_people(told: str) -> None:
    assert silent(told) == {}
