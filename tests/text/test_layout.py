"""The layout learner: the same story on many pages, page furniture, brackets, names, the model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import STORY, typed

from callsheet.core import ElementKind
from callsheet.text.measures.line_tags import (
    TAGS,
    callsheet_tagger,
    held_out_voices,
    overall,
    per_tag,
    score,
    screenplain_tagger,
    tagged_films,
)
from callsheet.text.screenplay import layout
from callsheet.text.screenplay.brackets import asides
from callsheet.text.screenplay.cues import spoken_cues
from callsheet.text.screenplay.furniture import furniture
from callsheet.text.screenplay.headings import is_bare_heading, is_heading
from callsheet.text.screenplay.lines import lines_of
from callsheet.text.screenplay.names import name_scores, parse_name
from callsheet.text.screenplay.plain import tag_lines
from callsheet.text.screenplay.shapes import shape_scores

STANDARD = {"S": 0, "N": 0, "C": 22, "D": 11, "E": 16, "T": 50}
PAGES = {
    "standard": STANDARD,
    "margin": {tag: 10 + indent for tag, indent in STANDARD.items()},
    "cues left of speech": {"S": 15, "N": 15, "C": 0, "D": 5, "E": 5, "T": 30},
    "speech and description in one column": {"S": 5, "N": 5, "C": 20, "D": 5, "E": 5, "T": 20},
    "no indentation at all": dict.fromkeys("SNCDET", 0),
}


def tags_of(lines: list[str]) -> list[str]:
    given = {tagged.number: TAGS[tagged.kind] for tagged in tag_lines(lines)}
    return [given.get(number, "") for number in range(1, len(lines) + 1)]


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("blank", ["SNCT", "SCT", "SC"])
def test_one_story_on_any_page(page: str, blank: str) -> None:
    lines, truth = typed(STORY * 3, PAGES[page], blank=blank)
    wrong = [(i, line, t, g) for i, (line, t, g) in enumerate(zip(lines, truth, tags_of(lines),
             strict=True)) if t != g]  # fmt: skip
    assert len(wrong) <= 0.02 * len(lines), wrong


WRITTEN = {
    "int. road - night": ("S", str.lower),
    "Int. Road - Night": ("S", str.title),
    "Rick": ("C", str.title),
    "ROAD - NIGHT": ("S", lambda words: words.split(". ", 1)[1]),
    "ROAD, NIGHT": ("S", lambda words: words.split(". ", 1)[1].replace(" -", ",")),
}


@pytest.mark.parametrize("habit", WRITTEN)
@pytest.mark.parametrize("page", ["standard", "no indentation at all"])
def test_headings_and_cues_as_typists_write_them(habit: str, page: str) -> None:
    written, change = WRITTEN[habit]
    story = [(tag, change(words) if tag == written else words) for tag, words in STORY]
    lines, truth = typed(story * 3, PAGES[page])
    wrong = [(line, t, g) for line, t, g in zip(lines, truth, tags_of(lines), strict=True)
             if t != g]  # fmt: skip
    assert len(wrong) <= 0.03 * len(lines), wrong


def test_nobody_speaks_under_a_name_that_opens_a_description() -> None:
    seen = [("C", "MARTHA"), ("N", "stands in the door, a lantern in her hand, and waits for him.")]
    lines, _ = typed([*STORY, *seen, *STORY], STANDARD, blank="SCT")
    first = next(i for i, line in enumerate(lines) if line.startswith("stands in the door"))
    assert tags_of(lines)[first - 1 : first + 1] == ["N", "N"]


def kinds_under(lines: list[str], kinds: str) -> str:
    """Tags after `spoken_cues`, from tags before."""
    by_tag = {tag: kind for kind, tag in TAGS.items()}
    found = spoken_cues(lines_of(lines), [by_tag[tag] for tag in kinds])
    return "".join(TAGS[kind] for kind in found)


@pytest.mark.parametrize(
    ("lines", "before", "after"),
    [
        (["RICK", "The door opens.", "", "He goes."], "CNN", "CDN"),
        (["RICK", "opens the door."], "CN", "NN"),
        (["RICK", "", "The door opens."], "CN", "NN"),
        (["A LAMP", "The door opens."], "CN", "NN"),
        (["RICK (V.O.)", "(low)", "The door opens."], "CEN", "CEN"),
        (["RICK"], "C", "N"),
    ],
)
def test_every_cue_has_its_speech(lines: list[str], before: str, after: str) -> None:
    known = ["RICK", "Yes."]
    assert kinds_under([*known, "", *lines], "CD" + before) == "CD" + after


def test_a_speech_that_sounds_like_description_stays_speech() -> None:
    told = "The house stands on a cliff over the sea. Its windows are dark. A path leads down"
    speech = [("C", "MARTHA (V.O.)"), ("D", told + " to the water, where a boat lies on its side.")]
    lines, truth = typed([*STORY, *speech, *STORY], dict.fromkeys("SNCDET", 0), blank="SNCT")
    at = lines.index("MARTHA (V.O.)")
    assert tags_of(lines)[at : at + 4] == truth[at : at + 4]


@given(st.fixed_dictionaries({tag: st.integers(0, 60) for tag in "SNCDET"}))
def test_any_indentation_is_learnt(indents: dict[str, int]) -> None:
    lines, truth = typed(STORY * 2, indents)
    assert np.mean([t == g for t, g in zip(truth, tags_of(lines), strict=True)]) >= 0.95


def test_double_spacing_and_tabs_change_nothing() -> None:
    lines, truth = typed(STORY * 2, {tag: 8 * (i // 8) for tag, i in STANDARD.items()})
    tabbed = [line.replace(" " * 8, "\t") for line in lines]
    assert tags_of(tabbed) == tags_of(lines)
    spaced = [text for line in lines for text in (line, "")]
    wrong = sum(t != g for t, g in zip(truth, tags_of(spaced)[::2], strict=True))
    assert wrong <= 0.02 * len(lines)


def test_margins_that_jump_from_page_to_page() -> None:
    lines, truth = typed(STORY * 6, STANDARD)
    jumped = [" " * (6 * (i // 40 % 3)) + line for i, line in enumerate(lines)]
    wrong = sum(t != g for t, g in zip(truth, tags_of(jumped), strict=True))
    assert wrong <= 0.03 * len(lines)


@pytest.mark.parametrize(
    "text",
    ["12.", "- 12 -", "Page 12", "p. 70", "12 of 120", "(MORE)", "(CONTINUED)", "CONTINUED:",
     "63   CONTINUED:                     63", "CONTINUED: (2)", "A12 CONTINUED",
     "Blue Revision 8/24/07 59.", "Rev. 05/21/08 Pink", "http://www.scripts.example/x.html",
     "(more)", "[Continued]", "16B Continued", "E 12 Continued",
     "WHITE PAGES", "Double Blue Script - revised",
     "Script converted by www.scripts.example", "Script provided by a friend"],
)  # fmt: skip
def test_page_furniture(text: str) -> None:
    assert furniture(lines_of([text])) == [True]


@pytest.mark.parametrize(
    "text",
    ["MARTHA (CONT'D)", "12 INT. HOUSE - DAY 12", "She continued: no.", "Page me at nine.",
     "I said more", "Ten men walk in.", "1984 was a year", "BLUE DRESSES EVERYWHERE",
     "(continuing)", "10TH", "17th.", "It continues.", "More.", "Continued.", "Cont'd.",
     "White pages flutter across the floor.", "He types www.scripts.example into the browser.",
     "Blue lights, draft coming in under the door.", "Pink, and the script is hers."],
)  # fmt: skip
def test_story_is_no_furniture(text: str) -> None:
    assert furniture(lines_of([text])) == [False]


@pytest.mark.parametrize("said", ["1942.", "42", "More.", "Continued."])
@pytest.mark.parametrize("aside", [[], ["(softly)"]])
def test_a_number_under_a_cue_is_said(said: str, aside: list[str]) -> None:
    told = [*STORY, ("C", "MARTHA"), *(("E", a) for a in aside), ("D", said), ("C", "TOMAS"),
            ("D", "Is that so?")]  # fmt: skip
    lines, truth = typed(told, STANDARD)
    assert tags_of(lines) == truth
    paged = [*lines[:8], " " * 60 + "12.", *lines[8:]]
    assert tags_of(paged)[8] == "M"


def test_numbers_that_rise_under_a_running_head_are_page_numbers() -> None:
    lines = [line for n in range(8) for line in ["THE LIGHTHOUSE", f"{n + 1}.", "", "She runs."]]
    filled = lines_of(lines)
    marks = zip(filled, furniture(filled), strict=True)
    assert all(mark for line, mark in marks if line.text[0].isdigit())


def test_running_heads_are_found_by_their_rising_numbers() -> None:
    page = ["She runs.", "He runs after her."]
    lines = [line for n in range(8) for line in [f"THE LIGHTHOUSE  draft two  {n + 1}.", *page]]
    assert furniture(lines_of(lines)) == [True, False, False] * 8
    counted = [line for _ in range(8) for line in ["Room 101.", *page]]
    assert not any(furniture(lines_of(counted)))


def test_a_speech_goes_on_over_a_page_break() -> None:
    lines, _ = typed(STORY * 2, STANDARD)
    at = next(i for i, line in enumerate(lines) if "I told you there" in line) + 1
    broken = [*lines[:at], " " * 22 + "(MORE)", "", " " * 60 + "7.", "",
              " " * 22 + "MARTHA (CONT'D)", *lines[at:]]  # fmt: skip
    tags = tags_of(broken)
    assert tags[at - 1 : at + 6] == ["D", "M", "", "M", "", "C", "D"]


def test_revision_stars_and_scene_numbers_are_no_words() -> None:
    lines, truth = typed(STORY * 2, STANDARD)
    starred = [line.ljust(70) + "*" if line and i % 3 else line for i, line in enumerate(lines)]
    assert tags_of(starred) == truth
    assert not any("*" in tagged.text for tagged in tag_lines(starred))
    for star in ("{} *", "* {}", "{}   **"):
        close = [star.format(line) if line and i % 4 == 0 else line
                 for i, line in enumerate(lines)]  # fmt: skip
        assert tags_of(close) == truth
        assert not any("*" in tagged.text for tagged in tag_lines(close))
    alone = [" " * 70 + "*" if not line and i % 3 == 0 else line for i, line in enumerate(lines)]
    assert [t or "M" for t in truth] == [t or "M" for t in tags_of(alone)]
    numbered = [f"{i}   {line}          {i}" if t == "S" else line
                for i, (line, t) in enumerate(zip(lines, truth, strict=True))]  # fmt: skip
    assert tags_of(numbered) == truth


def test_brackets_over_lines() -> None:
    lines = lines_of(["(she takes the", "lamp and goes)", "Where to?", "(never closed", "Said.",
                      "He (quickly", "as ever) runs", "(alone)"])  # fmt: skip
    assert asides(lines) == [True, True, False, False, False, False, False, True]


@pytest.mark.parametrize(
    "text",
    ["INT. HALL", "int. hall", "12 Int. Hall - Day", "Exterior - Hall - Night", "102a EXT. HALL",
     "A) EXT. HALL", "_INT. HALL_", "**EXT. HALL**", "SCENE 3: INT. HALL", "12A-B INT. HALL",
     "TNT. HALL", "int./ext. car - day"],
)  # fmt: skip
def test_headings(text: str) -> None:
    assert is_heading(text)


@pytest.mark.parametrize(
    "text",
    ["Interior lights flicker", "Est. 1954", "Interior-designed and cold", "HALL - DAY",
     "Exterior lights burn all night"],
)  # fmt: skip
def test_no_headings(text: str) -> None:
    assert not is_heading(text)


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("HALL - DAY", True),
        ("HALL -- MOMENTS LATER (1952)", True),
        ("HALL, NIGHT", True),
        ("12  HALL      12", True),
        ("12  HALL", False),
        ("Hall - Day", False),
        ("GOOD MORNING", False),
        ("GOOD, GOOD MORNING", False),
        ("THE END - NIGHT FALLS ON THE CITY", False),
    ],
)
def test_headings_without_int_and_ext(text: str, bare: bool) -> None:
    assert is_bare_heading(text) == bare


def test_names_in_small_letters_are_believed_where_the_file_writes_them_so() -> None:
    told = ["Rick says nothing and goes.", "Ilsa"]
    assert name_scores([*["Rick"] * 9, *told])[-2:] == [-6.0, 0.0]
    assert name_scores([*["RICK"] * 9, *told])[-2:] == [-6.0, -6.0]


def test_names() -> None:
    known, once, told, camera = name_scores(["RICK", *["RICK"] * 9, "A LAMP", "IT EXPLODES!",
                                             "ANGLE ON:"])[-4:]  # fmt: skip
    assert known > once > 0 > told
    assert camera < 0
    assert name_scores(["McCLANE"])[0] > 0 > name_scores(["Rick sits down."])[0]


@pytest.mark.parametrize(
    ("cue", "name", "extension"),
    [
        ("RICK", "RICK", None),
        ("RICK BLAINE (V.O.) (CONT'D)", "RICK BLAINE", "V.O., CONT'D"),
        ("RICK (O.S", "RICK", "O.S"),
        ("MR . HOWARD:", "MR. HOWARD", None),
        ("RICK CONT'D", "RICK", "CONT'D"),
        ("RICK V.O.", "RICK", "V.O."),
        ("(beat)", "", "beat"),
    ],
)
def test_parse_name(cue: str, name: str, extension: str | None) -> None:
    assert parse_name(cue) == (name, extension)


def brute_force(page: layout.Page, learnt: layout.Layout) -> tuple[float, ...]:
    """The score of the best path, by trying all."""
    scores = layout._scores(page, learnt)
    paths = np.indices((6,) * len(scores)).reshape(len(scores), -1)
    total = np.log(layout.FIRST)[paths[0]] + scores[0][paths[0]]
    for i in range(1, len(scores)):
        total += learnt.step[page.meets[i]][paths[i - 1], paths[i]] + scores[i][paths[i]]
    return tuple(paths[:, total.argmax()].tolist())


def test_the_best_path_is_the_best_of_all_paths() -> None:
    lines = lines_of(typed(STORY, STANDARD)[0])[:7]
    page = layout.page_of(lines, shape_scores(lines, {}), page_breaks=[False] * len(lines))
    learnt = layout.learn(page)
    assert tuple(layout.decode(page, learnt).tolist()) == brute_force(page, learnt)


def test_learnt_tables_are_probabilities() -> None:
    lines = lines_of(typed(STORY * 2, STANDARD)[0])
    page = layout.page_of(lines, shape_scores(lines, {}), page_breaks=[False] * len(lines))
    learnt = layout.learn(page)
    for table in (learnt.indent, learnt.width, learnt.step):
        np.testing.assert_allclose(np.exp(table).sum(axis=-1), 1.0)
    states, pairs = layout._posteriors(layout._scores(page, learnt), learnt.step, page.meets)
    np.testing.assert_allclose(states.sum(axis=1), 1.0)
    np.testing.assert_allclose(pairs.sum(), len(lines) - 1)


def test_every_line_has_one_kind_and_keeps_its_number() -> None:
    lines, _ = typed(STORY, STANDARD)
    tagged = tag_lines(lines)
    assert [t.number for t in tagged] == [i for i, line in enumerate(lines, 1) if line.strip()]
    assert all(isinstance(t.kind, ElementKind) for t in tagged)


@pytest.mark.slow
def test_lines_that_people_tagged(shared_data: Path) -> None:
    films = tagged_films(shared_data)
    voices = held_out_voices(films)
    ours = score(films, lambda film: callsheet_tagger(voices[film.film]))
    peer = score(films, lambda _: screenplain_tagger)
    accuracy, worst = overall(ours)
    assert accuracy >= 0.9905
    assert worst >= 0.95
    assert accuracy > overall(peer)[0]
    assert all(f1 > 0.9 for tag, (_, _, f1, _) in per_tag(ours).items() if tag != "M")


def test_a_blank_line_in_a_sentence_is_told_from_one_after_it() -> None:
    """Web pages often put one before a name in capitals."""
    lines = lines_of(["Jay turns and finds", "", "SARAH HARTE.", "", "She smiles", "at him."])
    page = layout.page_of(lines, shape_scores(lines, {}), page_breaks=[False] * len(lines))
    joins = [layout.JOINS[meet // layout.REACHES] for meet in page.meets]
    assert joins == ["apart", "torn", "apart", "runs on"]
