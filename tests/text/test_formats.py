"""Every format: the same story comes out; damaged and foreign files are one clear sentence."""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pages import STORY, small_pdf, typed

from callsheet.core import ElementKind
from callsheet.errors import InputError
from callsheet.store import SCHEMAS, read_rows
from callsheet.text.encodings import decode
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay import make_script, read_screenplay, read_transcript
from callsheet.text.screenplay.formats import READERS
from callsheet.text.screenplay.headings import parse_heading

KINDS = {
    "S": ElementKind.HEADING,
    "N": ElementKind.DESCRIPTION,
    "C": ElementKind.CHARACTER,
    "D": ElementKind.DIALOGUE,
    "E": ElementKind.PARENTHETICAL,
    "T": ElementKind.TRANSITION,
}
FDX_TYPES = {"S": "Scene Heading", "N": "Action", "C": "Character", "D": "Dialogue",
             "E": "Parenthetical", "T": "Transition"}  # fmt: skip
STANDARD = {"S": 0, "N": 0, "C": 22, "D": 11, "E": 16, "T": 50}


def plain() -> str:
    return "\n".join(typed(STORY, STANDARD)[0]) + "\n"


def fountain() -> str:
    forced = {"FADE OUT.": "> FADE OUT."}
    story = [(tag, forced.get(words, words)) for tag, words in STORY]
    return "".join(f"{words}\n" if tag in "DE" else f"\n{words}\n" for tag, words in story)


def page() -> str:
    return (
        f"<html><head><title>no words</title></head><body><pre>{html.escape(plain())}</pre></body>"
    )


def final_draft() -> str:
    rows = "\n".join(
        f'<Paragraph Type="{FDX_TYPES[tag]}"><Text>{escape(words)}</Text></Paragraph>'
        for tag, words in STORY
    )
    head = "<?xml version='1.0' encoding='UTF-8'?>\n<FinalDraft><Content>"
    return f"{head}\n{rows}\n</Content></FinalDraft>"


def pdf() -> bytes:
    lines = typed(STORY, STANDARD)[0]
    return small_pdf([lines[i : i + 50] for i in range(0, len(lines), 50)])


WRITERS: dict[str, Callable[[], str | bytes]] = {
    ".txt": plain,
    ".fountain": fountain,
    ".html": page,
    ".fdx": final_draft,
    ".pdf": pdf,
}


def written(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def told(script: Screenplay) -> list[tuple[ElementKind, str]]:
    return [(element.kind, element.text) for element in script.elements]


@pytest.mark.parametrize("suffix", WRITERS)
def test_the_same_story_in_every_format(suffix: str, tmp_path: Path) -> None:
    script = read_screenplay(written(tmp_path, f"film{suffix}", WRITERS[suffix]()))
    assert told(script) == [(KINDS[tag], " ".join(words.split())) for tag, words in STORY]
    assert not script.warnings
    first, second, third = script.scenes
    assert (first.place, first.time_of_day, first.interior) == ("LIGHTHOUSE - LAMP ROOM", "NIGHT",
                                                                True)  # fmt: skip
    assert (second.place, second.interior, third.time_of_day) == ("ROCKS", False, "LATER")
    assert {e.speaker for e in script.elements} == {None, "MARTHA", "TOMAS", "STRANGER"}
    assert [e.extension for e in script.elements if e.extension] == ["O.S."]
    assert [e.element for e in script.elements] == list(range(len(script.elements)))
    assert [e.scene for e in script.elements] == sorted(e.scene for e in script.elements)


@pytest.mark.parametrize("suffix", [".txt", ".fountain", ".html"])
def test_line_numbers_are_those_of_the_source(suffix: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"film{suffix}", WRITERS[suffix]())
    lines = [html.unescape(line) for line in path.read_text().split("\n")]
    for element in read_screenplay(path).elements:
        source = " ".join(" ".join(lines[element.first_line - 1 : element.last_line]).split())
        assert element.text in source


def test_every_format_is_tested() -> None:
    assert {READERS[suffix] for suffix in WRITERS} == set(READERS.values())


@pytest.mark.parametrize(
    "name", ["ZO\xcb", "\xc5SA", "JO\xc3O", "\xcele", "Lo\xefc", "\xd8YSTEIN", "\xd2scar"]
)
def test_one_foreign_letter_is_western(name: str) -> None:
    words = f"{name} puts the lamp on the table.\n" * 40
    assert decode(words.encode("cp1252"), name="a.txt").text == words


def test_curly_quotes_of_old_macintosh_files() -> None:
    words = (
        "She doesn\u2019t answer. \u201cGo away.\u201d Zo\xeb waits \u2014 and goes\u2026\n" * 40
    )
    assert decode(words.encode("mac_roman"), name="a.txt").text == words


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_encodings(encoding: str, tmp_path: Path) -> None:
    story = (
        plain()
        .replace("Rain beats", "Rain \u2014 cold \u2014 beats")
        .replace("soup", "so\u00fbp\u00e9")
    )
    script = read_screenplay(written(tmp_path, "film.txt", story.encode(encoding)))
    words = " ".join(element.text for element in script.elements)
    assert "so\u00fbp\u00e9" in words
    assert "\u2014 cold \u2014" in words


BAD = {
    "empty.txt": b"",
    "blank.txt": b" \n\t\n",
    "binary.txt": bytes(range(256)) * 50,
    "film.docx": b"words",
    "novel.txt": b"It was late. He thought of her, and of the years that had gone by.\n" * 200,
    "broken.fdx": b"<FinalDraft><Content><Paragraph",
    "other.fdx": b"<html><body>no</body></html>",
    "text.fdx": b"INT. HOUSE - DAY",
    "broken.pdf": b"%PDF-1.4\nnothing",
    "text.pdf": b"INT. HOUSE - DAY",
    "scanned.pdf": small_pdf([[""], [""]]),
    "empty.html": b"<html><script>var INT = 1;</script></html>",
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_one_sentence(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_screenplay(written(tmp_path, name, BAD[name]))
    assert name in caught.value.message
    assert "\n" not in caught.value.message


def test_missing_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_screenplay(tmp_path / "none.txt")


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><FinalDraft>&b;</FinalDraft>',
        '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]><FinalDraft>&f;</FinalDraft>',
        '<!DOCTYPE x SYSTEM "http://127.0.0.1:9/none.dtd"><FinalDraft>&f;</FinalDraft>',
    ],
)
def test_entities_are_never_resolved(head: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"entit|broken XML"):
        read_screenplay(written(tmp_path, "bomb.fdx", head))


def test_final_draft_dual_dialogue_and_title_page(tmp_path: Path) -> None:
    inner = "".join(
        f'<Paragraph Type="{kind}"><Text>{text}</Text></Paragraph>'
        for kind, text in [("Character", "ANN"), ("Dialogue", "Stop!"), ("Character", "BO"),
                           ("Dialogue", "Go &amp; run!")]
    )  # fmt: skip
    xml = (
        '<FinalDraft><Content><Paragraph Type="Scene Heading"><Text>INT. </Text><Text>BARN</Text>'
        f"</Paragraph><Paragraph><DualDialogue>{inner}</DualDialogue></Paragraph></Content>"
        "<TitlePage><Content><Paragraph><Text>The Barn</Text></Paragraph></Content></TitlePage>"
        "</FinalDraft>"
    )
    script = read_screenplay(written(tmp_path, "film.fdx", xml))
    assert [(e.kind.value, e.text, e.speaker) for e in script.elements] == [
        ("heading", "INT. BARN", None), ("character", "ANN", "ANN"), ("dialogue", "Stop!", "ANN"),
        ("character", "BO", "BO"), ("dialogue", "Go & run!", "BO"), ("other", "The Barn", None),
    ]  # fmt: skip


def paragraph(kind: str, words: str, before: str = "") -> str:
    return (f'<Paragraph Type="{kind}">{before}<Text AdornmentStyle="0">{words}</Text>'
            "</Paragraph>\n")  # fmt: skip


def test_final_draft_notes_synopses_and_running_heads_are_no_story(tmp_path: Path) -> None:
    """A file as Final Draft itself writes it: most paragraphs are not of the script."""
    note = f'<ScriptNote ID="1" Type="General">{paragraph("General", "Cut this?")}</ScriptNote>'
    summary = f"<Summary>{paragraph('General', 'Ann finds the key.')}</Summary>"
    synopsis = f'<SceneProperties Length="1/8" Page="1">{summary}</SceneProperties>'
    takes = (
        f"<AltCollection><Alts><Alt>{paragraph('Dialogue', 'Halt!')}</Alt></Alts></AltCollection>"
    )
    head = (f'<HeaderAndFooter><Header>{paragraph("General", "THE BARN 3.")}</Header><Footer>'
            f'{paragraph("General", "Blue")}</Footer></HeaderAndFooter>')  # fmt: skip
    xml = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<FinalDraft DocumentType="Script" Version="5">'
        f"\n<Content>\n{paragraph('Scene Heading', 'INT. BARN - DAY', synopsis)}"
        f"{paragraph('Action', 'Ann comes in.', note)}{paragraph('Character', 'ANN')}"
        f"{paragraph('Dialogue', 'Stop!', takes)}</Content>\n<TitlePage>{head}<Content>"
        f"{paragraph('General', 'The Barn')}</Content></TitlePage>{head}"
        f"<ScriptNotes>{note}</ScriptNotes><SmartType><Characters><Character>ANN</Character>"
        "</Characters></SmartType></FinalDraft>"
    )
    script = read_screenplay(written(tmp_path, "film.fdx", xml))
    assert told(script) == [
        (ElementKind.HEADING, "INT. BARN - DAY"), (ElementKind.DESCRIPTION, "Ann comes in."),
        (ElementKind.CHARACTER, "ANN"), (ElementKind.DIALOGUE, "Stop!"),
        (ElementKind.OTHER, "The Barn"),
    ]  # fmt: skip


def test_web_page_without_pre(tmp_path: Path) -> None:
    rows = "".join(f"<p>{html.escape(words)}</p>\n" for _, words in STORY * 2)
    menu = "<script>var a = '<p>x</p>';</script><!-- <p>no</p> -->"
    script = read_screenplay(written(tmp_path, "film.htm", f"<html><body>{menu}{rows}</body>"))
    assert told(script) == [(KINDS[tag], " ".join(words.split())) for tag, words in STORY * 2]


@pytest.mark.parametrize(
    ("text", "place", "time", "interior"),
    [
        ("INT. RICK'S CAFE - MAIN ROOM - NIGHT", "RICK'S CAFE - MAIN ROOM", "NIGHT", True),
        ("12A EXT. STREET -- DAWN   12A", "STREET", "DAWN", False),
        ("INT./EXT. CAR - MOVING - DAY", "CAR - MOVING", "DAY", None),
        ("I/E. PORCH - LATER", "PORCH", "LATER", None),
        ("INT ROOM IN HOUSE        NIGHT     67", "ROOM IN HOUSE", "NIGHT", True),
        ("EXT. THE STREET", "THE STREET", "", False),
        ("int. kitchen - 6:00 a.m.", "kitchen", "6:00 A.M", True),
        ("44   AT THE BAR", "AT THE BAR", "", None),
        ("18 TNT. CORRIDOR - NIGHT", "CORRIDOR", "NIGHT", True),
        ("**INT. & EXT. CAR - DAY**", "CAR", "DAY", None),
        ("_EXT. ROAD - DAY_", "ROAD", "DAY", False),
        ("SCENE 3: int. barn - dusk", "barn", "DUSK", True),
    ],
)
def test_headings(text: str, place: str, time: str, interior: bool | None) -> None:
    heading = parse_heading(text)
    assert (heading.place, heading.time_of_day, heading.interior) == (place, time, interior)


def test_transcripts(tmp_path: Path) -> None:
    rows = "rick_blaine Here's looking at you.\nilsa_lund I know.\nMAN#unknown#One Wait!\n" * 3
    path = written(tmp_path, "transcript.txt", rows)
    for script in (read_screenplay(path), read_transcript(path)):
        lines = [(e.speaker, e.text, e.first_line) for e in script.elements
                 if e.kind is ElementKind.DIALOGUE]  # fmt: skip
        assert lines[:3] == [("rick_blaine", "Here's looking at you.", 1),
                             ("ilsa_lund", "I know.", 2), ("MAN", "Wait!", 3)]  # fmt: skip
        assert len(lines) == 9


def test_transcripts_with_colons(tmp_path: Path) -> None:
    rows = "Rick Blaine: Here's looking at you.\nIlsa: I know.\n" * 3
    script = read_screenplay(written(tmp_path, "talk.txt", rows))
    assert {e.speaker for e in script.elements} == {"Rick Blaine", "Ilsa"}


def test_a_script_without_dialogue_is_read_with_a_warning(tmp_path: Path) -> None:
    silent = [(tag, words) for tag, words in STORY if tag in "SN"]
    script = read_screenplay(written(tmp_path, "silent.txt", "\n".join(typed(silent, STANDARD)[0])))
    assert len(script.scenes) == 3
    assert any("no dialogue" in warning for warning in script.warnings)


def test_tables(tmp_path: Path) -> None:
    path = written(tmp_path, "film.txt", plain())
    shares: list[float] = []
    result = make_script(path, tmp_path, progress=shares.append)
    elements = read_rows(tmp_path / "elements.parquet", SCHEMAS["elements"])
    scenes = read_rows(tmp_path / "scenes.parquet", SCHEMAS["scenes"])
    assert (len(elements), len(scenes)) == (len(STORY), 3)
    assert result.summary["scenes"] == 3
    assert result.summary["speakers"] == 3
    assert shares[-1] == 1.0


def test_verb_covers_every_line_once(tmp_path: Path) -> None:
    from callsheet.cli.verbs.script import command

    path = written(tmp_path, "film.txt", plain() + "\n" + " " * 60 + "12.\n")
    result = CliRunner().invoke(command, [str(path), "--json"])
    assert result.exit_code == 0
    covered = [
        number
        for row in map(json.loads, result.stdout.splitlines())
        for number in range(row["first_line"], row["last_line"] + 1)
        if path.read_text().split("\n")[number - 1].strip()
    ]
    filled = [i for i, line in enumerate(path.read_text().split("\n"), 1) if line.strip()]
    assert covered == filled


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.sampled_from(sorted(READERS)),
    st.one_of(
        st.binary(max_size=300),
        st.text(max_size=300),
        st.lists(
            st.sampled_from(
                ["INT. A", "RICK", "(a", "b)", "", "  x", "<pre>", "</p>", "<Paragraph>",
                 "CUT TO:", "\f", "A: b", "a_b c", "<!--", "&lt;", "12.", "\u2028", "\t"]
            )
        ).map("\n".join),
    ),
)  # fmt: skip
def test_any_content_is_read_or_refused(tmp_path: Path, suffix: str, content: str | bytes) -> None:
    raw = content.encode("utf-8", "replace") if isinstance(content, str) else content
    path = written(tmp_path, f"any{suffix}", raw)
    try:
        script = read_screenplay(path)
    except InputError:
        return
    assert all(e.text and e.first_line <= e.last_line for e in script.elements)


@pytest.mark.parametrize("piece", ["(", "<", "<!", "<p", "/*", "[[", "*a", "-", "A ", "\n", ". ",
                                   "INT. ", "(x\n", "&", "1", "{", "#", "CONT "])  # fmt: skip
@pytest.mark.parametrize("suffix", [".txt", ".fountain", ".html"])
def test_long_monotony_takes_no_longer_than_words(piece: str, suffix: str, tmp_path: Path) -> None:
    """A long file of one sign: anything quadratic would run into the time limit."""
    path = written(tmp_path, f"long{suffix}", piece * (100_000 // len(piece)))
    with suppress(InputError):
        read_screenplay(path)


def test_two_column_dialogue(tmp_path: Path) -> None:
    columns = [
        "",
        "          ANN                       BO (O.S.)",
        "   Stop it, I won't go      You will go, and",
        "   with you!                you'll like it!",
        "                            (laughing)",
        "                            Come on!",
        "",
        "They look at each other.",
    ]
    before = typed(STORY, STANDARD)[0]
    path = written(tmp_path, "film.txt", "\n".join([*before, *columns]))
    assert [(e.kind.value, e.text, e.speaker) for e in read_screenplay(path).elements[-7:]] == [
        ("character", "ANN", "ANN"),
        ("dialogue", "Stop it, I won't go with you!", "ANN"),
        ("character", "BO (O.S.)", "BO"),
        ("dialogue", "You will go, and you'll like it!", "BO"),
        ("parenthetical", "(laughing)", "BO"),
        ("dialogue", "Come on!", "BO"),
        ("description", "They look at each other.", None),
    ]


def test_cues_on_the_line_of_their_words(tmp_path: Path) -> None:
    inline: list[str] = []
    for tag, words in STORY * 2:
        if tag == "C":
            inline += ["", f"{words}:"]
        elif tag == "D":
            inline[-1] += f" {words}"
        elif tag != "E":
            inline += ["", words]
    script = read_screenplay(written(tmp_path, "film.txt", "\n".join(inline)))
    spoken = [(e.speaker, e.text) for e in script.elements if e.kind is ElementKind.DIALOGUE]
    assert [text for _, text in spoken] == [words for tag, words in STORY * 2 if tag == "D"]
    assert spoken[1][0] == "TOMAS"


def test_title_page(tmp_path: Path) -> None:
    title = ["THE LIGHTHOUSE", "written by", "Ann Bo", "Final Draft, May 2, 1999"]
    head = [text for line in title for text in ("", line.center(60))] + ["", "", "FADE IN:", ""]
    lines = typed(STORY, STANDARD)[0]
    script = read_screenplay(written(tmp_path, "film.txt", "\n".join([*head, *lines])))
    assert [(e.kind.value, e.text) for e in script.elements[:6]] == [
        ("other", "THE LIGHTHOUSE"), ("other", "written by"), ("other", "Ann Bo"),
        ("other", "Final Draft, May 2, 1999"), ("transition", "FADE IN:"),
        ("heading", STORY[0][1]),
    ]  # fmt: skip
