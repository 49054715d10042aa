"""Transcripts in every form a speaker can stand before the words, and prose that is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from callsheet.core import ElementKind
from callsheet.errors import InputError
from callsheet.text.readings import Screenplay
from callsheet.text.screenplay import read_screenplay, read_transcript

TALK = [
    ("rick", "We will always have Paris."),
    ("ilsa", "I said I would never leave you, Rick."),
    ("rick", "OK, and you never will."),
    ("waiter", "Champagne?"),
    ("ilsa", "Not now."),
    ("rick", "Here is looking at you."),
    ("ilsa", "Yes."),
]
FORMS = {
    "small letters": "{low} {words}",
    "capitals": "{high} {words}",
    "title case": "{title} {words}",
    "tabs": "{title}\t{words}",
    "colons": "{title}: {words}",
    "brackets": "[{title}] {words}",
    "marks": "{low}_{low} {words}",
    "nothing but names": "{low} {small}",
}


def told(folder: Path, text: str) -> Screenplay:
    path = folder / "talk.txt"
    path.write_text(text)
    return read_screenplay(path)


def spoken(script: Screenplay) -> list[tuple[str | None, str]]:
    return [(e.speaker, e.text) for e in script.elements if e.kind is ElementKind.DIALOGUE]


@pytest.mark.parametrize("form", FORMS)
def test_speakers_are_told_in_any_form(form: str, tmp_path: Path) -> None:
    rows = [
        FORMS[form].format(low=who, high=who.upper(), title=who.title(), words=words,
                           small=words.lower())
        for who, words in TALK
    ]  # fmt: skip
    found = spoken(told(tmp_path, "\n".join(rows)))
    assert [(str(who).lower().split("_")[0], words.lower()) for who, words in found] == [
        (who, words.lower()) for who, words in TALK
    ]


def test_a_transcript_may_be_a_web_page(tmp_path: Path) -> None:
    page = tmp_path / "talk.html"
    rows = [f"<p><b>{who.title()}:</b> {words}</p>" for who, words in TALK]
    page.write_text("<html><body>\n" + "\n".join(rows) + "\n</body></html>")
    script = read_screenplay(page)
    assert spoken(script) == [(who.title(), words) for who, words in TALK]
    assert [e.first_line for e in script.elements[::2]] == list(range(2, 2 + len(TALK)))


def test_names_of_several_words_in_capitals(tmp_path: Path) -> None:
    rows = ["MR. BLAINE We will.", "ILSA LUND OK, Rick.", "MR. UGARTE Hide me!",
            "MR. BLAINE NO way.", "ILSA LUND Who was that?"]  # fmt: skip
    assert spoken(told(tmp_path, "\n".join(rows))) == [
        ("MR. BLAINE", "We will."), ("ILSA LUND", "OK, Rick."), ("MR. UGARTE", "Hide me!"),
        ("MR. BLAINE", "NO way."), ("ILSA LUND", "Who was that?"),
    ]  # fmt: skip


PROSE = {
    "a table": [f"| {verb} | It {verb}s a film. |" for verb in ("read", "cut", "show")] * 9,
    "one line": ["It was late. He thought of her, and of the years that had gone by."] * 50,
    "lines of few openings": ["It was late.", "She thought of him.", "The wind blew.",
                              "Rick was there."] * 20,
    "small letters": ["rain fell on the roof and on rain", "on the roof it fell like rain",
                      "roof after roof was on fire", "fell it did, and on"] * 20,
    "names that open sentences": ["Rick sat by the bar and Ilsa sang.", "Ilsa sang to Rick.",
                                  "Sam looked at Ilsa and Rick.", "Rick left Ilsa and Sam."] * 9,
}  # fmt: skip


@pytest.mark.parametrize("prose", PROSE)
def test_prose_is_no_transcript(prose: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="does not look like a screenplay"):
        told(tmp_path, "\n".join(PROSE[prose]))


def test_lines_without_a_speaker_are_kept(tmp_path: Path) -> None:
    rows = ["Casino, first act", "Scene: Rick's bar.", "Rick: We will always", "have Paris.",
            "[Ilsa leaves]", "Rick: Sam?", "(He drinks.)", "Sam: Boss.", "Rick: Play it.",
            "Sam: No.", "Rick: Sam!", "Sam: Well then.", "Rick: Thank you.", "Sam: Fine.",
            "Rick: Now.", "Sam: Now?", "Rick: Yes.", "Sam: Yes.", "Rick: So.", "Sam: So.",
            "Rick: Go.", "Sam: Go."]  # fmt: skip
    path = tmp_path / "talk.txt"
    path.write_text("\n".join(rows))
    for script in (read_screenplay(path), read_transcript(path)):
        assert [(e.kind.value, e.text, e.speaker) for e in script.elements[:8]] == [
            ("other", "Casino, first act", None),
            ("description", "Scene: Rick's bar.", None),
            ("character", "Rick", "Rick"),
            ("dialogue", "We will always have Paris.", "Rick"),
            ("description", "[Ilsa leaves]", None),
            ("character", "Rick", "Rick"),
            ("dialogue", "Sam?", "Rick"),
            ("description", "(He drinks.)", None),
        ]
        assert (script.elements[3].first_line, script.elements[3].last_line) == (3, 4)
