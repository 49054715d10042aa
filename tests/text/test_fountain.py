"""Fountain: the syntax, and what is written reads back the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import STORY, typed

from callsheet.core import ElementKind
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay import (
    parse_fountain,
    read_screenplay,
    save_fountain,
    write_fountain,
)
from callsheet.text.screenplay.assemble import assemble
from callsheet.text.screenplay.lines import TaggedLine

Told = list[tuple[str, str]]


def told(script: Screenplay) -> Told:
    return [(element.kind.value, element.text) for element in script.elements]


def essence(script: Screenplay) -> list[tuple[object, ...]]:
    return [(e.kind, e.text, e.speaker, e.extension, e.scene) for e in script.elements]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("INT. BARN - DAY #12A#", [("heading", "INT. BARN - DAY")]),
        ("ext. barn", [("heading", "ext. barn")]),
        (".SNIPER SCOPE", [("heading", "SNIPER SCOPE")]),
        ("...he goes", [("description", "...he goes")]),
        ("!BOOM\n!BANG", [("description", "BOOM BANG")]),
        ("CUT TO:", [("transition", "CUT TO:")]),
        ("> FADE OUT.", [("transition", "FADE OUT.")]),
        ("> THE END <", [("description", "THE END")]),
        ("ANN\nHello.", [("character", "ANN"), ("dialogue", "Hello.")]),
        ("ANN (on the radio)\nHello.", [("character", "ANN (on the radio)"),
                                        ("dialogue", "Hello.")]),
        ("@McCLANE\nYes.", [("character", "McCLANE"), ("dialogue", "Yes.")]),
        ("ANN\n(beat)\nHi.\n(then)\nBye.", [("character", "ANN"), ("parenthetical", "(beat)"),
                                            ("dialogue", "Hi."), ("parenthetical", "(then)"),
                                            ("dialogue", "Bye.")]),
        ("ANN\nOne.\n  \nTwo.", [("character", "ANN"), ("dialogue", "One. Two.")]),
        ("ANN\nOne.\n\nTwo.", [("character", "ANN"), ("dialogue", "One."),
                               ("description", "Two.")]),
        ("ANN\nStop!\n\nBO ^\nGo!", [("character", "ANN"), ("dialogue", "Stop!"),
                                     ("character", "BO"), ("dialogue", "Go!")]),
        ("ANN\n~La la", [("character", "ANN"), ("dialogue", "La la")]),
        ("ANN", [("description", "ANN")]),
        ("A *bold* **move** by _Ann_, 5\\*5", [("description", "A bold move by Ann, 5*5")]),
        ("# Act\n\n= They meet\n\n===", [("other", "# Act"), ("other", "= They meet"),
                                         ("other", "===")]),
        ("He runs[[why?]] off.", [("description", "He runs off.")]),
        ("He runs.\n[[why\nthen?]]\nOff.", [("description", "He runs."), ("other", "why"),
                                            ("other", "then?"), ("description", "Off.")]),
        ("/* INT. CUT\n\nscene */\n\nHe runs.", [("other", "INT. CUT"), ("other", "scene"),
                                                 ("description", "He runs.")]),
        ("/* never closed", [("description", "/* never closed")]),
        ("Title: The Barn\nAuthor:\n    Ann Bo\n\nINT. BARN", [("other", "Title: The Barn"),
                                                             ("other", "Author: Ann Bo"),
                                                             ("heading", "INT. BARN")]),
    ],
)  # fmt: skip
def test_syntax(text: str, expected: Told) -> None:
    assert told(parse_fountain(text)) == expected


def test_speakers_and_scenes() -> None:
    script = parse_fountain("INT. A\n\nANN (V.O.)\n(low)\nHi.\n\nHe goes.\n\nEXT. B\n")
    assert [e.speaker for e in script.elements] == [None, "ANN", "ANN", "ANN", None, None]
    assert script.elements[1].extension == "V.O."
    assert [(s.first_line, s.last_line) for s in script.scenes] == [(1, 7), (9, 9)]


SNIPPETS = ["", "  ", "INT. HOUSE - DAY #1#", ".FORCED", "RICK", "@Rick ^", "RICK (V.O.)", "(beat)",
            "Hello *you* there", "CUT TO:", "> x <", "> FADE", "!ACT", "~la", "# A", "= s", "===",
            "[[ note", "note ]]", "/* bone", "yard */", "Title: X", "    by", "\\(a)"]  # fmt: skip
ANY_TEXT = st.one_of(
    st.lists(st.sampled_from(SNIPPETS), max_size=12).map("\n".join),
    st.text(alphabet="AaB.!@>~#=[]*/_\\()<^ \n:1T0-", max_size=40),
    st.text(max_size=60),
)


@given(ANY_TEXT)
def test_parse_write_parse_is_stable(text: str) -> None:
    first = parse_fountain(text)
    written = write_fountain(first)
    second = parse_fountain(written)
    assert essence(second) == essence(first)
    assert write_fountain(second) == written


WORDS = st.text(alphabet="AbC.!@>~#=[]*/_\\<^ 1:-", min_size=1).filter(
    lambda text: any(c.isalnum() for c in text)
)


@given(st.lists(st.tuples(st.sampled_from(ElementKind), WORDS), max_size=8))
def test_any_screenplay_keeps_its_kinds_when_written(lines: list[tuple[ElementKind, str]]) -> None:
    """Not only what came from Fountain: elements in any order, with any signs in them. Cues may
    be added where a speech has none, and brackets around parentheticals."""
    script = assemble(
        TaggedLine(i, text, kind, opens=kind is not ElementKind.DIALOGUE)
        for i, (kind, text) in enumerate(lines, 1)
    )
    back = parse_fountain(write_fountain(script))
    wanted = [k for k, _ in told(script) if k != "character"]
    assert [k for k, _ in told(back) if k != "character"] == wanted


def test_a_plain_screenplay_becomes_fountain(tmp_path: Path) -> None:
    indents = {"S": 0, "N": 0, "C": 22, "D": 11, "E": 16, "T": 50}
    (tmp_path / "film.txt").write_text("\n".join(typed(STORY, indents)[0]))
    script = read_screenplay(tmp_path / "film.txt")
    save_fountain(script, tmp_path / "film.fountain")
    assert essence(read_screenplay(tmp_path / "film.fountain")) == essence(script)
